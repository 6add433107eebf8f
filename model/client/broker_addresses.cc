#include "model/client/broker_addresses.h"

#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/functional/function_ref.h"
#include "model/base/name.h"
#include "model/client/java_order.h"
#include "model/wire/route.h"

namespace groupsim {

void BrokerAddresses::Put(Name broker,
                          const absl::btree_map<int64_t, Name>& addresses) {
  ++version_;
  const bool is_new = by_broker_.insert_or_assign(broker, addresses).second;
  if (!is_new) return;
  brokers_.push_back(broker);
  SortAsWalked(JavaTable::kConcurrentHashMap, brokers_);
}

BrokerAddresses::Found BrokerAddresses::FindAny(Name broker,
                                                int64_t broker_id) const {
  const auto it = by_broker_.find(broker);
  if (it == by_broker_.end() || it->second.empty()) return {};
  const absl::btree_map<int64_t, Name>& addresses = it->second;
  auto found = addresses.find(broker_id);
  if (found == addresses.end() && broker_id != kMasterId) {
    found = addresses.find(broker_id + 1);
  }
  if (found == addresses.end()) found = addresses.begin();
  return {found->second, found->first != kMasterId};
}

Name BrokerAddresses::FindMaster(Name broker) const {
  const auto it = by_broker_.find(broker);
  if (it == by_broker_.end()) return Name();
  const auto master = it->second.find(kMasterId);
  return master == it->second.end() ? Name() : master->second;
}

Name BrokerAddresses::BrokerAt(Name address) const {
  for (Name broker : brokers_) {
    for (const auto& [id, its_address] : by_broker_.at(broker)) {
      if (its_address == address) return broker;
    }
  }
  return Name();
}

std::vector<Name> BrokerAddresses::All(bool masters_only) const {
  std::vector<Name> all;
  for (Name broker : brokers_) {
    for (const auto& [id, address] : by_broker_.at(broker)) {
      if (masters_only && id != kMasterId) continue;
      all.push_back(address);
    }
  }
  return all;
}

void BrokerAddresses::RemoveUnless(absl::FunctionRef<bool(Name)> mentioned) {
  std::vector<Name> kept;
  for (Name broker : brokers_) {
    absl::btree_map<int64_t, Name>& addresses = by_broker_.at(broker);
    for (auto it = addresses.begin(); it != addresses.end();) {
      it = mentioned(it->second) ? std::next(it) : addresses.erase(it);
    }
    if (addresses.empty()) {
      by_broker_.erase(broker);
    } else {
      kept.push_back(broker);
    }
  }
  brokers_ = kept;
  ++version_;
}

}  // namespace groupsim
