// What goes wrong within hosts: processes and threads that stand still, clocks
// that are wrong.
#ifndef GROUPSIM_SCENARIOS_FAULTS_HOST_ACTIONS_H_
#define GROUPSIM_SCENARIOS_FAULTS_HOST_ACTIONS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "scenarios/faults/action.h"
#include "scenarios/faults/cast.h"
#include "scenarios/schema/timeline.pb.h"
#include "sim/host/host.h"

namespace groupsim {

// The action of an event if it is one of this room, else null.
std::unique_ptr<TimelineAction> MakeHostAction(const schema::Event& event,
                                               Cast& cast);

// Freezes processes, or one thread of each; an empty lane is the whole process.
// Hits those that run and are not frozen yet.
class PauseAction final : public TimelineAction {
 public:
  PauseAction(ProcessSet processes, absl::string_view lane);
  std::string Describe() const override;
  int64_t Apply() override;
  void Undo() override;

 private:
  const ProcessSet processes_;
  const std::string lane_;
  // Hit since the last Undo, and which of their processes that was last.
  absl::flat_hash_map<const Host*, int> paused_;
};

// Ends pauses, of processes or of one thread of each. Hits those that are
// frozen.
class ResumeAction final : public TimelineAction {
 public:
  ResumeAction(ProcessSet processes, absl::string_view lane);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const ProcessSet processes_;
  const std::string lane_;
};

// Makes wall clocks wrong by a constant. Hits those that are not wrong by just
// that; hosts whose processes do not run have clocks too.
class ClockSkewAction final : public TimelineAction {
 public:
  // Negative if behind.
  ClockSkewAction(ProcessSet processes, Duration ahead);
  std::string Describe() const override;
  int64_t Apply() override;
  void Undo() override;

 private:
  const ProcessSet processes_;
  const Duration ahead_;
  // By how much whose clock was moved since the last Undo, in all.
  absl::flat_hash_map<const Host*, Duration> moved_;
};

// Makes wall clocks leap.
class ClockJumpAction final : public TimelineAction {
 public:
  // Negative for a leap back.
  ClockJumpAction(ProcessSet processes, Duration by);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const ProcessSet processes_;
  const Duration by_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_HOST_ACTIONS_H_
