#include "model/client/route_service.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/topic_routes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"
#include "model/wire/route.h"

namespace groupsim {
namespace {

// The route with at most so many queues on each broker.
TopicRoutePtr WithAtMost(int32_t most_queues, TopicRoute route) {
  for (QueueData& data : route.queues) {
    data.read_queue_nums = std::min(data.read_queue_nums, most_queues);
    data.write_queue_nums = data.read_queue_nums;
  }
  return std::make_shared<const TopicRoute>(std::move(route));
}

}  // namespace

RouteService::RouteService(Env& env, Config config, Remoting& remoting,
                           BrokerAddresses& brokers)
    : env_(env),
      config_(std::move(config)),
      remoting_(remoting),
      brokers_(brokers),
      name_server_(config_.name_servers, *env.Random("name-server")),
      lock_(env) {}

Task<RouteRefresh> RouteService::Refresh(Name topic) {
  return Ask(topic, topic, INT32_MAX);
}

Task<RouteRefresh> RouteService::RefreshFromTemplate(Name topic,
                                                     int32_t most_queues) {
  return Ask(env_.names().Intern(kAutoCreateTopicKeyTopic), topic, most_queues);
}

Name RouteService::NextServer() {
  return name_server_.Choose(
      [this](Name address) { return remoting_.IsActive(address); });
}

Task<Name> RouteService::ConnectToServer() {
  for (size_t i = 0; i < config_.name_servers.size(); ++i) {
    const Name server = NextServer();
    const bool connected = co_await remoting_.Connect(server);
    if (connected) co_return server;
  }
  co_return Name();
}

Task<RouteRefresh> RouteService::Ask(Name asked, Name topic,
                                     int32_t most_queues) {
  const bool locked = co_await lock_.LockFor(config_.lock_timeout);
  if (!locked) co_return RouteRefresh::kUnchanged;
  const MutexHold hold(lock_);
  const Instant began = env_.Now();
  Name server;
  if (config_.one_name_server_a_call) {
    server = NextServer();
  } else {
    server = co_await ConnectToServer();
  }
  const Duration left = config_.call_timeout - (env_.Now() - began);
  if (server.empty() || left < Duration::Zero()) {
    co_return RouteRefresh::kTransportFailed;
  }
  GetRouteInfoRequest request;
  request.topic = asked;
  const CallResult result = co_await remoting_.Call(server, request, left);
  if (!result.replied()) co_return RouteRefresh::kTransportFailed;
  const auto* reply = std::get_if<GetRouteInfoReply>(&result.reply.body);
  if (!result.ok() || reply == nullptr || reply->route == nullptr) {
    co_return RouteRefresh::kUnchanged;  // The old route stays.
  }
  co_return Apply(topic, asked == topic
                             ? reply->route
                             : WithAtMost(most_queues, *reply->route));
}

RouteRefresh RouteService::Apply(Name topic, const TopicRoutePtr& route) {
  const TopicRoute* old = routes_.Find(topic);
  const bool differs =
      old == nullptr || (old != route.get() && !(*old == *route));
  const bool needed = InnerProducerNeeds(topic) ||
                      (member_ != nullptr && member_->NeedsRoute(topic));
  if (!differs && !needed) return RouteRefresh::kUnchanged;

  for (const BrokerData& broker : route->brokers) {
    brokers_.Put(broker.broker, broker.addresses);
  }
  if (!WritableQueues(topic, *route).empty()) publishable_.insert(topic);
  routes_.Put(topic, route);
  if (differs) {
    Fact fact;
    fact.kind = FactKind::ROUTE_CHANGED;
    fact.topic = topic.id();
    fact.count = static_cast<int64_t>(ReadableQueues(topic, *route).size());
    env_.Emit(fact);
  }
  if (member_ != nullptr) member_->OnRoute(topic, *route);
  return RouteRefresh::kChanged;
}

Task<void> RouteService::RefreshAll() {
  if (member_ == nullptr) co_return;
  const std::vector<Name> topics = member_->RouteTopics();
  for (Name topic : topics) {
    const RouteRefresh outcome = co_await Refresh(topic);
    if (outcome == RouteRefresh::kTransportFailed) co_return;
  }
}

Task<void> RouteService::ForgetOfflineBrokers() {
  const bool locked = co_await lock_.LockFor(config_.lock_timeout);
  if (!locked) co_return;
  const MutexHold hold(lock_);
  brokers_.RemoveUnless(
      [this](Name address) { return routes_.Mentions(address); });
}

}  // namespace groupsim
