// What is wrong with a broker's machine.
#ifndef GROUPSIM_MODEL_BROKER_DISTURBANCE_H_
#define GROUPSIM_MODEL_BROKER_DISTURBANCE_H_

#include <algorithm>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/runtime/random.h"

namespace groupsim {

// How long a machine takes for one request.
class ServiceTime {
 public:
  virtual ~ServiceTime() = default;
  // Not negative.
  virtual Duration Draw(RandomStream& draws) = 0;
};

// Nothing, at first. Belongs to the machine: it may change while the broker
// runs, and a restart of the broker changes nothing.
class BrokerDisturbance {
 public:
  // Every request keeps a thread of its executor for such a time; null for
  // none. `time` must outlive its use.
  void SetServiceTime(ServiceTime* time) { service_time_ = time; }
  ServiceTime* service_time() const { return service_time_; }

  // NOTIFY_CONSUMER_IDS_CHANGED of a group, or with an empty name of all, is
  // written and gets lost.
  void LoseNoticesOf(Name group) { lost_.push_back(group); }
  // Ends one such order.
  void DeliverNoticesOf(Name group) {
    const auto found = std::find(lost_.begin(), lost_.end(), group);
    if (found != lost_.end()) lost_.erase(found);
  }
  bool LosesNoticesOf(Name group) const {
    return std::any_of(lost_.begin(), lost_.end(), [group](Name lost) {
      return lost.empty() || lost == group;
    });
  }

 private:
  ServiceTime* service_time_ = nullptr;
  std::vector<Name> lost_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_DISTURBANCE_H_
