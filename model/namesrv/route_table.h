// The tables of a name server (RouteInfoManager, 5.3.3). Decides; does nothing
// but answer.
#ifndef GROUPSIM_MODEL_NAMESRV_ROUTE_TABLE_H_
#define GROUPSIM_MODEL_NAMESRV_ROUTE_TABLE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/runtime/transport.h"
#include "model/wire/command.h"
#include "model/wire/route.h"

namespace groupsim {

// What came of a registration.
enum class RegisterOutcome {
  kRegistered,
  // The broker id belongs to another address, whose tables are newer: ignored,
  // but answered with success.
  kIgnored,
  // One topic only from a broker id that is not known: refused. A broker
  // registers one topic by itself only when it changed, and must have
  // registered all before.
  kRefused,
};

// One broker to be taken out.
struct Unregistration {
  Name cluster;
  Name address;
  Name broker;
  int64_t broker_id = kMasterId;

  friend bool operator==(const Unregistration&,
                         const Unregistration&) = default;
};

class RouteTable {
 public:
  // Takes `request`, which came on `channel`, into the tables
  // (registerBroker).
  RegisterOutcome Register(const RegisterBrokerRequest& request,
                           ConnectionId channel, int64_t wall_millis,
                           Duration default_timeout);

  // Takes several brokers out at once. True for those that were there
  // (unRegisterBroker).
  std::vector<bool> Unregister(const std::vector<Unregistration>& batch);

  // Registrations older than their time-out, in order of cluster and address
  // (scanNotActiveBroker). They stay until they are unregistered.
  struct Silent {
    Unregistration broker;
    ConnectionId channel;
  };
  std::vector<Silent> FindSilent(int64_t wall_millis) const;

  // The broker whose last registration came on `channel`
  // (onChannelDestroy).
  std::optional<Unregistration> FindByChannel(ConnectionId channel) const;

  // Queues and brokers of a topic, in order of broker name; null where there is
  // no queue or no broker of it (pickupTopicRouteData). The same object until
  // something changes.
  TopicRoutePtr Route(Name topic) const;

 private:
  struct LiveKey {
    Name cluster;
    Name address;
    friend auto operator<=>(const LiveKey&, const LiveKey&) = default;
  };
  struct Live {
    int64_t last_update = 0;  // Wall milliseconds.
    int64_t timeout = 0;      // Milliseconds.
    DataVersion data_version;
    ConnectionId channel = 0;
    Name broker;
    int64_t broker_id = kMasterId;
  };
  struct Topic {
    absl::btree_map<Name, QueueData> queues;  // By broker name.
    mutable TopicRoutePtr route;              // As of route_version.
    mutable uint64_t route_version = 0;
  };

  void StoreTopics(const RegisterBrokerRequest& request, bool all);
  bool UnregisterOne(const Unregistration& broker, std::vector<Name>* gone);
  void DropTopicsOf(const std::vector<Name>& brokers);

  absl::btree_map<Name, BrokerData> brokers_;
  absl::btree_map<Name, Topic> topics_;
  absl::btree_map<LiveKey, Live> live_;
  uint64_t version_ = 1;  // Of all routes together.
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_NAMESRV_ROUTE_TABLE_H_
