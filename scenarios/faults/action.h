// What a timeline can do to a world.
//
// To add an action: write a small class of this kind in the room that it
// belongs to (process_actions.h, traffic_actions.h, cluster_actions.h, ...), a
// case in the room's function Make...Action that makes it from the scenario's
// words, and, for a new room, a line in make_action.cc. What the action needs
// of the processes it finds in the Cast. Then take the mark `not_yet` off its
// field in timeline.proto. A field `lasts` of its message needs nothing but an
// Undo here.
#ifndef GROUPSIM_SCENARIOS_FAULTS_ACTION_H_
#define GROUPSIM_SCENARIOS_FAULTS_ACTION_H_

#include <cstdint>
#include <string>

namespace groupsim {

// One action of the timeline. It runs in turns that belong to no process, and
// may refer to the world and the Cast, which outlive every turn.
class TimelineAction {
 public:
  virtual ~TimelineAction() = default;

  // In the scenario's words: "crash pod-3".
  virtual std::string Describe() const = 0;

  // Does it, or begins it; may be called again and again. Returns how much it
  // hits: how many processes, or whatever else it is about, are in a state in
  // which it means something. 0 is an action that tested nothing.
  virtual int64_t Apply() = 0;

  // Ends what Apply began since the last Undo, where the scenario says how long
  // that lasts: also what an earlier Apply began and the last one only found to
  // be so already.
  virtual void Undo() {}
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_ACTION_H_
