// Processes that start, end, and come back.
#ifndef GROUPSIM_SCENARIOS_FAULTS_PROCESS_ACTIONS_H_
#define GROUPSIM_SCENARIOS_FAULTS_PROCESS_ACTIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "scenarios/faults/action.h"
#include "scenarios/faults/cast.h"
#include "scenarios/schema/timeline.pb.h"
#include "sim/host/host.h"
#include "sim/host/world.h"

namespace groupsim {

// The action of an event if it is one of this room, else null.
std::unique_ptr<TimelineAction> MakeProcessAction(const schema::Event& event,
                                                  Cast& cast);

// Whether it can be asked to end: alive, and not in its shutdown.
bool Runs(const Host& host);
// Ends a process in a manner; nothing where it cannot be.
void End(Host& host, schema::Stop manner);
// Starts a consumer, after the end of a shutdown that is under way; not where
// its block has become too small for it by then.
void StartOnceDown(const Cast::ConsumerPart& consumer);

// Starts the processes that do not run.
class StartAction final : public TimelineAction {
 public:
  explicit StartAction(ProcessSet processes);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const ProcessSet processes_;
};

// Ends processes: by a graceful shutdown, by their death (their sockets close),
// or by that of their hosts (nobody is told).
class EndAction final : public TimelineAction {
 public:
  EndAction(ProcessSet processes, schema::Stop manner);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const ProcessSet processes_;
  const schema::Stop manner_;
};

// Ends processes all at once, and starts each a while after it is down. One
// that does not run is only started. What is scaled away meanwhile stays away.
class RestartAction final : public TimelineAction {
 public:
  RestartAction(World& world, ProcessSet processes, schema::Stop manner,
                Duration down_for);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  World& world_;
  const ProcessSet processes_;
  const schema::Stop manner_;
  const Duration down_for_;
};

// Stops processes and starts them again, some at a time, until all had their
// turn. A process that does not run when its turn comes is only started. What
// is scaled away meanwhile has no turn, or stays away after it.
class RollingRestartAction final : public TimelineAction {
 public:
  struct Plan {
    schema::Stop manner = schema::GRACEFUL;
    Duration down_for;  // From the end of a process to its next start.
    Duration pause;     // From that start to the stop of the next.
    size_t at_a_time = 1;
  };
  // The world must end before this does.
  RollingRestartAction(World& world, ProcessSet processes, const Plan& plan);
  std::string Describe() const override;
  // Hits nothing while an earlier one is under way.
  int64_t Apply() override;

 private:
  void StopBatch();
  void StartBatch();
  bool under_way() const { return next_ < members_.size() || !batch_.empty(); }

  World& world_;
  const ProcessSet processes_;
  const Plan plan_;
  std::vector<ProcessSet::Member> members_;  // Of the one under way.
  size_t next_ = 0;  // The first of them that had no turn yet.
  std::vector<ProcessSet::Member> batch_;  // Those whose turn it is.
  size_t stopping_ = 0;                    // Of these, those that still live.
};

// Makes a block of consumers larger or smaller: its first `to` are to run. They
// start in order; those that are too many end from the last one on.
class ScaleAction final : public TimelineAction {
 public:
  struct Plan {
    std::string block;
    size_t to = 0;
    schema::Stop manner = schema::GRACEFUL;
    Duration stagger;  // From one start or end to the next.
  };
  ScaleAction(Cast& cast, Plan plan);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  World& world_;
  const std::vector<Cast::ConsumerPart*> block_;
  const Plan plan_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_PROCESS_ACTIONS_H_
