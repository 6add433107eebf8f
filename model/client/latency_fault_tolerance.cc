#include "model/client/latency_fault_tolerance.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/base/name.h"
#include "model/client/java_order.h"

namespace groupsim {

bool LatencyFaultTolerance::Update(Name broker, int64_t latency_millis,
                                   int64_t not_available_millis, bool reachable,
                                   int64_t now_millis) {
  Item& item = items_[broker];
  item.latency_millis = latency_millis;
  item.reachable = reachable;
  const int64_t available = now_millis + not_available_millis;
  if (not_available_millis <= 0 || available <= item.available_millis) {
    return false;
  }
  item.available_millis = available;
  return true;
}

bool LatencyFaultTolerance::IsAvailable(Name broker, int64_t now_millis) const {
  const Item* item = Find(broker);
  return item == nullptr || now_millis >= item->available_millis;
}

bool LatencyFaultTolerance::IsReachable(Name broker) const {
  const Item* item = Find(broker);
  return item == nullptr || item->reachable;
}

std::vector<Name> LatencyFaultTolerance::TakeProbes(int64_t now_millis,
                                                    int64_t interval_millis) {
  std::vector<Name> due;
  // lint: allow(those that are due are sorted below)
  for (auto& [broker, item] : items_) {
    if (now_millis < item.next_probe_millis) continue;
    item.next_probe_millis = now_millis + interval_millis;
    due.push_back(broker);
  }
  std::sort(due.begin(), due.end());  // The table's own order is by address.
  SortAsWalked(JavaTable::kConcurrentHashMap, due);
  return due;
}

void LatencyFaultTolerance::SetReachable(Name broker) {
  const auto it = items_.find(broker);
  if (it != items_.end()) it->second.reachable = true;
}

const LatencyFaultTolerance::Item* LatencyFaultTolerance::Find(
    Name broker) const {
  const auto it = items_.find(broker);
  return it == items_.end() ? nullptr : &it->second;
}

}  // namespace groupsim
