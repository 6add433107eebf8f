// Where the brokers are, as a client knows from its routes.
#ifndef GROUPSIM_MODEL_CLIENT_BROKER_ADDRESSES_H_
#define GROUPSIM_MODEL_CLIENT_BROKER_ADDRESSES_H_

#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "model/base/name.h"

namespace groupsim {

// MQClientInstance.brokerAddrTable: addresses by broker name and broker id.
class BrokerAddresses {
 public:
  // An address and whose it is. Empty if there is none.
  struct Found {
    Name address;
    bool slave = false;
    bool empty() const { return address.empty(); }
  };

  // Replaces what is known of `broker`.
  void Put(Name broker, const absl::btree_map<int64_t, Name>& addresses);

  // The address of `broker_id`; failing that, of the slave with the next id if
  // a slave is wanted; failing that, any (findBrokerAddressInSubscribe with
  // onlyThisBroker = false).
  Found FindAny(Name broker, int64_t broker_id) const;
  // The master's, or empty (findBrokerAddressInPublish).
  Name FindMaster(Name broker) const;
  // The broker at an address; empty if it is none's.
  Name BrokerAt(Name address) const;

  // All addresses, or the masters' only: brokers in the order in which the
  // original walks them, each with its ids in order.
  std::vector<Name> All(bool masters_only) const;

  // Forgets each address that `mentioned` denies, and brokers without any
  // (cleanOfflineBroker).
  void RemoveUnless(absl::FunctionRef<bool(Name)> mentioned);

  bool empty() const { return brokers_.empty(); }

  // Changes whenever an answer may change.
  uint64_t version() const { return version_; }

 private:
  absl::flat_hash_map<Name, absl::btree_map<int64_t, Name>> by_broker_;
  std::vector<Name> brokers_;  // Keys of by_broker_, as walked.
  uint64_t version_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_BROKER_ADDRESSES_H_
