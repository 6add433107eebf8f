// What clients do with messages: rates, listeners, suspended consumers.
#ifndef GROUPSIM_SCENARIOS_FAULTS_TRAFFIC_ACTIONS_H_
#define GROUPSIM_SCENARIOS_FAULTS_TRAFFIC_ACTIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/faults/action.h"
#include "scenarios/faults/cast.h"
#include "scenarios/schema/producer.pb.h"
#include "scenarios/schema/timeline.pb.h"
#include "scenarios/workload/scenario_listener.h"

namespace groupsim {

// The action of an event if it is one of this room, else null.
std::unique_ptr<TimelineAction> MakeTrafficAction(const schema::Event& event,
                                                  Cast& cast);

// From now on messages arrive at another rate. Hits producers whose arrivals
// are not over.
class ChangeRateAction final : public TimelineAction {
 public:
  ChangeRateAction(const schema::ChangeRate& change, Cast& cast);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  std::vector<Cast::ProducerPart*> producers_;
  const schema::Rate rate_;
};

// Calls of listeners that begin from now on go by another description. Hits
// consumers that run; others go by it as well once they start.
class ChangeListenerAction final : public TimelineAction {
 public:
  ChangeListenerAction(const schema::ChangeListener& change, Cast& cast);
  std::string Describe() const override;
  int64_t Apply() override;
  void Undo() override;

 private:
  std::vector<Cast::ConsumerPart*> consumers_;
  std::unique_ptr<ScenarioListener> listener_;
  std::string text_;
};

// Applications subscribe to topics or end subscriptions. Hits consumers that
// run and for which it is a change.
class ChangeSubscriptionAction final : public TimelineAction {
 public:
  ChangeSubscriptionAction(const schema::ChangeSubscription& change,
                           Cast& cast);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  bool Changes(const PushConsumer& consumer) const;

  std::vector<Cast::ConsumerPart*> consumers_;
  struct Subscription {
    Name topic;
    std::string expression;
  };
  std::vector<Subscription> subscribe_;
  std::vector<Name> unsubscribe_;
};

// The application suspends consumers that run, or lets suspended ones go on. A
// consumer that is started again is not suspended.
class SuspendAction final : public TimelineAction {
 public:
  enum class Kind { kSuspend, kResume };
  SuspendAction(Kind kind, std::vector<Cast::ConsumerPart*> consumers);
  std::string Describe() const override;
  int64_t Apply() override;
  void Undo() override;

 private:
  int64_t Set(bool suspended);

  const Kind kind_;
  const std::vector<Cast::ConsumerPart*> consumers_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_TRAFFIC_ACTIONS_H_
