#include "model/broker/send_service.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/broker/topic_config_table.h"
#include "model/broker/valid_name.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "model/wire/route.h"

namespace groupsim {

SendService::SendService(Env& env, const BrokerConfig& config, BrokerDisk& disk,
                         PullProcessor& pulls,
                         NameServerRegistration& registration)
    : env_(env),
      config_(config),
      disk_(disk),
      pulls_(pulls),
      registration_(registration),
      queue_choice_(env.Random("send_queue")),
      dispatch_(env, [this] { Dispatch(); }),
      scope_(env.ready()) {}

void SendService::Stop() {
  stopped_ = true;
  dispatch_.Cancel();
  disk_.store.Recover();
}

void SendService::OnSend(const SendMessageRequest& request,
                         Responder responder) {
  const std::optional<TopicConfig> topic = NewTopic(request);
  if (!topic.has_value()) {
    responder.Answer(Store(request));
    return;
  }
  disk_.topics.Put(*topic, env_.WallMillis());
  EmitCreated(*topic);
  scope_.Spawn(StoreInNewTopic(*topic, request, std::move(responder)));
}

std::optional<TopicConfig> SendService::NewTopic(
    const SendMessageRequest& request) {
  if (!config_.settings.auto_create_topic_enable ||
      disk_.topics.Find(request.topic) != nullptr ||
      !IsValidTopicOrGroup(request.topic.text(), kMaxTopicLength)) {
    return std::nullopt;
  }
  const TopicConfigTable::Entry* pattern =
      disk_.topics.Find(env_.names().Intern(kAutoCreateTopicKeyTopic));
  if (pattern == nullptr || (pattern->config.perm & kPermInherit) == 0) {
    return std::nullopt;
  }
  TopicConfig topic;
  topic.topic = request.topic;
  topic.read_queue_nums = std::max(std::min(request.default_topic_queue_nums,
                                            pattern->config.write_queue_nums),
                                   0);
  topic.write_queue_nums = topic.read_queue_nums;
  topic.perm = pattern->config.perm & ~kPermInherit;
  return topic;
}

void SendService::EmitCreated(const TopicConfig& topic) {
  Fact fact;
  fact.kind = FactKind::TOPIC_CREATED;
  fact.topic = topic.topic.id();
  fact.broker = NarrowId(config_.broker);
  fact.count = topic.read_queue_nums;
  fact.value = topic.write_queue_nums;
  fact.offset = MaskedBy(config_.settings.broker_permission, topic).perm &
                (kPermRead | kPermWrite);
  env_.Emit(fact);
}

// The name servers hear of the topic before the producer hears of its message.
Task<void> SendService::StoreInNewTopic(TopicConfig topic,
                                        SendMessageRequest request,
                                        Responder responder) {
  co_await registration_.RegisterTopic(topic);
  if (stopped_) co_return;
  responder.Answer(Store(request));
}

Reply SendService::Store(const SendMessageRequest& request) {
  const TopicConfigTable::Entry* topic = disk_.topics.Find(request.topic);
  if ((config_.settings.broker_permission & kPermWrite) == 0 &&
      topic != nullptr && topic->config.order) {
    return Reply(ResponseCode::kNoPermission, "the broker may not be written");
  }
  if (topic == nullptr) {
    if (!IsValidTopicOrGroup(request.topic.text(), kMaxTopicLength)) {
      return Reply(ResponseCode::kInvalidParameter, "no legal topic name");
    }
    return Reply(ResponseCode::kTopicNotExist, "the topic is not known here");
  }
  if (!topic->may_be_sent_to) {
    return Reply(ResponseCode::kNoPermission, "the topic is the system's");
  }
  // A topic without write permission takes messages all the same: clients
  // avoid it by their routes.
  int32_t queue_id = request.queue_id;
  const int32_t queues =
      std::max(topic->config.write_queue_nums, topic->config.read_queue_nums);
  if (queue_id >= queues || queue_id > kMaxQueueId) {
    return Reply(ResponseCode::kInvalidParameter, "there is no such queue");
  }
  if (queue_id < 0) {
    const int32_t writable = topic->config.write_queue_nums;
    if (writable <= 0) {
      return Reply(ResponseCode::kInvalidParameter, "there is no such queue");
    }
    queue_id = static_cast<int32_t>(
        queue_choice_->Below(static_cast<uint64_t>(writable)));
  }
  if (request.body_size < 0 ||
      request.body_size > config_.settings.max_message_size) {
    return Reply(ResponseCode::kMessageIllegal, "no body, or too large a one");
  }

  StoredQueue& queue = disk_.store.FindOrCreate(request.topic, queue_id);
  MessageStore::NewMessage message;
  message.born = request.born;
  message.key = request.key;
  message.tag = request.tag;
  message.body_size = request.body_size;
  const int64_t offset = disk_.store.Append(queue, message, env_.Now());

  Fact fact;
  fact.kind = FactKind::STORED;
  fact.topic = request.topic.id();
  fact.broker = NarrowId(config_.broker);
  fact.queue = static_cast<uint16_t>(queue_id);
  fact.offset = offset;
  fact.count = request.body_size;
  fact.value = static_cast<int64_t>(request.key);
  env_.Emit(fact);

  if (!dispatch_.armed()) ArmDispatch();
  SendMessageReply reply;
  reply.queue_id = queue_id;
  reply.queue_offset = offset;
  return Reply(ResponseCode::kSuccess, reply);
}

void SendService::ArmDispatch() {
  const Duration running = env_.Now() - started_;
  dispatch_.ArmAt(started_ + (running / kReputInterval + 1) * kReputInterval);
}

void SendService::Dispatch() {
  disk_.store.Dispatch([this](const StoredQueue& queue, int32_t tags_code) {
    pulls_.OnArrived(queue, tags_code);
  });
}

}  // namespace groupsim
