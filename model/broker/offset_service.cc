#include "model/broker/offset_service.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/broker/disturbance.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"

namespace groupsim {
namespace {

constexpr int64_t kMilli = 1'000'000;  // Nanoseconds.

Reply OffsetIs(int64_t offset) {
  OffsetReply reply;
  reply.offset = offset;
  return Reply(ResponseCode::kSuccess, reply);
}

}  // namespace

OffsetService::OffsetService(Env& env, const BrokerConfig& config,
                             BrokerDisk& disk)
    : env_(env), config_(config), disk_(disk) {
  table_.LoadFrom(disk.offsets);
}

void OffsetService::Commit(const StoredQueue& queue, Name group,
                           int64_t offset) {
  const int64_t before = table_.Commit(queue.index(), group, offset);
  if (before == offset) return;
  Fact fact;
  fact.kind = FactKind::COMMITTED;
  fact.group = NarrowId(group);
  fact.topic = queue.topic().id();
  fact.broker = NarrowId(config_.broker);
  fact.queue = static_cast<uint16_t>(queue.queue_id());
  fact.offset = offset;
  fact.count = before;
  env_.Emit(fact);
}

void OffsetService::Reset(const StoredQueue& queue, Name group,
                          int64_t offset) {
  resets_[{queue.index(), group}] = offset;
  Commit(queue, group, offset);
}

std::optional<int64_t> OffsetService::FindReset(const StoredQueue& queue,
                                                Name group, bool take) {
  const auto it = resets_.find({queue.index(), group});
  if (it == resets_.end()) return std::nullopt;
  const int64_t offset = it->second;
  if (take) resets_.erase(it);
  return offset;
}

int64_t OffsetService::OffsetAt(const StoredQueue& queue,
                                int64_t wall_millis) const {
  // The store keeps times of the steady clock. A message counts as stored in
  // the whole millisecond that its wall clock showed.
  const int64_t wall_at_start = env_.WallMillis() - env_.Now().nanos() / kMilli;
  const __int128 nanos =
      (static_cast<__int128>(wall_millis) - wall_at_start) * kMilli;
  const auto time =
      static_cast<int64_t>(std::clamp<__int128>(nanos, INT64_MIN, INT64_MAX));
  return disk_.store.OffsetByTime(queue, Instant::FromNanos(time));
}

void OffsetService::Clone(const StoredQueue& queue, Name from, Name to) {
  const int64_t offset = Find(queue, from);
  if (offset >= 0) {
    Commit(queue, to, offset);
  } else {
    table_.Erase(queue.index(), to);
  }
}

Reply OffsetService::Answer(const QueryConsumerOffsetRequest& request) {
  const StoredQueue* queue =
      disk_.store.Find(request.queue.topic, request.queue.queue_id);
  if (queue != nullptr) {
    const std::optional<int64_t> reset =
        FindReset(*queue, request.group, /*take=*/false);
    if (reset.has_value()) return OffsetIs(*reset);
    const int64_t offset = table_.Query(queue->index(), request.group);
    if (offset >= 0) return OffsetIs(offset);
    // A group new to a young queue begins at its first message, wherever it
    // wants to begin. Upstream asks the system whether that message is in
    // memory; here the store's own estimate stands for the answer.
    if (queue->min_offset() <= 0 && queue->max_offset() > 0 &&
        disk_.store.IsInMemory(*queue, 0, config_.settings)) {
      return OffsetIs(0);
    }
  }
  if (config_.profile.empty_queue_has_offset_zero &&
      (queue == nullptr || queue->max_offset() == 0)) {
    return OffsetIs(0);
  }
  return Reply(ResponseCode::kQueryNotFound,
               "no offset of this group is known, it may be a new one");
}

bool OffsetService::Refuses(Name group) const {
  return config_.disturbance != nullptr &&
         config_.disturbance->refused_commits().Concern(group);
}

Reply OffsetService::Answer(const UpdateConsumerOffsetRequest& request) {
  if (Refuses(request.group)) {
    return Reply(ResponseCode::kSystemError, "offsets are not stored");
  }
  const bool refuses = config_.profile.refuses_commits_of_unknown;
  if (refuses && disk_.groups.Find(request.group) == nullptr) {
    return Reply(ResponseCode::kSubscriptionGroupNotExist,
                 "the group is not known here");
  }
  if (refuses && disk_.topics.Find(request.queue.topic) == nullptr) {
    return Reply(ResponseCode::kTopicNotExist, "the topic is not known here");
  }
  if (request.queue.queue_id < 0 || request.queue.queue_id > kMaxQueueId) {
    return Reply(config_.profile.bad_argument, "there is no such queue");
  }
  const StoredQueue& queue =
      disk_.store.FindOrCreate(request.queue.topic, request.queue.queue_id);
  if (FindReset(queue, request.group, /*take=*/false).has_value()) {
    return Reply(ResponseCode::kSuccess, "the offset has been reset before");
  }
  Commit(queue, request.group, request.commit_offset);
  return Reply(ResponseCode::kSuccess);
}

Reply OffsetService::Answer(const GetMaxOffsetRequest& request) {
  const StoredQueue* queue =
      disk_.store.Find(request.queue.topic, request.queue.queue_id);
  return OffsetIs(queue == nullptr ? 0 : queue->max_offset());
}

Reply OffsetService::Answer(const GetMinOffsetRequest& request) {
  const StoredQueue* queue =
      disk_.store.Find(request.queue.topic, request.queue.queue_id);
  return OffsetIs(queue == nullptr ? 0 : queue->min_offset());
}

Reply OffsetService::Answer(const SearchOffsetRequest& request) {
  const StoredQueue* queue =
      disk_.store.Find(request.queue.topic, request.queue.queue_id);
  if (queue == nullptr) return OffsetIs(0);
  return OffsetIs(OffsetAt(*queue, request.timestamp));
}

}  // namespace groupsim
