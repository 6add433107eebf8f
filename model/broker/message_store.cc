#include "model/broker/message_store.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/base/check.h"

namespace groupsim {
namespace {

// Bytes of one property of a record, separators included.
constexpr int32_t PropertySize(size_t name, size_t value) {
  return static_cast<int32_t>(name + value + 2);
}

// A record without body, topic and properties: format V1, addresses of four
// bytes (MessageExtEncoder).
constexpr int64_t kFixedRecordSize = 91;
// UNIQ_KEY of 32 characters, WAIT=true, CLUSTER=DefaultCluster.
constexpr int64_t kUsualProperties =
    PropertySize(8, 32) + PropertySize(4, 4) + PropertySize(7, 14);
// KEYS, a number of 16 digits.
constexpr int64_t kKeyProperty = PropertySize(4, 16);

// Bytes at the end of the log that count as in memory.
int64_t MemorySize(const BrokerSettings& settings) {
  return settings.total_physical_memory_size / 100 *
         settings.access_message_in_memory_max_ratio;
}

}  // namespace

absl::string_view NameOf(GetMessageStatus status) {
  switch (status) {
    case GetMessageStatus::kFound:
      return "FOUND";
    case GetMessageStatus::kMessageWasRemoving:
      return "MESSAGE_WAS_REMOVING";
    case GetMessageStatus::kNoMatchedMessage:
      return "NO_MATCHED_MESSAGE";
    case GetMessageStatus::kNoMessageInQueue:
      return "NO_MESSAGE_IN_QUEUE";
    case GetMessageStatus::kNoMatchedLogicQueue:
      return "NO_MATCHED_LOGIC_QUEUE";
    case GetMessageStatus::kOffsetFoundNull:
      return "OFFSET_FOUND_NULL";
    case GetMessageStatus::kOffsetOverflowOne:
      return "OFFSET_OVERFLOW_ONE";
    case GetMessageStatus::kOffsetOverflowBadly:
      return "OFFSET_OVERFLOW_BADLY";
    case GetMessageStatus::kOffsetTooSmall:
      return "OFFSET_TOO_SMALL";
    case GetMessageStatus::kOffsetReset:
      return "OFFSET_RESET";
  }
  CHECK(false) << "no such status";
  return "";
}

ResponseCode PullCodeOf(GetMessageStatus status, int64_t asked_offset) {
  switch (status) {
    case GetMessageStatus::kFound:
      return ResponseCode::kSuccess;
    case GetMessageStatus::kMessageWasRemoving:
    case GetMessageStatus::kNoMatchedMessage:
      return ResponseCode::kPullRetryImmediately;
    case GetMessageStatus::kNoMessageInQueue:
    case GetMessageStatus::kNoMatchedLogicQueue:
      return asked_offset != 0 ? ResponseCode::kPullOffsetMoved
                               : ResponseCode::kPullNotFound;
    case GetMessageStatus::kOffsetFoundNull:
    case GetMessageStatus::kOffsetOverflowOne:
      return ResponseCode::kPullNotFound;
    case GetMessageStatus::kOffsetOverflowBadly:
    case GetMessageStatus::kOffsetTooSmall:
    case GetMessageStatus::kOffsetReset:
      return ResponseCode::kPullOffsetMoved;
  }
  CHECK(false) << "no such status";
  return ResponseCode::kSystemError;
}

void StoredQueue::Push(const Record& record, uint64_t key,
                       const StoredProperties* properties) {
  if ((appended_ & (kChunkSize - 1)) == 0) chunks_.emplace_back();
  Chunk& chunk = chunks_.back();
  if (key != 0 || !chunk.keys.empty()) {
    chunk.keys.resize(chunk.records.size());  // Keys of 0 so far.
    chunk.keys.push_back(key);
  }
  if (properties != nullptr) {
    chunk.properties.resize(chunk.records.size());  // None so far.
    chunk.properties.push_back(*properties);
  }
  chunk.records.push_back(record);
  ++appended_;
}

int64_t StoredQueue::FirstFrom(int64_t position) const {
  int64_t low = min_;
  int64_t high = appended_;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (static_cast<int64_t>(At(middle).position) < position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

int64_t StoredQueue::DeleteBefore(int64_t position) {
  const int64_t before = min_;
  const int64_t first = std::min(FirstFrom(position), dispatched_);
  for (int64_t chunk = min_ >> kChunkBits; chunk < first >> kChunkBits;
       ++chunk) {
    chunks_[static_cast<size_t>(chunk)] = Chunk();
  }
  min_ = first;
  return min_ - before;
}

Instant MessageStore::LastWriteBefore(int64_t position) const {
  Instant last = Instant::FromNanos(INT64_MIN);
  for (const StoredQueue& queue : queues_) {
    const int64_t next = queue.FirstFrom(position);
    if (next == queue.min_offset()) continue;
    last = std::max(last, Instant::FromNanos(queue.At(next - 1).stored));
  }
  return last;
}

StoredQueue* MessageStore::Find(Name topic, int32_t queue_id) {
  const TopicQueues* queues = topics_.Find(topic);
  if (queues == nullptr || queue_id < 0 ||
      static_cast<size_t>(queue_id) >= queues->places.size()) {
    return nullptr;
  }
  const uint32_t place = queues->places[static_cast<size_t>(queue_id)];
  return place == 0 ? nullptr : &queues_[place - 1];
}

StoredQueue& MessageStore::FindOrCreate(Name topic, int32_t queue_id) {
  if (StoredQueue* found = Find(topic, queue_id)) return *found;
  CHECK(queue_id >= 0 && queue_id <= kMaxQueueId) << queue_id;
  TopicQueues* queues = topics_.Find(topic);
  if (queues == nullptr) queues = &topics_.Add(topic);
  const auto id = static_cast<size_t>(queue_id);
  if (id >= queues->places.size()) queues->places.resize(id + 1);
  const auto index = static_cast<uint32_t>(queues_.size());
  queues->places[id] = index + 1;
  return queues_.emplace_back(topic, queue_id, index);
}

uint16_t MessageStore::TagPlace(Name tag) {
  if (tag.empty()) return 0;
  const auto [entry, is_new] = tag_places_.try_emplace(tag, 0);
  if (is_new) {
    CHECK_LE(tags_.size(), size_t{UINT16_MAX}) << "too many tags";
    entry->second = static_cast<uint16_t>(tags_.size());
    tags_.push_back(Tag{tag, JavaStringHash(tag.text()),
                        PropertySize(4, tag.text().size())});
  }
  return entry->second;
}

int64_t MessageStore::RecordSize(const StoredQueue& queue,
                                 const StoredQueue::Record& record,
                                 uint64_t key) const {
  return kFixedRecordSize + kUsualProperties +
         static_cast<int64_t>(queue.topic().text().size()) +
         static_cast<int64_t>(record.body_size) +
         tags_[record.tag].property_size + (key == 0 ? 0 : kKeyProperty);
}

int64_t MessageStore::Append(StoredQueue& queue, const NewMessage& message,
                             Instant now) {
  constexpr int64_t kMaxAge = (int64_t{1} << 40) - 1;
  const int64_t age = (now - message.born).nanos();
  CHECK(message.body_size >= 0 && message.body_size < 1 << 24)
      << message.body_size;
  StoredQueue::Record record{};
  record.stored = now.nanos();
  record.position = static_cast<uint64_t>(log_end_);
  record.tag = TagPlace(message.tag);
  record.age = static_cast<uint64_t>(std::clamp<int64_t>(age, 0, kMaxAge));
  record.body_size = static_cast<uint32_t>(message.body_size);
  const int64_t offset = queue.appended_;
  queue.Push(record, message.key, message.properties);
  log_end_ += RecordSize(queue, record, message.key);
  undispatched_.push_back(queue.index());
  return offset;
}

Message MessageStore::Read(const StoredQueue& queue, int64_t offset) const {
  const StoredQueue::Record& record = queue.At(offset);
  Message message;
  message.queue_offset = offset;
  message.commit_log_offset = static_cast<int64_t>(record.position);
  message.stored = Instant::FromNanos(record.stored);
  message.born = message.stored -
                 Duration::Nanos(static_cast<int64_t>(uint64_t{record.age}));
  message.key = queue.KeyAt(offset);
  message.tag = tags_[record.tag].name;
  message.body_size = static_cast<int32_t>(record.body_size);
  if (const StoredProperties* properties = queue.PropertiesAt(offset)) {
    message.reconsume_times = properties->reconsume_times;
    message.origin = properties->origin;
  }
  return message;
}

std::optional<int64_t> MessageStore::OffsetAt(const StoredQueue& queue,
                                              int64_t position) {
  const int64_t low = queue.FirstFrom(position);
  if (low == queue.next_offset() ||
      static_cast<int64_t>(queue.At(low).position) != position) {
    return std::nullopt;
  }
  return low;
}

MessageStore::Place MessageStore::FindByPosition(
    int64_t position, absl::Span<const Name> likely) {
  for (const Name topic : likely) {
    const TopicQueues* queues = topics_.Find(topic);
    if (queues == nullptr) continue;
    for (const uint32_t place : queues->places) {
      if (place == 0) continue;
      StoredQueue& queue = queues_[place - 1];
      const std::optional<int64_t> offset = OffsetAt(queue, position);
      if (offset.has_value()) return {&queue, *offset};
    }
  }
  for (StoredQueue& queue : queues_) {
    const std::optional<int64_t> offset = OffsetAt(queue, position);
    if (offset.has_value()) return {&queue, *offset};
  }
  return {};
}

bool MessageStore::IsInMemory(const StoredQueue& queue, int64_t offset,
                              const BrokerSettings& settings) const {
  const auto position = static_cast<int64_t>(queue.At(offset).position);
  return log_end_ - position <= MemorySize(settings);
}

GetMessageResult MessageStore::GetMessage(const StoredQueue& queue,
                                          const GetMessageQuery& query,
                                          const BrokerSettings& settings,
                                          MessageBatch& messages) const {
  GetMessageResult result;
  result.min_offset = queue.min_offset();
  result.max_offset = queue.max_offset();
  const int64_t max = result.max_offset;
  if (max == 0) {
    result.status = GetMessageStatus::kNoMessageInQueue;
    return result;
  }
  if (query.offset < result.min_offset) {
    result.status = GetMessageStatus::kOffsetTooSmall;
    result.next_begin_offset = result.min_offset;
    return result;
  }
  if (query.offset >= max) {
    result.status = query.offset == max
                        ? GetMessageStatus::kOffsetOverflowOne
                        : GetMessageStatus::kOffsetOverflowBadly;
    result.next_begin_offset = max;
    return result;
  }

  const int64_t most_scanned = std::max<int64_t>(
      settings.max_filter_message_size / kConsumeQueueUnit +
          (settings.max_filter_message_size % kConsumeQueueUnit != 0),
      query.max_msg_nums);
  const int64_t file_end =
      (query.offset / kConsumeQueueFileEntries + 1) * kConsumeQueueFileEntries;
  const int64_t end = std::min({max, file_end, query.offset + most_scanned});
  if (end - query.offset > 1) {
    messages.reserve(static_cast<size_t>(std::min<int64_t>(
        end - query.offset, settings.max_transfer_count_on_message_in_memory)));
  }
  const int64_t memory = MemorySize(settings);
  result.status = GetMessageStatus::kNoMatchedMessage;
  int64_t count = 0;
  int64_t bytes = 0;
  int64_t offset = query.offset;
  for (; offset < end; ++offset) {
    const StoredQueue::Record& record = queue.At(offset);
    const int64_t size = RecordSize(queue, record, queue.KeyAt(offset));
    if (count > 0) {
      const bool in_memory =
          log_end_ - static_cast<int64_t>(record.position) <= memory;
      const int64_t most_bytes =
          in_memory ? settings.max_transfer_bytes_on_message_in_memory
                    : settings.max_transfer_bytes_on_message_in_disk;
      const int64_t most_count =
          in_memory ? settings.max_transfer_count_on_message_in_memory
                    : settings.max_transfer_count_on_message_in_disk;
      if (count + 1 > query.max_msg_nums) break;
      if (bytes + size > std::min(most_bytes, kMaxPullMessageSize)) break;
      if (count > most_count - 1) break;
    }
    if (query.filter != nullptr &&
        !query.filter->Matches(tags_[record.tag].code)) {
      continue;
    }
    messages.push_back(Read(queue, offset));
    ++count;
    bytes += size;
    result.status = GetMessageStatus::kFound;
  }
  result.next_begin_offset = offset;
  return result;
}

int64_t MessageStore::OffsetByTime(const StoredQueue& queue,
                                   Instant time) const {
  int64_t low = queue.min_offset();
  int64_t high = queue.max_offset();
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (queue.At(middle).stored < time.nanos()) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace groupsim
