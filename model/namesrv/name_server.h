// The name server as a process (NamesrvController, DefaultRequestProcessor,
// ClientRequestProcessor, BatchUnregistrationService, 5.3.3).
//
// Brokers register with every name server, clients ask one of them; name
// servers know nothing of each other and keep nothing on disk.
#ifndef GROUPSIM_MODEL_NAMESRV_NAME_SERVER_H_
#define GROUPSIM_MODEL_NAMESRV_NAME_SERVER_H_

#include <optional>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/namesrv/route_table.h"
#include "model/namesrv/settings.h"
#include "model/runtime/env.h"
#include "model/runtime/process.h"
#include "model/runtime/remoting.h"
#include "model/runtime/timer.h"
#include "model/wire/command.h"

namespace groupsim {

struct NameServerConfig {
  Name address;  // Where it listens.
  NameServerSettings settings;
  NameServerProfile profile = kNameServerRocketMq53;
};

class NameServer final : public Process,
                         private RequestHandler,
                         private ChannelListener {
 public:
  NameServer(Env& env, const NameServerConfig& config);
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  void Start() override;
  void Shutdown() override;

  // Answers with the routes of now, whatever registers and goes meanwhile,
  // until it was thawed as often: a fault to try, not upstream's.
  void FreezeRoutes() {
    if (freezes_++ == 0) frozen_ = table_;
  }
  void ThawRoutes() {
    if (freezes_ > 0 && --freezes_ == 0) frozen_.reset();
  }

 private:
  struct Pending {
    Unregistration broker;
    BrokerRemovalCause cause;
  };

  void OnRequest(Request request, Responder responder) override;
  void OnConnectionClosed(ConnectionId id, CloseReason reason) override;

  Reply Register(RegisterBrokerRequest request, ConnectionId channel);
  Reply Unregister(const UnregisterBrokerRequest& request);
  Reply Route(const GetRouteInfoRequest& request) const;
  // False when too many wait. Carries it out at once where they are not
  // gathered.
  bool Enqueue(const Unregistration& broker, BrokerRemovalCause cause);
  void RemovePending();
  void ScanNotActive();

  Env& env_;
  const NameServerConfig config_;
  Remoting remoting_;
  RouteTable table_;
  std::optional<RouteTable> frozen_;  // What it answers with instead.
  int freezes_ = 0;
  std::vector<Pending> pending_;  // Unregistrations not yet carried out.
  Instant started_;
  Timer scan_;
  Timer removal_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_NAMESRV_NAME_SERVER_H_
