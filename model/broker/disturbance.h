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

// Orders about groups, each of one group or, with an empty name, of all; one
// group may be ordered several times.
class GroupOrders {
 public:
  void Begin(Name group) { groups_.push_back(group); }
  // Ends one such order.
  void End(Name group) {
    const auto found = std::find(groups_.begin(), groups_.end(), group);
    if (found != groups_.end()) groups_.erase(found);
  }
  bool Concern(Name group) const {
    return std::any_of(groups_.begin(), groups_.end(), [group](Name ordered) {
      return ordered.empty() || ordered == group;
    });
  }

 private:
  std::vector<Name> groups_;
};

// Nothing, at first. Belongs to the machine: it may change while the broker
// runs, and a restart of the broker changes nothing.
class BrokerDisturbance {
 public:
  // Every request keeps a thread of its executor for such a time; null for
  // none. `time` must outlive its use.
  void SetServiceTime(ServiceTime* time) { service_time_ = time; }
  ServiceTime* service_time() const { return service_time_; }

  // Whose NOTIFY_CONSUMER_IDS_CHANGED is written and gets lost.
  GroupOrders& lost_notices() { return lost_notices_; }
  const GroupOrders& lost_notices() const { return lost_notices_; }
  // Whose offsets are not stored: UPDATE_CONSUMER_OFFSET is answered with
  // SYSTEM_ERROR, what comes with a pull is passed over.
  GroupOrders& refused_commits() { return refused_commits_; }
  const GroupOrders& refused_commits() const { return refused_commits_; }

 private:
  ServiceTime* service_time_ = nullptr;
  GroupOrders lost_notices_;
  GroupOrders refused_commits_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_DISTURBANCE_H_
