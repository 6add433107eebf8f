#include "model/broker/pull_processor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/name.h"
#include "model/broker/message_writer.h"
#include "model/broker/tag_filter.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/subscription.h"

namespace groupsim {
namespace {

constexpr Duration kMaxScanLateness = Duration::Nanos(999'999);
// Upstream's body is a text about group, queue and offsets; about this long.
constexpr int32_t kOffsetMovedEventSize = 200;

}  // namespace

PullProcessor::PullProcessor(Env& env, const BrokerConfig& config,
                             BrokerDisk& disk, const ConsumerTable& consumers,
                             OffsetService& offsets, RequestExecutor& executor)
    : env_(env),
      config_(config),
      disk_(disk),
      consumers_(consumers),
      offsets_(offsets),
      executor_(executor),
      lateness_(env.Random("hold")),
      scan_(env, [this] { Scan(); }) {}

void PullProcessor::Start() { ArmScan(); }

void PullProcessor::Stop() {
  scan_.Cancel();
  hold_.Clear();
}

// The order of the checks is upstream's: the first that fails decides.
PullProcessor::Admission PullProcessor::Admit(
    const PullMessageRequest& request) {
  const auto refuse = [](ResponseCode code, const char* remark) {
    Admission refused;
    refused.refusal = code;
    refused.remark = remark;
    return refused;
  };
  if ((config_.settings.broker_permission & kPermRead) == 0) {
    return refuse(ResponseCode::kNoPermission, "the broker may not be read");
  }
  const SubscriptionGroupConfig* group = disk_.groups.FindOrCreate(
      request.group, config_.settings.auto_create_subscription_group);
  if (group == nullptr) {
    return refuse(ResponseCode::kSubscriptionGroupNotExist,
                  "the group is not known here");
  }
  if (!group->consume_enable) {
    return refuse(ResponseCode::kNoPermission, "the group may not consume");
  }
  const TopicConfigTable::Entry* topic = disk_.topics.Find(request.queue.topic);
  if (topic == nullptr) {
    return refuse(ResponseCode::kTopicNotExist, "the topic is not known here");
  }
  if ((topic->config.perm & kPermRead) == 0) {
    return refuse(ResponseCode::kNoPermission, "the topic may not be read");
  }
  const int32_t queue_id = request.queue.queue_id;
  if (queue_id < 0 || queue_id >= topic->config.read_queue_nums ||
      queue_id > kMaxQueueId) {
    return refuse(config_.profile.bad_argument, "there is no such queue");
  }

  Admission admitted;
  // A pull that carries its own subscription needs no membership.
  if ((request.sys_flag & kPullFlagSubscription) != 0) {
    if (!request.subscription.empty()) {
      admitted.filter = FilterOf(request.subscription);
    }
  } else {
    const ConsumerGroup* consumers = consumers_.Find(request.group);
    if (consumers == nullptr) {
      return refuse(ResponseCode::kSubscriptionNotExist,
                    "the group has no consumer here");
    }
    if (!group->consume_broadcast_enable &&
        consumers->model() == MessageModel::kBroadcasting) {
      return refuse(ResponseCode::kNoPermission, "the group may not broadcast");
    }
    const GroupSubscription* subscription =
        consumers->FindSubscription(request.queue.topic);
    if (subscription == nullptr) {
      return refuse(ResponseCode::kSubscriptionNotExist,
                    "the group has not subscribed to the topic");
    }
    if (subscription->sub_version < request.sub_version) {
      return refuse(ResponseCode::kSubscriptionNotLatest,
                    "the subscription known here is older");
    }
    if (subscription->filter != nullptr)
      admitted.filter = &subscription->filter;
  }
  admitted.queue = &disk_.store.FindOrCreate(request.queue.topic, queue_id);
  return admitted;
}

const TagFilterPtr* PullProcessor::FilterOf(Name expression) {
  const auto [place, is_new] = filters_.try_emplace(expression);
  if (is_new) {
    const std::vector<Name> tags = ParseTags(expression.text(), env_.names());
    if (!tags.empty()) place->second = std::make_shared<const TagFilter>(tags);
  }
  return place->second == nullptr ? nullptr : &place->second;
}

void PullProcessor::Process(const PullMessageRequest& request,
                            Responder& responder, Arrival arrival) {
  const Admission admitted = Admit(request);
  if (admitted.refusal != ResponseCode::kSuccess) {
    responder.Answer(Reply(admitted.refusal, admitted.remark));
    return;
  }
  StoredQueue& queue = *admitted.queue;

  PullMessageReply found;
  GetMessageResult result;
  const std::optional<int64_t> reset = offsets_.TakeReset(queue, request.group);
  if (reset.has_value()) {
    result.status = GetMessageStatus::kOffsetReset;
    result.next_begin_offset = *reset;
    result.min_offset = queue.min_offset();
    result.max_offset = queue.max_offset();
  } else {
    MessageStore::GetMessageQuery query;
    query.offset = request.queue_offset;
    query.max_msg_nums = request.max_msg_nums;
    if (admitted.filter != nullptr) query.filter = admitted.filter->get();
    result =
        disk_.store.GetMessage(queue, query, config_.settings, found.messages);
  }

  if (config_.profile.overflow_is_corrected_to_zero &&
      result.status == GetMessageStatus::kOffsetOverflowBadly &&
      result.min_offset == 0) {
    result.next_begin_offset = 0;
  }

  // Also of the pull that took a reset: what it brings is of before.
  if (arrival == Arrival::kFirst &&
      (request.sys_flag & kPullFlagCommitOffset) != 0 &&
      !offsets_.Refuses(request.group)) {
    offsets_.Commit(queue, request.group, request.commit_offset);
  }

  const ResponseCode code = PullCodeOf(result.status, request.queue_offset);
  if (code == ResponseCode::kPullNotFound && arrival == Arrival::kFirst &&
      (request.sys_flag & kPullFlagSuspend) != 0) {
    const Duration limit = config_.settings.long_polling_enable
                               ? request.suspend_timeout
                               : config_.settings.short_polling_time_mills;
    hold_.Hold(queue.index(), request, std::move(responder),
               admitted.filter == nullptr ? nullptr : *admitted.filter,
               env_.WallMillis() + limit.millis());
    return;
  }
  if (code == ResponseCode::kPullOffsetMoved &&
      config_.profile.stores_offset_moved_event) {
    StoreOffsetMovedEvent();
  }
  found.next_begin_offset = result.next_begin_offset;
  found.min_offset = result.min_offset;
  found.max_offset = result.max_offset;
  Reply reply(code, std::move(found));
  reply.remark = std::string(NameOf(result.status));
  responder.Answer(std::move(reply));
}

void PullProcessor::StoreOffsetMovedEvent() {
  MessageStore::NewMessage event;
  event.born = env_.Now();
  event.body_size = kOffsetMovedEventSize;
  writer_->Store({env_.names().Intern("OFFSET_MOVED_EVENT"), 0}, event);
}

void PullProcessor::Wake(const StoredQueue& queue, int32_t tags_code) {
  hold_.Notify(queue, tags_code, env_.WallMillis(),
               [this](HeldPull& pull) { OnWoken(pull); });
}

// PullMessageProcessor.executeRequestWhenWakeup. Nobody answers one for which
// the executor has no room.
void PullProcessor::OnWoken(HeldPull& pull) {
  if (executor_.immediate()) {
    Process(pull.request, pull.responder, Arrival::kWoken);
    return;
  }
  if (executor_.full()) return;
  executor_.Post(std::move(pull.responder),
                 [this, request = pull.request](Responder responder) {
                   Process(request, responder, Arrival::kWoken);
                 });
}

void PullProcessor::Scan() {
  hold_.NotifyAll(disk_.store, env_.WallMillis(),
                  [this](HeldPull& pull) { OnWoken(pull); });
  ArmScan();
}

void PullProcessor::ArmScan() {
  const Duration interval = config_.settings.long_polling_enable
                                ? kHoldInterval
                                : config_.settings.short_polling_time_mills;
  const Duration late = lateness_->Between(Duration::Zero(), kMaxScanLateness);
  scan_.Arm(interval + late);
}

}  // namespace groupsim
