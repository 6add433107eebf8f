// What a consumer or producer shares with nobody else: connections, routes,
// heartbeats, scheduled jobs.
#ifndef GROUPSIM_MODEL_CLIENT_CLIENT_INSTANCE_H_
#define GROUPSIM_MODEL_CLIENT_CLIENT_INSTANCE_H_

#include <deque>
#include <optional>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/client_member.h"
#include "model/client/heartbeat_service.h"
#include "model/client/rebalance_service.h"
#include "model/client/route_service.h"
#include "model/client/settings.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"

namespace groupsim {

// MQClientInstance, 5.3.3. Since 4.9.0 each consumer and each producer of a
// process has one of its own, unless the application gives them one name; here
// an instance serves one consumer or one producer, and, as upstream's, the
// producer CLIENT_INNER_PRODUCER.
//
// Its threads are lanes: the scheduler, on which route refreshes, heartbeats
// and offset persistence wait for each other, and the one of channel events.
// The rebalance loop is a third.
class ClientInstance final : private RequestHandler, private ChannelListener {
 public:
  struct Config {
    Name client_id;
    std::vector<Name> name_servers;  // At least one address.
    ClientSettings settings;
    ClientProfile profile;
  };

  // Its construction is what the first rebalance is counted from. `env` must
  // outlive it.
  ClientInstance(Env& env, Config config);
  ClientInstance(const ClientInstance&) = delete;
  ClientInstance& operator=(const ClientInstance&) = delete;

  // Whom it serves: one of the two, before Start. Both must outlive it.
  void ServeConsumer(ConsumerMember& consumer);
  void ServeProducer(ClientMember& producer, Name producer_group);

  // Schedules the jobs and starts the rebalance loop (start).
  void Start();
  // The same with the time that it takes in a consumer, up to its first request
  // of its own.
  Task<void> StartUp();

  // The consumer or producer is not served any more; says so to every broker,
  // one after the other (unregisterConsumer, unregisterProducer).
  Task<void> Unregister();

  // Takes the inner producer off the brokers and stops everything (shutdown).
  // Afterwards calls end at once, as closed.
  Task<void> Shutdown();

  // Rebalances as soon as the pace allows (rebalanceImmediately).
  void WakeRebalance() { rebalance_.Wake(); }
  // The same after `delay`, and when the scheduler is free; each call does
  // (rebalanceLater).
  void WakeRebalanceLater(Duration delay);

  const Config& config() const { return config_; }
  // The group of the producer inside it.
  Name inner_producer() const { return inner_producer_; }
  Remoting& remoting() { return remoting_; }
  BrokerAddresses& brokers() { return brokers_; }
  RouteService& routes() { return routes_; }
  HeartbeatService& heartbeats() { return heartbeats_; }

 private:
  void OnRequest(Request request, Responder responder) override;
  void OnChannelActive(Name address) override;

  void OnLater();
  Task<void> RefreshRoutes();
  Task<void> CleanAndHeartbeat();
  Task<void> PersistOffsets();
  Task<void> HeartbeatTo(Name address);
  Task<void> UnregisterAtAll(Name producer_group, Name consumer_group);

  Env& env_;
  const Config config_;
  const Name inner_producer_;
  ConsumerMember* consumer_ = nullptr;
  Name producer_group_;

  Remoting remoting_;
  BrokerAddresses brokers_;
  RouteService routes_;
  HeartbeatService heartbeats_;
  RebalanceService rebalance_;
  Lane scheduler_;       // MQClientFactoryScheduledThread
  Lane channel_events_;  // NettyEventExecutor
  std::optional<FixedRateJob> refresh_routes_;
  std::optional<FixedRateJob> heartbeat_;
  std::optional<FixedRateJob> persist_offsets_;
  std::deque<Instant> later_;  // When to wake the rebalance, in order.
  Timer rebalance_later_;      // At the first of them.
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CLIENT_INSTANCE_H_
