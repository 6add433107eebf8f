#include "model/client/heartbeat_service.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/base/name.h"
#include "model/client/broker_addresses.h"
#include "model/client/client_member.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"
#include "model/wire/subscription.h"

namespace groupsim {

HeartbeatService::HeartbeatService(Env& env, Config config, Remoting& remoting,
                                   const BrokerAddresses& brokers)
    : env_(env),
      config_(config),
      remoting_(remoting),
      brokers_(brokers),
      lock_(env) {}

void HeartbeatService::SetProducerGroups(std::vector<Name> groups) {
  producer_groups_ =
      std::make_shared<const std::vector<Name>>(std::move(groups));
}

HeartbeatRequest HeartbeatService::Compose() const {
  HeartbeatRequest heartbeat;
  heartbeat.client_id = config_.client_id;
  heartbeat.producer_groups = producer_groups_;
  if (consumer_ != nullptr) {
    heartbeat.consumers = std::make_shared<const std::vector<ConsumerData>>(
        std::vector<ConsumerData>{consumer_->Describe()});
  }
  return heartbeat;
}

Task<bool> HeartbeatService::SendToAllBrokers() {
  if (!lock_.TryLock()) {
    Fact fact;
    fact.kind = FactKind::HEARTBEAT_SKIPPED;
    env_.Emit(fact);
    co_return false;
  }
  const MutexHold hold(lock_);
  const HeartbeatRequest heartbeat = Compose();
  const std::vector<Name> addresses = brokers_.All(consumer_ == nullptr);
  if (brokers_.empty()) co_return false;
  int64_t reached = 0;
  for (Name address : addresses) {
    const CallResult result =
        co_await remoting_.Call(address, heartbeat, config_.call_timeout);
    if (result.ok()) ++reached;
  }
  Fact fact;
  fact.kind = FactKind::HEARTBEAT_ROUND;
  fact.count = reached;
  fact.value = static_cast<int64_t>(addresses.size());
  env_.Emit(fact);
  co_return true;
}

Task<bool> HeartbeatService::SendTo(Name address) {
  if (!lock_.TryLock()) co_return false;
  const MutexHold hold(lock_);
  const HeartbeatRequest heartbeat = Compose();
  const CallResult result =
      co_await remoting_.Call(address, heartbeat, config_.call_timeout);
  co_return result.ok();
}

}  // namespace groupsim
