#include "model/broker/name_server_registration.h"

#include <memory>
#include <utility>
#include <vector>

#include "model/runtime/task.h"

namespace groupsim {

NameServerRegistration::NameServerRegistration(Env& env, Remoting& remoting,
                                               const BrokerConfig& config,
                                               const TopicConfigTable& topics)
    : env_(env),
      remoting_(remoting),
      config_(config),
      topics_(topics),
      scope_(env.ready()) {}

RegisterBrokerRequest NameServerRegistration::NewRequest() const {
  RegisterBrokerRequest request;
  request.cluster = config_.cluster;
  request.broker = config_.broker;
  request.address = config_.address;
  request.broker_id = config_.broker_id;
  request.data_version = topics_.version();
  return request;
}

Task<void> NameServerRegistration::RegisterFirst() {
  RegisterBrokerRequest request = NewRequest();
  request.topics = topics_.Registration(config_.settings.broker_permission);
  co_await Run(std::move(request), Reach::kWaitForAll);
}

Task<void> NameServerRegistration::RegisterAll() {
  RegisterBrokerRequest request = NewRequest();
  request.topics = topics_.Registration(config_.settings.broker_permission);
  co_await Run(std::move(request), Reach::kTryAll);
}

Task<void> NameServerRegistration::RegisterTopic(TopicConfig topic) {
  RegisterBrokerRequest request = NewRequest();
  std::vector<TopicConfig> topics;
  topics.push_back(MaskedBy(config_.settings.broker_permission, topic));
  request.topics =
      std::make_shared<const std::vector<TopicConfig>>(std::move(topics));
  co_await Run(std::move(request), Reach::kAvailableOnly);
}

Task<void> NameServerRegistration::Run(RegisterBrokerRequest request,
                                       Reach reach) {
  auto round = std::make_shared<Round>(env_);
  if (!config_.profile.registers_with_available_only) {
    reach = Reach::kWaitForAll;
  }
  for (const Name name_server : config_.name_servers) {
    const bool available = remoting_.IsActive(name_server);
    if (!available && reach == Reach::kAvailableOnly) continue;
    std::shared_ptr<Round> awaited;
    if (available || reach == Reach::kWaitForAll) awaited = round;
    if (awaited != nullptr) ++round->pending;
    scope_.Spawn(RegisterWith(name_server, request, std::move(awaited)));
  }
  if (round->pending == 0) co_return;
  const Duration limit = config_.settings.register_broker_timeout_mills;
  co_await round->done.WaitFor(limit);
}

Task<void> NameServerRegistration::RegisterWith(Name name_server,
                                                RegisterBrokerRequest request,
                                                std::shared_ptr<Round> round) {
  Request call(std::move(request));
  const Duration limit = config_.settings.register_broker_timeout_mills;
  // Refusals are only logged upstream; the next round tries again.
  co_await remoting_.Call(name_server, std::move(call), limit);
  if (round == nullptr) co_return;
  if (--round->pending == 0) round->done.Set();
}

Task<void> NameServerRegistration::UnregisterAll() {
  for (const Name name_server : config_.name_servers) {
    UnregisterBrokerRequest request;
    request.cluster = config_.cluster;
    request.broker = config_.broker;
    request.address = config_.address;
    request.broker_id = config_.broker_id;
    Request call(request);
    const Duration limit = kUnregisterTimeout;
    co_await remoting_.Call(name_server, std::move(call), limit);
  }
}

}  // namespace groupsim
