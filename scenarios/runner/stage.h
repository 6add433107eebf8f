// A scenario set up as a world.
#ifndef GROUPSIM_SCENARIOS_RUNNER_STAGE_H_
#define GROUPSIM_SCENARIOS_RUNNER_STAGE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/broker/broker_disk.h"
#include "model/client/producer.h"
#include "model/client/push_consumer.h"
#include "scenarios/faults/timeline.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/schema/scenario.pb.h"
#include "scenarios/workload/producer_workload.h"
#include "scenarios/workload/scenario_listener.h"
#include "sim/host/world.h"

namespace groupsim {

// Puts the name servers, brokers, producers and consumers of a scenario on
// hosts of a world, and their starts, the traffic and the timeline on its
// schedule.
//
// The cluster has been up for a while when the scenario begins: name servers
// and brokers start before time zero, at times drawn from the seed, so that the
// phases of their periodic tasks differ from seed to seed as they do in life.
// Producers are connected at time zero as well.
class Stage {
 public:
  // When the world begins, so that the cluster can come up.
  static constexpr Duration kSettling = 60s;

  // `scenario` is complete and valid, and outlives the stage. The world is
  // given with its observers of names registered, and nothing else.
  Stage(const Scenario& scenario, World& world);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // Subjects are known; measures may be registered. Puts the messages and
  // offsets of the past where they belong and schedules everything.
  void Begin();

  const Subjects& subjects() const { return subjects_; }
  const Timeline& timeline() const { return *timeline_; }

  // The consumer's present process; null while none is alive.
  const PushConsumer* consumer(ConsumerIndex index) const;

  struct ProducerSlot {
    Name process;
    std::unique_ptr<ProducerWorkload> workload;
  };
  // In the order of the scenario.
  const std::vector<ProducerSlot>& producers() const { return producers_; }

  // Messages stored before the run, by topic, in the order of the scenario.
  const std::vector<int64_t>& stored_before() const { return stored_before_; }

 private:
  struct ConsumerSlot {
    Host* host = nullptr;
    PushConsumer* process = nullptr;
    Instant start;
  };

  void NameEverything();
  void SetNetwork();
  void AddNameServers();
  void AddBrokers();
  void AddProducers();
  void AddGroups();
  void AddConsumer(const schema::Group& group, const schema::Consumer& consumer,
                   const std::string& process, Instant start,
                   ListenerBehaviour* listener);
  ListenerBehaviour* MakeListener(const schema::Listener& listener);
  void PlanTimeline();
  std::unique_ptr<TimelineAction> MakeAction(const schema::Event& event);
  std::vector<Host*> HostsOf(const schema::Processes& processes) const;
  void StoreThePast();
  void StartCluster();

  Name Intern(absl::string_view text) { return world_.names().Intern(text); }
  Host& FindHost(absl::string_view name) const;
  // Queues of a topic that a list in the scenario's notation means, in the
  // order written; all of them for "".
  std::vector<MessageQueue> QueuesOf(const std::string& topic,
                                     const std::string& queues) const;
  const schema::Topic& TopicOf(const std::string& name) const;
  Duration Earlier(Name process, Duration earliest, Duration latest) const;

  const Scenario& scenario_;
  World& world_;
  Subjects subjects_;
  std::vector<Name> name_server_addresses_;
  std::vector<Host*> name_servers_;
  std::vector<Host*> brokers_;
  std::deque<BrokerDisk> disks_;  // As brokers_.
  std::vector<ProducerSlot> producers_;
  std::vector<Host*> producer_hosts_;
  std::vector<ConsumerSlot> consumers_;  // By ConsumerIndex.
  absl::flat_hash_map<std::string, std::vector<Host*>> group_hosts_;
  std::vector<std::unique_ptr<ScenarioListener>> listeners_;
  std::shared_ptr<const AllocationStrategy> averagely_;
  std::unique_ptr<Timeline> timeline_;
  std::vector<int64_t> stored_before_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_STAGE_H_
