#include <algorithm>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "scenarios/reader/meaning.h"
#include "scenarios/reader/timeline_meaning.h"

namespace groupsim {
namespace {

constexpr int kDefaultQueuesPerBroker = 8;

// The topic meant where none is named, or "" with a finding.
std::string OnlyTopic(const Scenario& scenario, const std::string& path,
                      absl::string_view type, absl::string_view field,
                      Judge& judge) {
  if (scenario.topic_size() == 1) return scenario.topic(0).name();
  // A misspelt field is a finding already.
  if (!judge.WasWritten(FieldPath(path, field))) {
    judge.Name(path, absl::StrCat(type, " needs ", field, ", as there are ",
                                  scenario.topic_size(), " topics"));
  }
  return "";
}

void CompleteCluster(Scenario& scenario) {
  if (!scenario.name_server().has_name()) {
    scenario.mutable_name_server()->set_name("name-server");
  }
  if (scenario.broker_size() == 0) scenario.add_broker()->set_name("broker-a");
  if (scenario.topic_size() == 0) scenario.add_topic()->set_name("topic-a");
  for (schema::Topic& topic : *scenario.mutable_topic()) {
    if (!topic.has_queues_per_broker()) {
      topic.set_queues_per_broker(kDefaultQueuesPerBroker);
    }
    if (!topic.has_read_queues()) {
      topic.set_read_queues(topic.queues_per_broker());
    }
    if (!topic.has_write_queues()) {
      topic.set_write_queues(topic.queues_per_broker());
    }
    // From here on, all the queues there are.
    topic.set_queues_per_broker(
        std::max(topic.read_queues(), topic.write_queues()));
    if (topic.broker_size() > 0) continue;
    // A name that is given twice has been told.
    absl::flat_hash_set<absl::string_view> added;
    for (const schema::Broker& broker : scenario.broker()) {
      if (added.insert(broker.name()).second) topic.add_broker(broker.name());
    }
  }
}

void CompleteProducers(Scenario& scenario, Judge& judge) {
  for (int i = 0; i < scenario.producer_size(); ++i) {
    schema::Producer& producer = *scenario.mutable_producer(i);
    if (!producer.has_name()) producer.set_name(absl::StrCat("producer-", i));
    if (!producer.has_topic()) {
      producer.set_topic(OnlyTopic(scenario, FieldPath("", "producer", i),
                                   "Producer", "topic", judge));
    }
    if (!producer.has_from()) producer.set_from("0s");
    if (!producer.has_until()) producer.set_until(scenario.duration());
  }
}

void CompleteExpressions(
    google::protobuf::RepeatedPtrField<schema::Subscription>& all) {
  for (schema::Subscription& subscription : all) {
    if (subscription.expression().empty()) subscription.set_expression("*");
  }
}

void CompleteGroups(Scenario& scenario, Judge& judge) {
  for (int i = 0; i < scenario.group_size(); ++i) {
    schema::Group& group = *scenario.mutable_group(i);
    const std::string path = FieldPath("", "group", i);
    if (group.subscribe_size() == 0 &&
        !judge.WasWritten(FieldPath(path, "subscribe"))) {
      group.add_subscribe()->set_topic(
          OnlyTopic(scenario, path, "Group", "subscribe", judge));
    }
    CompleteExpressions(*group.mutable_subscribe());
    for (schema::Consumer& consumer : *group.mutable_consumer()) {
      CompleteExpressions(*consumer.mutable_subscribe());
    }
    // Of several topics one has to be named, as is told later.
    for (schema::Consumer& consumer : *group.mutable_consumer()) {
      for (schema::AssignedQueues& assigned : *consumer.mutable_assign()) {
        if (assigned.has_topic() || group.subscribe_size() != 1) continue;
        assigned.set_topic(group.subscribe(0).topic());
      }
    }
    for (int j = 0; j < group.committed_size(); ++j) {
      if (group.committed(j).has_topic()) continue;
      group.mutable_committed(j)->set_topic(
          OnlyTopic(scenario, FieldPath(path, "committed", j),
                    "CommittedOffset", "topic", judge));
    }
  }
}

}  // namespace

void CompleteScenario(Scenario& scenario, Judge& judge) {
  if (!scenario.has_seed()) scenario.set_seed(1);
  if (!scenario.has_duration()) scenario.set_duration("1m");
  if (!scenario.has_cpus()) scenario.set_cpus(4);
  CompleteCluster(scenario);
  CompleteProducers(scenario, judge);
  CompleteGroups(scenario, judge);
  CompleteTimeline(scenario, judge);
}

}  // namespace groupsim
