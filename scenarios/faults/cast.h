// Who takes part in a run, for those who do something to them.
#ifndef GROUPSIM_SCENARIOS_FAULTS_CAST_H_
#define GROUPSIM_SCENARIOS_FAULTS_CAST_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/broker/broker.h"
#include "model/broker/broker_disk.h"
#include "model/broker/disturbance.h"
#include "model/client/consumer_disk.h"
#include "model/client/lite_pull_consumer.h"
#include "model/client/producer.h"
#include "model/client/pull_consumer.h"
#include "model/client/push_consumer.h"
#include "model/namesrv/name_server.h"
#include "scenarios/schema/timeline.pb.h"
#include "scenarios/workload/listener_switch.h"
#include "scenarios/workload/producer_workload.h"
#include "sim/host/host.h"
#include "sim/host/world.h"

namespace groupsim {

// The processes of a scenario by their names, with what stands behind each.
//
// The pointers to processes are those of the last start; they mean something
// only while the host is alive, which the accessors see to.
class Cast {
 public:
  struct NameServerPart {
    Host* host = nullptr;
    NameServer* process = nullptr;
    int64_t lives = 0;  // How many processes there have been.
  };
  struct BrokerPart {
    Host* host = nullptr;
    Broker* process = nullptr;
    BrokerDisk disk;
    BrokerDisturbance disturbance;
    std::vector<Name> topics;  // Of the scenario, that it has.
  };
  struct ProducerPart {
    Host* host = nullptr;
    Producer* process = nullptr;
    std::string block;  // The name of its block in the scenario.
    std::unique_ptr<ProducerWorkload> workload;
  };
  struct ConsumerPart {
    Host* host = nullptr;
    PushConsumer* process = nullptr;  // One of the three.
    LitePullConsumer* lite_pull = nullptr;
    PullConsumer* pull = nullptr;
    // Where its group broadcasts: its offsets, and the name that they have
    // there.
    ConsumerDisk disk;
    Name client_id;
    Name group;
    std::string block;  // The name of its block in the scenario.
    // Whether it belongs to the block as large as that is at present. Those who
    // are not wanted are left alone by what is done to whole groups.
    bool wanted = true;
    ListenerSwitch listener;
  };

  explicit Cast(World& world) : world_(world) {}
  Cast(const Cast&) = delete;
  Cast& operator=(const Cast&) = delete;

  // New parts, without a host as yet. Addresses stay valid.
  NameServerPart& AddNameServer() { return name_servers_.emplace_back(); }
  BrokerPart& AddBroker() { return brokers_.emplace_back(); }
  ProducerPart& AddProducer() { return producers_.emplace_back(); }
  ConsumerPart& AddConsumer() { return consumers_.emplace_back(); }

  World& world() const { return world_; }
  // In the order of the scenario.
  std::deque<NameServerPart>& name_servers() { return name_servers_; }
  std::deque<BrokerPart>& brokers() { return brokers_; }
  std::deque<ProducerPart>& producers() { return producers_; }
  std::deque<ConsumerPart>& consumers() { return consumers_; }
  const std::deque<BrokerPart>& brokers() const { return brokers_; }
  const std::deque<ProducerPart>& producers() const { return producers_; }
  const std::deque<ConsumerPart>& consumers() const { return consumers_; }

  // The process of that name; there must be one.
  Host& HostNamed(absl::string_view name) const;
  BrokerPart& BrokerNamed(absl::string_view name);
  ProducerPart& ProducerNamed(absl::string_view name);
  ConsumerPart& ConsumerNamed(absl::string_view name);

  // The consumers of a group, of a block of consumers; all that there may ever
  // be.
  std::vector<ConsumerPart*> ConsumersOf(absl::string_view group);
  std::vector<ConsumerPart*> Block(absl::string_view name);

  // The hosts at a place: the process of that name, the consumers of the group
  // or block, or everybody in the machine room of that name. Empty if it is
  // none of these.
  std::vector<Host*> HostsAt(absl::string_view place) const;

 private:
  World& world_;
  std::deque<NameServerPart> name_servers_;
  std::deque<BrokerPart> brokers_;
  std::deque<ProducerPart> producers_;
  std::deque<ConsumerPart> consumers_;
};

// The present process of a part; null while none is alive.
template <class Part>
auto* Present(const Part& part) {
  return part.host->alive() ? part.process : nullptr;
}

// The processes that a scenario names, one by one or by groups.
class ProcessSet {
 public:
  struct Member {
    Host* host = nullptr;
    const Cast::ConsumerPart* consumer = nullptr;  // Null for other processes.

    bool wanted() const { return consumer == nullptr || consumer->wanted; }
  };

  // `cast` must be complete.
  ProcessSet(const schema::Processes& processes, Cast& cast);
  // The consumers of one group.
  static ProcessSet OfGroup(absl::string_view group, Cast& cast);

  // Those named, and of the groups all, or those who are wanted at present.
  std::vector<Host*> all() const;
  std::vector<Member> wanted() const;

  // "pod-1, pod-2, group readers".
  const std::string& text() const { return text_; }

 private:
  ProcessSet() = default;

  std::vector<Member> named_;
  std::vector<Cast::ConsumerPart*> of_groups_;
  std::string text_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_CAST_H_
