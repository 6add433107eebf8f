#include "model/client/inner_producer.h"

#include <cstdint>
#include <utility>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/send_rules.h"
#include "model/client/topic_routes.h"
#include "model/runtime/remoting.h"
#include "model/wire/message_queue.h"

namespace groupsim {

InnerProducer::InnerProducer(Env& env, const Config& config,
                             ClientInstance& instance)
    : env_(env), config_(config), instance_(instance), fault_strategy_({}) {}

void InnerProducer::OnRoute(Name topic, const TopicRoute& route) {
  if (publish_info_.contains(topic)) Publish(topic, route);
}

void InnerProducer::Publish(Name topic, const TopicRoute& route) {
  if (random_ == nullptr) random_ = env_.Random("inner producer");
  const auto start = static_cast<uint32_t>(random_->Next());
  publish_info_.insert_or_assign(
      topic, PublishInfo(WritableQueues(topic, route), start));
}

// DefaultMQProducerImpl.tryToFindTopicPublishInfo; null if there is none.
Task<PublishInfo*> InnerProducer::FindPublishInfo(Name topic) {
  if (!publish_info_.contains(topic)) {
    publish_info_.try_emplace(topic);
    const TopicRoute* known = instance_.routes().routes().Find(topic);
    if (known != nullptr) Publish(topic, *known);
  }
  if (!publish_info_[topic].ok()) {
    co_await instance_.routes().Refresh(topic);
    const TopicRoute* known = instance_.routes().routes().Find(topic);
    if (known != nullptr && !publish_info_[topic].ok()) Publish(topic, *known);
  }
  PublishInfo& info = publish_info_[topic];
  co_return info.ok() ? &info : nullptr;
}

Task<InnerProducer::Outcome> InnerProducer::Send(SendMessageRequest request) {
  const int64_t begin = env_.WallMillis();
  request.producer_group = instance_.inner_producer();
  Outcome outcome;
  Name last_broker;
  while (outcome.attempts < config_.attempts) {
    PublishInfo* info = co_await FindPublishInfo(request.topic);
    if (info == nullptr) break;
    const Duration left =
        config_.timeout - Duration::Millis(env_.WallMillis() - begin);
    if (left <= Duration::Zero()) break;
    const MessageQueue queue =
        fault_strategy_.Select(*info, last_broker, env_.WallMillis());
    last_broker = queue.broker;
    ++outcome.attempts;
    const Name address = instance_.brokers().FindMaster(queue.broker);
    if (address.empty()) continue;
    request.queue_id = queue.queue_id;
    const CallResult result =
        co_await instance_.remoting().Call(address, request, left);
    if (result.ok()) {
      outcome.sent = true;
      break;
    }
    if (result.replied() && !IsRetriedOnAnotherBroker(result.reply.code)) break;
  }
  co_return outcome;
}

}  // namespace groupsim
