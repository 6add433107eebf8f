#include "model/client/inner_producer.h"

#include <cstdint>
#include <utility>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/publish_info.h"
#include "model/client/send_rules.h"
#include "model/client/topic_routes.h"
#include "model/runtime/remoting.h"
#include "model/wire/message_queue.h"

namespace groupsim {

InnerProducer::InnerProducer(Env& env, const Config& config,
                             ClientInstance& instance)
    : env_(env), config_(config), instance_(instance), fault_strategy_({}) {}

// Upstream's table has every route of the client, not only those from its
// first use on.
Task<bool> InnerProducer::Find(Name topic) {
  if (!topics_.has_value()) {
    topics_.emplace(instance_.routes(), env_.Random("inner producer"),
                    config_.default_topic_queue_nums);
  }
  if (topics_->Has(topic)) co_return true;
  const TopicRoute* known = instance_.routes().routes().Find(topic);
  if (known != nullptr) topics_->OnRoute(topic, *known);
  if (topics_->Has(topic)) co_return true;
  const bool answered = co_await topics_->LookUp(topic);
  co_return answered && topics_->Has(topic);
}

Duration InnerProducer::TimeLeft(int64_t begin_millis) const {
  return config_.timeout - Duration::Millis(env_.WallMillis() - begin_millis);
}

Task<InnerProducer::Outcome> InnerProducer::Send(SendMessageRequest request) {
  const int64_t begin = env_.WallMillis();
  request.producer_group = instance_.inner_producer();
  request.default_topic_queue_nums = config_.default_topic_queue_nums;
  Outcome outcome;
  bool found = co_await Find(request.topic);
  Name last_broker;
  while (found && outcome.attempts < config_.attempts &&
         TimeLeft(begin) > Duration::Zero()) {
    PublishInfo* info = topics_->Find(request.topic);
    if (info == nullptr) break;
    const MessageQueue queue =
        fault_strategy_.Select(*info, last_broker, env_.WallMillis());
    last_broker = queue.broker;
    ++outcome.attempts;
    const Name address = instance_.brokers().FindMaster(queue.broker);
    if (address.empty()) continue;
    request.queue_id = queue.queue_id;
    const CallResult result =
        co_await instance_.remoting().Call(address, request, TimeLeft(begin));
    const AttemptEnd end =
        JudgeAttempt(result, /*retry_when_not_store_ok=*/false);
    outcome.sent = end == AttemptEnd::kSent;
    if (end != AttemptEnd::kRetry) break;
  }
  co_return outcome;
}

}  // namespace groupsim
