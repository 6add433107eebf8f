// What administrators and bad days do to brokers: queues, permissions, slow
// machines, lost notices.
#ifndef GROUPSIM_SCENARIOS_FAULTS_CLUSTER_ACTIONS_H_
#define GROUPSIM_SCENARIOS_FAULTS_CLUSTER_ACTIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/base/name.h"
#include "model/broker/disturbance.h"
#include "model/broker/offset_admin.h"
#include "model/wire/route.h"
#include "scenarios/faults/action.h"
#include "scenarios/faults/cast.h"
#include "scenarios/schema/cluster.pb.h"
#include "scenarios/schema/timeline.pb.h"
#include "sim/random/distribution.h"

namespace groupsim {

// The action of an event if it is one of this room, else null.
std::unique_ptr<TimelineAction> MakeClusterAction(const schema::Event& event,
                                                  Cast& cast);

// As bits (PermName).
int32_t PermissionBits(schema::Permission permission);

// Changes a topic on some brokers, as mqadmin updateTopic does. Hits brokers
// that run and for which it is a change; one that does not run cannot be told.
class ChangeTopicAction final : public TimelineAction {
 public:
  struct Plan {
    Name topic;
    std::vector<Cast::BrokerPart*> brokers;
    // So many queues more; or so many queues, unless -1.
    int32_t add = 0;
    int32_t read_to = -1;
    int32_t write_to = -1;
    int32_t perm = -1;  // -1 leaves it.
  };
  explicit ChangeTopicAction(Plan plan);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  // The topic as it is to be; nothing if it is so already.
  std::optional<TopicConfig> Changed(const Cast::BrokerPart& part) const;

  const Plan plan_;
};

// Changes what whole brokers allow (brokerPermission). Hits brokers that run
// and allow something else.
class ChangeBrokerPermissionAction final : public TimelineAction {
 public:
  ChangeBrokerPermissionAction(std::vector<Cast::BrokerPart*> brokers,
                               int32_t perm);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const std::vector<Cast::BrokerPart*> brokers_;
  const int32_t perm_;
};

// Requests take a time at brokers. Hits those that run.
class SlowBrokerAction final : public TimelineAction, private ServiceTime {
 public:
  // `time` in nanoseconds.
  SlowBrokerAction(std::vector<Cast::BrokerPart*> brokers, Distribution time);
  std::string Describe() const override;
  int64_t Apply() override;
  void Undo() override;

 private:
  Duration Draw(RandomStream& draws) override;

  const std::vector<Cast::BrokerPart*> brokers_;
  const Distribution time_;
};

// Brokers forget all locks of queues, as a restart makes them do. Hits those
// that run and knew of some.
class WipeLocksAction final : public TimelineAction {
 public:
  explicit WipeLocksAction(std::vector<Cast::BrokerPart*> brokers);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const std::vector<Cast::BrokerPart*> brokers_;
};

// An administrator resets the offsets of a group. Hits queues that get another
// place to go on from, on brokers that run.
class ResetOffsetAction final : public TimelineAction {
 public:
  // A broker, and the offsets that are reset there.
  struct Part {
    Cast::BrokerPart* broker = nullptr;
    OffsetAdmin::Target target;
  };
  explicit ResetOffsetAction(std::vector<Part> parts);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const std::vector<Part> parts_;
};

// An administrator copies the offsets of one group to another. Hits queues of
// which the first has one, on brokers that run.
class CloneOffsetsAction final : public TimelineAction {
 public:
  CloneOffsetsAction(std::vector<Cast::BrokerPart*> brokers,
                     const OffsetAdmin::Copying& copying);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const std::vector<Cast::BrokerPart*> brokers_;
  const OffsetAdmin::Copying copying_;
};

// An administrator has old files deleted. Hits files that are old enough, on
// brokers that run.
class DeleteExpiredFilesAction final : public TimelineAction {
 public:
  explicit DeleteExpiredFilesAction(std::vector<Cast::BrokerPart*> brokers);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const std::vector<Cast::BrokerPart*> brokers_;
};

// Brokers do not do something for a group: notices of changed members that they
// send get lost, or offsets are not stored. Hits brokers that run.
class GroupOrderAction final : public TimelineAction {
 public:
  enum class What { kLoseNotices, kRefuseCommits };

  // An empty group stands for all.
  GroupOrderAction(What what, std::vector<Cast::BrokerPart*> brokers,
                   Name group);
  std::string Describe() const override;
  int64_t Apply() override;
  void Undo() override;

 private:
  GroupOrders& OrdersOf(Cast::BrokerPart& part) const;

  const What what_;
  const std::vector<Cast::BrokerPart*> brokers_;
  const Name group_;
  bool begun_ = false;
};

// Name servers go on answering with the routes of now. Hits those that run.
class StaleRouteAction final : public TimelineAction {
 public:
  explicit StaleRouteAction(std::vector<Cast::NameServerPart*> name_servers);
  std::string Describe() const override;
  int64_t Apply() override;
  void Undo() override;

 private:
  const std::vector<Cast::NameServerPart*> name_servers_;
  // Those frozen now, each in one of its lives.
  std::vector<std::pair<Cast::NameServerPart*, int64_t>> frozen_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_CLUSTER_ACTIONS_H_
