#include "model/broker/send_service.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/broker/topic_config_table.h"
#include "model/broker/valid_name.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "model/wire/message.h"
#include "model/wire/route.h"
#include "model/wire/topics.h"

namespace groupsim {
namespace {

MessageStore::NewMessage MessageOf(const SendMessageRequest& request) {
  MessageStore::NewMessage message;
  message.born = request.born;
  message.key = request.key;
  message.tag = request.tag;
  message.body_size = request.body_size;
  return message;
}

Reply Sent(int32_t queue_id, int64_t offset) {
  SendMessageReply reply;
  reply.queue_id = queue_id;
  reply.queue_offset = offset;
  return Reply(ResponseCode::kSuccess, reply);
}

Reply UnknownGroup() {
  return Reply(ResponseCode::kSubscriptionGroupNotExist,
               "the group is not known here");
}

}  // namespace

SendService::SendService(Env& env, const BrokerConfig& config, BrokerDisk& disk,
                         TopicService& topics, MessageWriter& writer,
                         ScheduleService& schedule, const QueueLocks& locks)
    : env_(env),
      config_(config),
      disk_(disk),
      topics_(topics),
      writer_(writer),
      schedule_(schedule),
      locks_(locks),
      queue_choice_(env.Random("send_queue")),
      retry_queue_choice_(env.Random("retry_queue")),
      scope_(env.ready()) {}

void SendService::OnSend(const SendMessageRequest& request,
                         Responder responder) {
  const TopicConfigTable::Entry* topic = disk_.topics.Find(request.topic);
  if (topic != nullptr && !topic->is_retry) [[likely]] {
    responder.Answer(Store(request, topic));
  } else {
    scope_.Spawn(StoreAtLength(request, std::move(responder)));
  }
}

std::optional<TopicConfig> SendService::NewTopic(
    const SendMessageRequest& request) {
  if (!IsValidTopicOrGroup(request.topic.text(), kMaxTopicLength)) {
    return std::nullopt;
  }
  TopicConfig topic;
  topic.topic = request.topic;
  const TopicConfigTable::Entry* pattern = nullptr;
  if (config_.settings.auto_create_topic_enable) {
    pattern = disk_.topics.Find(env_.names().Intern(kAutoCreateTopicKeyTopic));
  }
  if (pattern != nullptr && (pattern->config.perm & kPermInherit) != 0) {
    topic.read_queue_nums = std::max(std::min(request.default_topic_queue_nums,
                                              pattern->config.write_queue_nums),
                                     0);
    topic.perm = pattern->config.perm & ~kPermInherit;
  } else if (IsRetryTopic(request.topic.text())) {
    topic.read_queue_nums = 1;
  } else {
    return std::nullopt;
  }
  topic.write_queue_nums = topic.read_queue_nums;
  return topic;
}

std::optional<Reply> SendService::Check(const SendMessageRequest& request,
                                        const TopicConfigTable::Entry* topic,
                                        int32_t& queue_id) {
  if ((config_.settings.broker_permission & kPermWrite) == 0 &&
      topic != nullptr && topic->config.order) {
    return Reply(ResponseCode::kNoPermission, "the broker may not be written");
  }
  if (topic == nullptr) {
    if (!IsValidTopicOrGroup(request.topic.text(), kMaxTopicLength)) {
      return Reply(config_.profile.bad_argument, "no legal topic name");
    }
    return Reply(ResponseCode::kTopicNotExist, "the topic is not known here");
  }
  if (!topic->may_be_sent_to) {
    return Reply(ResponseCode::kNoPermission, "the topic is the system's");
  }
  // A topic without write permission takes messages all the same: clients
  // avoid it by their routes.
  queue_id = request.queue_id;
  const int32_t queues =
      std::max(topic->config.write_queue_nums, topic->config.read_queue_nums);
  if (queue_id >= queues || queue_id > kMaxQueueId) {
    return Reply(config_.profile.bad_argument, "there is no such queue");
  }
  if (queue_id < 0) {
    const int32_t writable = topic->config.write_queue_nums;
    if (writable <= 0) {
      return Reply(config_.profile.bad_argument, "there is no such queue");
    }
    queue_id = static_cast<int32_t>(
        queue_choice_->Below(static_cast<uint64_t>(writable)));
  }
  if (request.body_size < 0 ||
      request.body_size > config_.settings.max_message_size) {
    return Reply(ResponseCode::kMessageIllegal, "no body, or too large a one");
  }
  return std::nullopt;
}

SendService::Letter SendService::LetterOf(const SendMessageRequest& request,
                                          int32_t queue_id) {
  Letter letter;
  letter.place.topic = request.topic;
  letter.place.queue_id = queue_id;
  letter.message = MessageOf(request);
  if (request.properties == nullptr) return letter;
  letter.properties.origin = request.properties->origin;
  letter.properties.reconsume_times = request.properties->reconsume_times;
  letter.delay_level = request.properties->delay_level;
  return letter;
}

Reply SendService::Store(const SendMessageRequest& request,
                         const TopicConfigTable::Entry* topic) {
  int32_t queue_id = 0;
  std::optional<Reply> refusal = Check(request, topic, queue_id);
  if (refusal.has_value()) return *std::move(refusal);
  if (request.properties == nullptr) [[likely]] {
    const int64_t offset =
        writer_.Store({request.topic, queue_id}, MessageOf(request));
    return Sent(queue_id, offset);
  }
  Letter letter = LetterOf(request, queue_id);
  return Sent(queue_id, Post(letter));
}

// The name servers hear of a new topic before the producer hears of its
// message.
Task<void> SendService::StoreAtLength(SendMessageRequest request,
                                      Responder responder) {
  if (disk_.topics.Find(request.topic) == nullptr) {
    const std::optional<TopicConfig> made = NewTopic(request);
    if (made.has_value()) co_await topics_.Create(*made);
    if (stopped_) co_return;
  }
  const TopicConfigTable::Entry* topic = disk_.topics.Find(request.topic);
  if (topic == nullptr || !topic->is_retry) {
    responder.Answer(Store(request, topic));
    co_return;
  }
  int32_t queue_id = 0;
  std::optional<Reply> refusal = Check(request, topic, queue_id);
  if (refusal.has_value()) {
    responder.Answer(*std::move(refusal));
    co_return;
  }
  co_await StoreRetry(std::move(request), queue_id, std::move(responder));
}

// SendMessageProcessor.handleRetryAndDLQ.
Task<void> SendService::StoreRetry(SendMessageRequest request, int32_t queue_id,
                                   Responder responder) {
  Letter letter = LetterOf(request, queue_id);
  letter.group = env_.names().Intern(
      request.topic.text().substr(kRetryTopicPrefix.size()));
  const SubscriptionGroupConfig* group = disk_.groups.FindOrCreate(
      letter.group, config_.settings.auto_create_subscription_group);
  if (group == nullptr) {
    responder.Answer(UnknownGroup());
    co_return;
  }
  const bool has_limit = request.properties != nullptr &&
                         request.properties->max_reconsume_times >= 0;
  const int32_t limit = has_limit ? request.properties->max_reconsume_times
                                  : group->retry_max_times;
  letter.dead = config_.profile.dead_letter_at_limit
                    ? letter.properties.reconsume_times >= limit
                    : letter.properties.reconsume_times > limit;
  letter.keeps_delay =
      config_.profile.dead_letter_is_delayed && letter.delay_level > 0;
  if (config_.profile.dead_letter_while_locked &&
      locks_.HoldsAny(letter.group)) {
    letter.dead = true;
  }
  if (letter.dead) {
    co_await topics_.Provide(DeadLetterTopicOf(letter.group, env_.names()),
                             kDlqNumsPerGroup);
    if (stopped_) co_return;
  }
  responder.Answer(Sent(queue_id, Post(letter)));
}

// AbstractSendMessageProcessor.consumerSendMsgBack, its checks in its order.
Task<void> SendService::OnSendBack(SendMessageBackRequest request,
                                   Responder responder) {
  Letter letter;
  letter.group = request.group;
  const SubscriptionGroupConfig* found = disk_.groups.FindOrCreate(
      request.group, config_.settings.auto_create_subscription_group);
  if (found == nullptr) {
    responder.Answer(UnknownGroup());
    co_return;
  }
  const SubscriptionGroupConfig group = *found;
  if ((config_.settings.broker_permission & kPermWrite) == 0) {
    responder.Answer(
        Reply(ResponseCode::kNoPermission, "the broker may not be written"));
    co_return;
  }
  const Name topic = RetryTopicOf(request.group, env_.names());
  const Name likely[] = {request.origin_topic, topic};
  const MessageStore::Place place =
      disk_.store.FindByPosition(request.offset, likely);
  Message original;
  if (place.queue != nullptr) {
    original = disk_.store.Read(*place.queue, place.offset);
    const MessageQueue queue{place.queue->topic(), config_.broker,
                             place.queue->queue_id()};
    letter.properties.origin = FirstCopyOf(original, queue);
    letter.properties.reconsume_times = original.reconsume_times + 1;
  }
  if (group.retry_queue_nums <= 0) {
    if (place.queue != nullptr) EmitAbout(FactKind::RETRY_DROPPED, letter);
    responder.Answer(Reply(ResponseCode::kSuccess));
    co_return;
  }
  letter.place.topic = topic;
  letter.place.queue_id = static_cast<int32_t>(retry_queue_choice_->Below(
      static_cast<uint64_t>(group.retry_queue_nums)));
  co_await topics_.Provide(topic, group.retry_queue_nums);
  if (stopped_) co_return;
  if ((disk_.topics.Find(topic)->config.perm & kPermWrite) == 0) {
    responder.Answer(
        Reply(ResponseCode::kNoPermission, "the topic may not be written"));
    co_return;
  }
  if (place.queue == nullptr) {
    responder.Answer(
        Reply(ResponseCode::kSystemError, "no message begins there"));
    co_return;
  }
  const int32_t limit = request.max_reconsume_times >= 0
                            ? request.max_reconsume_times
                            : group.retry_max_times;
  letter.dead = original.reconsume_times >= limit || request.delay_level < 0;
  letter.delay_level = request.delay_level != 0
                           ? request.delay_level
                           : kFirstRetryLevel + original.reconsume_times;
  letter.message.born = original.born;
  letter.message.key = original.key;
  letter.message.tag = original.tag;
  letter.message.body_size = original.body_size;
  if (letter.dead) {
    co_await topics_.Provide(DeadLetterTopicOf(request.group, env_.names()),
                             kDlqNumsPerGroup);
    if (stopped_) co_return;
  }
  Post(letter);
  responder.Answer(Reply(ResponseCode::kSuccess));
}

int64_t SendService::Post(Letter& letter) {
  if (letter.properties != StoredProperties()) {
    letter.message.properties = &letter.properties;
  }
  if (letter.dead) {
    EmitAbout(FactKind::DEAD_LETTERED, letter);
    letter.place = {DeadLetterTopicOf(letter.group, env_.names()), 0};
    if (!letter.keeps_delay) {
      return writer_.Store(letter.place, letter.message);
    }
    return schedule_.Store(letter.delay_level, letter.place, letter.message);
  }
  if (!letter.group.empty()) EmitAbout(FactKind::RETRY_STORED, letter);
  if (letter.delay_level <= 0) {
    return writer_.Store(letter.place, letter.message);
  }
  return schedule_.Store(letter.delay_level, letter.place, letter.message);
}

void SendService::EmitAbout(FactKind kind, const Letter& letter) {
  const MessageOrigin& origin = letter.properties.origin;
  Fact fact;
  fact.kind = kind;
  fact.group = NarrowId(letter.group);
  fact.topic = origin.topic.id();
  fact.broker = origin.broker;
  fact.queue = origin.queue;
  fact.offset = origin.offset;
  fact.count = letter.properties.reconsume_times;
  if (kind == FactKind::RETRY_STORED) {
    fact.value = schedule_.levels().Clamp(letter.delay_level);
  }
  env_.Emit(fact);
}

}  // namespace groupsim
