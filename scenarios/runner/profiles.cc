#include "scenarios/runner/profiles.h"

namespace groupsim {
namespace {

constexpr FaultEffect<schema::ClientFault, ClientProfile> kClientFaults[] = {
    {schema::FAILED_OFFSET_QUERY_IS_A_NEW_GROUP,
     [](ClientProfile& p) { p.only_not_found_is_no_offset = false; }},
    {schema::EXPIRED_MESSAGE_IS_SENT_BACK_AGAIN,
     [](ClientProfile& p) { p.sends_back_only_cached = false; }},
    {schema::NEW_QUEUE_IS_NOT_LOCKED,
     [](ClientProfile& p) { p.new_queue_counts_as_locked = false; }},
    {schema::LOST_ORDERLY_QUEUE_IS_CONSUMED_ON,
     [](ClientProfile& p) { p.lost_queue_rests = false; }},
    {schema::ORDERLY_OFFSET_IS_THAT_PULLED,
     [](ClientProfile& p) { p.orderly_progress = OrderlyProgress::kPulled; }},
    {schema::QUEUES_IN_DESCENDING_ORDER,
     [](ClientProfile& p) { p.queue_order = QueueOrder::kDescendingNames; }},
    {schema::QUEUE_OBJECT_IS_REUSED,
     [](ClientProfile& p) { p.new_queue_is_a_new_object = false; }},
    {schema::ORDERLY_DEAD_LETTER_IS_NOT_COUNTED,
     [](ClientProfile& p) { p.dead_letter_counts_attempt = false; }},
    {schema::BROADCASTING_ORDERLY_ASKS_FOR_LOCKS,
     [](ClientProfile& p) { p.broadcasting_asks_for_locks = true; }},
    {schema::OFFSET_FILE_IS_REPLACED,
     [](ClientProfile& p) { p.offset_file_is_merged = false; }},
    {schema::SHORTENED_BODIES_STAY_CACHED,
     [](ClientProfile& p) { p.empty_cache_counts_no_bytes = false; }},
};

constexpr FaultEffect<schema::BrokerFault, BrokerProfile> kBrokerFaults[] = {
    {schema::DEAD_LETTER_IS_DELAYED,
     [](BrokerProfile& p) { p.dead_letter_is_delayed = true; }},
    {schema::DEAD_LETTER_ONLY_BEYOND_LIMIT,
     [](BrokerProfile& p) {
       p.dead_letter_at_limit = false;
       p.dead_letter_while_locked = false;
     }},
};

template <class Profile>
struct Releases {
  Profile rocketmq_5_3;
  Profile rocketmq_4_9;

  const Profile& Of(schema::Profile release) const {
    return release == schema::ROCKETMQ_4_9 ? rocketmq_4_9 : rocketmq_5_3;
  }
};
constexpr Releases<NameServerProfile> kNameServers = {kNameServerRocketMq53,
                                                      kNameServerRocketMq49};
constexpr Releases<BrokerProfile> kBrokers = {kBrokerRocketMq53,
                                              kBrokerRocketMq49};
constexpr Releases<ClientProfile> kClients = {kClientRocketMq53,
                                              kClientRocketMq49};

template <class Fault, class Profile>
void Apply(int fault, absl::Span<const FaultEffect<Fault, Profile>> effects,
           Profile& profile) {
  for (const FaultEffect<Fault, Profile>& effect : effects) {
    if (effect.fault == fault) effect.apply(profile);
  }
}

// The innermost message that says a release; the last one is asked anyway.
template <class Message>
schema::Profile ReleaseOf(const Message& message) {
  return message.profile();
}
template <class Message, class... Outer>
schema::Profile ReleaseOf(const Message& message, const Outer&... outer) {
  return message.has_profile() ? message.profile() : ReleaseOf(outer...);
}

}  // namespace

absl::Span<const FaultEffect<schema::ClientFault, ClientProfile>>
ClientFaultEffects() {
  return kClientFaults;
}

absl::Span<const FaultEffect<schema::BrokerFault, BrokerProfile>>
BrokerFaultEffects() {
  return kBrokerFaults;
}

NameServerProfile ProfileOf(const Scenario& scenario) {
  return kNameServers.Of(ReleaseOf(scenario.name_server(), scenario));
}

BrokerProfile ProfileOf(const Scenario& scenario,
                        const schema::Broker& broker) {
  BrokerProfile profile = kBrokers.Of(ReleaseOf(broker, scenario));
  for (const int fault : broker.known_fault()) {
    Apply(fault, BrokerFaultEffects(), profile);
  }
  return profile;
}

ClientProfile ProfileOf(const Scenario& scenario,
                        const schema::Producer& producer) {
  return kClients.Of(ReleaseOf(producer, scenario));
}

ClientProfile ProfileOf(const Scenario& scenario, const schema::Group& group,
                        const schema::Consumer& consumer) {
  ClientProfile profile = kClients.Of(ReleaseOf(consumer, group, scenario));
  for (const int fault : consumer.known_fault()) {
    Apply(fault, ClientFaultEffects(), profile);
  }
  return profile;
}

}  // namespace groupsim
