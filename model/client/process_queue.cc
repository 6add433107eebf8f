#include "model/client/process_queue.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "model/wire/message.h"

namespace groupsim {
namespace {

constexpr int64_t kMebibyte = 1024 * 1024;

// Bytes of a body; a message without one counts as empty.
int64_t BodyBytes(const Message& message) {
  return std::max(message.body_size, 0);
}

}  // namespace

bool ProcessQueue::PutMessages(absl::Span<const Message> messages,
                               std::optional<int64_t> broker_max_offset) {
  for (const Message& message : messages) {
    if (!cached_.Put(message)) continue;
    ++msg_count_;
    msg_size_ += BodyBytes(message);
    queue_offset_max_ = message.queue_offset;
  }
  bool start = false;
  if (!cached_.empty() && !consuming_) {
    consuming_ = true;
    start = true;
  }
  if (!messages.empty() && broker_max_offset.has_value()) {
    const int64_t behind = *broker_max_offset - messages.back().queue_offset;
    if (behind > 0) msg_acc_cnt_ = behind;
  }
  return start;
}

int64_t ProcessQueue::MaxSpan() const {
  return cached_.empty() ? 0 : cached_.LastOffset() - cached_.FirstOffset();
}

void ProcessQueue::Clear() {
  cached_.Clear();
  in_flight_.Clear();
  msg_count_ = 0;
  msg_size_ = 0;
  queue_offset_max_ = 0;
}

int64_t ProcessQueue::RemoveMessages(absl::Span<const Message> messages,
                                     int64_t now_millis) {
  last_consume_millis_ = now_millis;
  if (cached_.empty()) return -1;
  int64_t removed = 0;
  for (const Message& message : messages) {
    if (!cached_.Erase(message.queue_offset)) continue;
    ++removed;
    // The size of the message at hand, which may differ from the cached one's.
    msg_size_ -= BodyBytes(message);
  }
  msg_count_ -= removed;
  if (msg_count_ == 0 && empty_counts_no_bytes_) msg_size_ = 0;
  return cached_.empty() ? queue_offset_max_ + 1 : cached_.FirstOffset();
}

std::vector<Message> ProcessQueue::TakeMessages(size_t limit,
                                                int64_t now_millis) {
  last_consume_millis_ = now_millis;
  std::vector<Message> taken;
  while (taken.size() < limit && !cached_.empty()) {
    taken.push_back(cached_.TakeFirst());
    in_flight_.Put(taken.back());
  }
  if (taken.empty()) consuming_ = false;
  return taken;
}

std::optional<int64_t> ProcessQueue::Commit() {
  if (in_flight_.empty()) return std::nullopt;
  const int64_t last = in_flight_.LastOffset();
  msg_count_ -= static_cast<int64_t>(in_flight_.size());
  while (!in_flight_.empty()) msg_size_ -= BodyBytes(in_flight_.TakeFirst());
  if (msg_count_ == 0 && empty_counts_no_bytes_) msg_size_ = 0;
  return last + 1;
}

void ProcessQueue::Rollback() {
  while (!in_flight_.empty()) cached_.Put(in_flight_.TakeFirst());
}

void ProcessQueue::MakeMessagesConsumeAgain(
    absl::Span<const Message> messages) {
  for (const Message& message : messages) {
    in_flight_.Erase(message.queue_offset);
    cached_.Put(message);
  }
}

ProcessQueueInfo ProcessQueue::Info() const {
  ProcessQueueInfo info;
  if (!cached_.empty()) {
    info.cached_min_offset = cached_.FirstOffset();
    info.cached_max_offset = cached_.LastOffset();
    info.cached_count = static_cast<int64_t>(cached_.size());
  }
  info.cached_size_in_mib = msg_size_ / kMebibyte;
  if (!in_flight_.empty()) {
    info.in_flight_min_offset = in_flight_.FirstOffset();
    info.in_flight_max_offset = in_flight_.LastOffset();
    info.in_flight_count = static_cast<int64_t>(in_flight_.size());
  }
  return info;
}

}  // namespace groupsim
