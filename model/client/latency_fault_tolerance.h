// Which brokers a producer would rather not send to, and until when.
#ifndef GROUPSIM_MODEL_CLIENT_LATENCY_FAULT_TOLERANCE_H_
#define GROUPSIM_MODEL_CLIENT_LATENCY_FAULT_TOLERANCE_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/base/name.h"

namespace groupsim {

// LatencyFaultToleranceImpl (5.3.3) without the thread that probes. Times are
// milliseconds of the wall clock, as upstream's: a clock that is set back makes
// an isolation longer.
class LatencyFaultTolerance {
 public:
  // What is known of one broker (FaultItem).
  struct Item {
    int64_t latency_millis = 0;     // Of the last send.
    int64_t available_millis = 0;   // From then on it may be chosen.
    bool reachable = true;          // As the last send, or a probe, found it.
    int64_t next_probe_millis = 0;  // checkStamp
  };

  // Notes how a send to the broker went. An isolation is never made shorter by
  // a later send. Returns whether one begins, or ends later than before
  // (updateFaultItem).
  bool Update(Name broker, int64_t latency_millis, int64_t not_available_millis,
              bool reachable, int64_t now_millis);

  // Whether its isolation is over; true for brokers that are not listed.
  bool IsAvailable(Name broker, int64_t now_millis) const;
  // Whether it could be reached; true for brokers that are not listed.
  bool IsReachable(Name broker) const;

  // The listed brokers whose turn to be probed it is, in the order in which the
  // original walks them; their next turn is `interval_millis` from now
  // (detectByOneRound).
  std::vector<Name> TakeProbes(int64_t now_millis, int64_t interval_millis);
  // A probe was answered.
  void SetReachable(Name broker);
  // Forgets a broker.
  void Remove(Name broker) { items_.erase(broker); }

  // Null for brokers that are not listed.
  const Item* Find(Name broker) const;

 private:
  absl::flat_hash_map<Name, Item> items_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_LATENCY_FAULT_TOLERANCE_H_
