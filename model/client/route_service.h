// Keeps the routes of a client.
#ifndef GROUPSIM_MODEL_CLIENT_ROUTE_SERVICE_H_
#define GROUPSIM_MODEL_CLIENT_ROUTE_SERVICE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/btree_set.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/client_member.h"
#include "model/client/name_server_choice.h"
#include "model/client/topic_routes.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/route.h"

namespace groupsim {

// How one refresh of a topic's route ended.
enum class RouteRefresh {
  kChanged,    // Another route, or one that was needed.
  kUnchanged,  // The same one; or none was given; or others are refreshing.
  kTransportFailed,  // No answer; an exception upstream.
};

// MQClientInstance.updateTopicRouteInfoFromNameServer and the job that calls it
// for all topics, 5.3.3. One topic is refreshed at a time; others wait their
// turn for lock_namesrv_timeout at most.
class RouteService {
 public:
  struct Config {
    std::vector<Name> name_servers;  // At least one.
    Duration call_timeout;           // mq_client_api_timeout
    Duration lock_timeout;           // lock_namesrv_timeout
    bool one_name_server_a_call;     // As in ClientProfile.
  };

  // `env`, `remoting` and `brokers` must outlive it.
  RouteService(Env& env, Config config, Remoting& remoting,
               BrokerAddresses& brokers);

  // Whom routes are for; null for nobody any more.
  void SetMember(ClientMember* member) { member_ = member; }

  // Asks a name server for the route of one topic.
  Task<RouteRefresh> Refresh(Name topic);
  // Asks for the route of the template topic TBW102, and takes it for that of
  // `topic`, with at most so many queues on each broker (isDefault = true).
  Task<RouteRefresh> RefreshFromTemplate(Name topic, int32_t most_queues);
  // Refreshes all topics of the member, one after the other; the first one
  // without an answer ends the round.
  Task<void> RefreshAll();
  // Forgets addresses of brokers that no route has (cleanOfflineBroker).
  Task<void> ForgetOfflineBrokers();

  const TopicRoutes& routes() const { return routes_; }

 private:
  // The server to ask next; the same, with a connection, or empty.
  Name NextServer();
  Task<Name> ConnectToServer();
  // `asked` is the topic whose route is asked for.
  Task<RouteRefresh> Ask(Name asked, Name topic, int32_t most_queues);
  RouteRefresh Apply(Name topic, const TopicRoutePtr& route);
  // Whether the producer inside every client has had no queues of the topic so
  // far (InnerProducer): to it every topic of the client is one to send to.
  bool InnerProducerNeeds(Name topic) const {
    return !publishable_.contains(topic);
  }

  Env& env_;
  const Config config_;
  Remoting& remoting_;
  BrokerAddresses& brokers_;
  ClientMember* member_ = nullptr;
  NameServerChoice name_server_;
  TopicRoutes routes_;
  absl::btree_set<Name> publishable_;
  Mutex lock_;  // lockNamesrv
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_ROUTE_SERVICE_H_
