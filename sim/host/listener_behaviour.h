// What message listeners do, as a scenario says it.
#ifndef GROUPSIM_SIM_HOST_LISTENER_BEHAVIOUR_H_
#define GROUPSIM_SIM_HOST_LISTENER_BEHAVIOUR_H_

#include <optional>

#include "model/base/time.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/random.h"

namespace groupsim {

// How one call of a listener goes.
struct ListenerPlan {
  Duration service_time;  // From the call to its end; not negative.
  bool hangs = false;     // The call never ends.
  ListenerResult result;  // What it answers at its end.
  // What it answers if it is interrupted, at once; none if it does not care.
  std::optional<ListenerResult> when_interrupted = {};
};

// The user code of one consumer, or of several that behave alike.
class ListenerBehaviour {
 public:
  virtual ~ListenerBehaviour() = default;

  // Decides how a call goes, at its beginning. Draws come from `draws`, which
  // is the stream of the consumer that calls.
  virtual ListenerPlan Plan(const ListenerCall& call, RandomStream& draws) = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_LISTENER_BEHAVIOUR_H_
