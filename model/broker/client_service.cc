#include "model/broker/client_service.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/broker/disturbance.h"
#include "model/facts/fact.h"
#include "model/wire/topics.h"

namespace groupsim {

ClientService::ClientService(Env& env, Remoting& remoting,
                             const BrokerConfig& config, BrokerDisk& disk,
                             TopicService& topics)
    : env_(env),
      remoting_(remoting),
      config_(config),
      disk_(disk),
      topics_(topics),
      housekeeping_(env) {}

void ClientService::Start() {
  scan_.emplace(env_, housekeeping_, kHousekeepingInterval,
                kHousekeepingInterval, [this] { return RemoveSilent(); });
  if (!NotifiesInBatches()) return;
  batches_.emplace(env_, housekeeping_, kFirstBatchNotification,
                   kBatchNotificationInterval,
                   [this] { return SendNotices(); });
}

void ClientService::Stop() {
  if (scan_.has_value()) scan_->Cancel();
  if (batches_.has_value()) batches_->Cancel();
}

Task<void> ClientService::OnHeartbeat(HeartbeatRequest request,
                                      Responder responder) {
  const ConnectionId connection = responder.connection();
  if (request.consumers != nullptr) {
    for (const ConsumerData& data : *request.consumers) {
      const SubscriptionGroupConfig* config = disk_.groups.FindOrCreate(
          data.group, config_.settings.auto_create_subscription_group);
      // The client learns nothing of it here; its pulls are refused.
      if (config == nullptr) continue;
      const std::optional<TopicConfig> retry = NewRetryTopic(data, *config);
      if (retry.has_value()) co_await topics_.Put(*retry);
      Register(data, *config, request.client_id, connection);
    }
  }
  if (request.producer_groups != nullptr && !request.producer_groups->empty()) {
    producers_.Register(connection, env_.WallMillis());
  }
  responder.Answer(Reply(ResponseCode::kSuccess));
}

std::optional<TopicConfig> ClientService::NewRetryTopic(
    const ConsumerData& data, const SubscriptionGroupConfig& config) {
  const bool order =
      std::any_of(data.subscriptions.begin(), data.subscriptions.end(),
                  [this](const SubscriptionData& subscription) {
                    const auto* topic = disk_.topics.Find(subscription.topic);
                    return topic != nullptr && topic->config.order;
                  });
  const Name name = RetryTopicOf(data.group, env_.names());
  if (const auto* known = disk_.topics.Find(name)) {
    if (known->config.order != order) {
      disk_.topics.SetOrder(name, order, env_.WallMillis());
    }
    return std::nullopt;
  }
  TopicConfig topic;
  topic.topic = name;
  topic.read_queue_nums = config.retry_queue_nums;
  topic.write_queue_nums = config.retry_queue_nums;
  topic.order = order;
  return topic;
}

void ClientService::Register(const ConsumerData& data,
                             const SubscriptionGroupConfig& config,
                             Name client_id, ConnectionId connection) {
  const ConsumerTable::Registration result =
      consumers_.Register(data, client_id, connection, env_.WallMillis());
  if (result.new_connection) {
    Fact fact;
    fact.kind = FactKind::MEMBER_REGISTERED;
    fact.group = NarrowId(data.group);
    fact.value = client_id.id();
    env_.Emit(fact);
  }
  if (!result.changed() || !config.notify_consumer_ids_changed_enable) return;
  const ConsumerGroup* group = consumers_.Find(data.group);
  if (group != nullptr) MembersChanged(*group);
}

void ClientService::OnUnregister(const UnregisterClientRequest& request,
                                 Responder responder) {
  const ConnectionId connection = responder.connection();
  if (!request.producer_group.empty()) producers_.Remove(connection);
  if (!request.consumer_group.empty()) {
    const Name group = request.consumer_group;
    const Name client_id = consumers_.Unregister(group, connection);
    if (!client_id.empty()) {
      EmitRemoved(group, client_id, MemberRemovalCause::kUnregistered);
    }
    const ConsumerGroup* left = consumers_.Find(group);
    const SubscriptionGroupConfig* config = disk_.groups.Find(group);
    if (left != nullptr &&
        (config == nullptr || config->notify_consumer_ids_changed_enable)) {
      MembersChanged(*left);
    }
  }
  responder.Answer(Reply(ResponseCode::kSuccess));
}

void ClientService::OnGetConsumerList(const GetConsumerListRequest& request,
                                      Responder responder) {
  const ConsumerGroup* group = consumers_.Find(request.group);
  if (group == nullptr) {
    responder.Answer(Reply(ResponseCode::kSystemError,
                           absl::StrCat("the group ", request.group.text(),
                                        " has no consumer here")));
    return;
  }
  GetConsumerListReply list;
  list.client_ids = group->ClientIds();
  responder.Answer(Reply(ResponseCode::kSuccess, std::move(list)));
}

void ClientService::OnConnectionClosed(ConnectionId connection,
                                       CloseReason reason) {
  producers_.Remove(connection);
  const MemberRemovalCause cause = reason == CloseReason::kIdle
                                       ? MemberRemovalCause::kChannelIdle
                                       : MemberRemovalCause::kChannelClosed;
  for (const auto& leaving : consumers_.RemoveConnection(connection)) {
    EmitRemoved(leaving.group, leaving.client_id, cause);
    const ConsumerGroup* left = consumers_.Find(leaving.group);
    // The group's own switch is not asked here.
    if (left != nullptr) MembersChanged(*left);
  }
}

void ClientService::EmitRemoved(Name group, Name client_id,
                                MemberRemovalCause cause) {
  Fact fact;
  fact.kind = FactKind::MEMBER_REMOVED;
  fact.group = NarrowId(group);
  fact.value = client_id.id();
  fact.count = static_cast<int64_t>(cause);
  env_.Emit(fact);
}

void ClientService::MembersChanged(const ConsumerGroup& group) {
  if (group.model() == MessageModel::kBroadcasting &&
      !config_.profile.notifies_broadcasting) {
    return;
  }
  if (!config_.settings.notify_consumer_ids_changed_enable) return;
  Notice notice;
  notice.group = group.name();
  notice.connections = group.Connections();
  if (!NotifiesInBatches()) {
    Notify(notice);
    return;
  }
  const auto known = std::find_if(
      notices_.begin(), notices_.end(),
      [&notice](const Notice& old) { return old.group == notice.group; });
  if (known == notices_.end()) {
    notices_.push_back(std::move(notice));
  } else {
    *known = std::move(notice);
  }
}

void ClientService::Notify(const Notice& notice) {
  int64_t written = 0;
  const bool lost = config_.disturbance != nullptr &&
                    config_.disturbance->lost_notices().Concern(notice.group);
  for (const ConnectionId connection : notice.connections) {
    if (lost) {
      ++written;
      continue;
    }
    NotifyConsumerIdsChangedRequest request;
    request.group = notice.group;
    if (remoting_.SendOneway(connection, Request(request))) ++written;
  }
  if (written == 0) return;
  Fact fact;
  fact.kind = FactKind::MEMBERS_NOTIFIED;
  fact.group = NarrowId(notice.group);
  fact.count = written;
  env_.Emit(fact);
}

Task<void> ClientService::SendNotices() {
  const std::vector<Notice> notices = std::exchange(notices_, {});
  for (const Notice& notice : notices) Notify(notice);
  co_return;
}

Task<void> ClientService::RemoveSilent() {
  const int64_t now = env_.WallMillis();
  const Duration timeout = config_.settings.channel_expired_timeout;
  // Nobody is told: when the closing is reported, the members are gone already.
  for (const auto& member : consumers_.RemoveExpired(now, timeout)) {
    EmitRemoved(member.group, member.client_id, MemberRemovalCause::kExpired);
    remoting_.CloseConnection(member.connection);
  }
  for (const ConnectionId id : producers_.RemoveExpired(now, timeout)) {
    remoting_.CloseConnection(id);
  }
  co_return;
}

}  // namespace groupsim
