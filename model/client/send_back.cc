#include "model/client/send_back.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "model/client/send_rules.h"
#include "model/runtime/remoting.h"
#include "model/wire/command.h"

namespace groupsim {

SendBack::SendBack(Env& env, const Config& config, ClientInstance& instance)
    : env_(env),
      config_(config),
      max_reconsume_times_(config.max_reconsume_times == -1
                               ? config.profile.default_max_reconsume_times
                               : config.max_reconsume_times),
      instance_(instance),
      inner_producer_(env,
                      {config.profile.inner_send_timeout,
                       config.profile.inner_send_attempts,
                       config.profile.inner_default_topic_queue_nums},
                      instance) {}

Fact SendBack::About(FactKind kind, const Message& message,
                     const MessageQueue& queue) const {
  Fact fact = QueueFact(kind, config_.group, queue);
  fact.offset = message.queue_offset;
  return fact;
}

Task<bool> SendBack::Send(Message message, MessageQueue queue,
                          int32_t delay_level) {
  const bool returned = co_await Return(message, queue, delay_level);
  if (returned) co_return true;
  const bool sent =
      co_await SendAnew(message, queue, message.reconsume_times + 1);
  co_return sent;
}

Task<bool> SendBack::Return(Message message, MessageQueue queue,
                            int32_t delay_level) {
  const Name address = instance_.brokers().FindMaster(queue.broker);
  if (address.empty()) {
    env_.Emit(About(FactKind::SEND_BACK_FAILED, message, queue));
    co_return false;
  }
  SendMessageBackRequest request;
  request.group = config_.group;
  request.offset = message.commit_log_offset;
  request.origin_topic = FirstCopyOf(message, queue).topic;
  request.delay_level = delay_level;
  request.max_reconsume_times = max_reconsume_times_;
  const CallResult result = co_await instance_.remoting().Call(
      address, request, config_.profile.send_message_back_timeout);
  if (result.ok()) {
    Fact fact = About(FactKind::SENT_BACK, message, queue);
    fact.count = delay_level;
    fact.value = message.reconsume_times;
    env_.Emit(fact);
    co_return true;
  }
  Fact fact = About(FactKind::SEND_BACK_FAILED, message, queue);
  fact.count = FailureNumber(result);
  env_.Emit(fact);
  co_return false;
}

Task<bool> SendBack::SendAnew(Message message, MessageQueue queue,
                              int32_t reconsume_times) {
  auto properties = std::make_shared<SendProperties>();
  properties->origin = FirstCopyOf(message, queue);
  properties->reconsume_times = reconsume_times;
  properties->max_reconsume_times = max_reconsume_times_;
  // Whatever level the listener asked for.
  properties->delay_level =
      config_.profile.first_retry_level + message.reconsume_times;
  SendMessageRequest request;
  request.topic = config_.retry_topic;
  request.born = env_.Now();
  request.key = message.key;
  request.tag = message.tag;
  request.body_size = message.body_size;
  request.properties = std::move(properties);
  const InnerProducer::Outcome outcome =
      co_await inner_producer_.Send(std::move(request));
  if (!outcome.sent) co_return false;
  Fact fact = About(FactKind::RETRY_SENT, message, queue);
  fact.count = outcome.attempts;
  fact.value = message.reconsume_times;
  env_.Emit(fact);
  co_return true;
}

}  // namespace groupsim
