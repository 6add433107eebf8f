// The messages of one broker: its commit log and consume queues, as consumers
// see them (DefaultMessageStore, CommitLog, ConsumeQueue, 5.3.3).
//
// A message is first appended, which gives it its offset, and becomes visible
// when it is dispatched. Bodies are only sizes. A message costs 24 bytes, or 32
// where messages have keys, until it is deleted with the beginning of the log.
// What a group has passed is kept because it can still be read: offsets may go
// back, and another group may begin at the first message.
#ifndef GROUPSIM_MODEL_BROKER_MESSAGE_STORE_H_
#define GROUPSIM_MODEL_BROKER_MESSAGE_STORE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/broker/name_indexed.h"
#include "model/broker/settings.h"
#include "model/broker/tag_filter.h"
#include "model/wire/codes.h"
#include "model/wire/message.h"

namespace groupsim {

// Largest queue id that a broker keeps anything of; facts have 16 bits for it.
inline constexpr int32_t kMaxQueueId = 65'535;

// How reading the store ended (GetMessageStatus).
enum class GetMessageStatus : uint8_t {
  kFound,
  kMessageWasRemoving,
  kNoMatchedMessage,
  kNoMessageInQueue,
  kNoMatchedLogicQueue,
  kOffsetFoundNull,
  kOffsetOverflowOne,
  kOffsetOverflowBadly,
  kOffsetTooSmall,
  kOffsetReset,
};
// Upstream's constant, e.g. "OFFSET_OVERFLOW_ONE".
absl::string_view NameOf(GetMessageStatus status);

// The code with which a pull from `asked_offset` is answered
// (PullMessageProcessor.composeResponseHeader).
ResponseCode PullCodeOf(GetMessageStatus status, int64_t asked_offset);

// What few messages have: those that were sent back, and those that wait.
struct StoredProperties {
  MessageOrigin origin;         // RETRY_TOPIC, ORIGIN_MESSAGE_ID.
  int32_t reconsume_times = 0;  // RECONSUME_TIME
  // Of messages that wait: where they will be (REAL_TOPIC, REAL_QID), and from
  // when on, in wall milliseconds (the tags code of their entry).
  int32_t real_queue_id = 0;
  Name real_topic;
  int64_t due_millis = 0;

  friend bool operator==(const StoredProperties&,
                         const StoredProperties&) = default;
};

// Outcome of a read. The bounds are those of the queue.
struct GetMessageResult {
  GetMessageStatus status = GetMessageStatus::kNoMessageInQueue;
  int64_t next_begin_offset = 0;
  int64_t min_offset = 0;
  int64_t max_offset = 0;
};

// One queue of the store. Its messages are found by offset, in chunks.
class StoredQueue {
 public:
  StoredQueue(Name topic, int32_t queue_id, uint32_t index)
      : topic_(topic), queue_id_(queue_id), index_(index) {}

  Name topic() const { return topic_; }
  int32_t queue_id() const { return queue_id_; }
  // Number of the queue in its store, in order of creation, from 0.
  uint32_t index() const { return index_; }

  // Smallest offset that can be read.
  int64_t min_offset() const { return min_; }
  // One more than the offset of the last dispatched message: the "max offset"
  // of every request.
  int64_t max_offset() const { return dispatched_; }
  // The offset of the next message to be appended.
  int64_t next_offset() const { return appended_; }

 private:
  friend class MessageStore;

  // One message: 24 bytes. A position of 2^48 bytes is beyond any disk; a
  // message older than 2^40 ns (18 min) when it is stored counts as that old.
  struct Record {
    int64_t stored;
    uint64_t position : 48;
    uint64_t tag : 16;  // Place in MessageStore::tags_.
    uint64_t age : 40;  // From birth to store.
    uint64_t body_size : 24;
  };
  static_assert(sizeof(Record) == 24);

  static constexpr int kChunkBits = 12;
  static constexpr int64_t kChunkSize = int64_t{1} << kChunkBits;
  struct Chunk {
    std::vector<Record> records;
    std::vector<uint64_t> keys;                // Empty while all keys are 0.
    std::vector<StoredProperties> properties;  // Empty while none has any.
  };

  const Record& At(int64_t offset) const {
    return chunks_[static_cast<size_t>(offset >> kChunkBits)]
        .records[static_cast<size_t>(offset & (kChunkSize - 1))];
  }
  uint64_t KeyAt(int64_t offset) const {
    const Chunk& chunk = chunks_[static_cast<size_t>(offset >> kChunkBits)];
    return chunk.keys.empty()
               ? 0
               : chunk.keys[static_cast<size_t>(offset & (kChunkSize - 1))];
  }
  // The properties of a message; null for none.
  const StoredProperties* PropertiesAt(int64_t offset) const {
    const Chunk& chunk = chunks_[static_cast<size_t>(offset >> kChunkBits)];
    const auto place = static_cast<size_t>(offset & (kChunkSize - 1));
    return place < chunk.properties.size() ? &chunk.properties[place] : nullptr;
  }
  void Push(const Record& record, uint64_t key,
            const StoredProperties* properties);
  // The first kept offset whose message begins at this position of the log or
  // later; next_offset() if there is none.
  int64_t FirstFrom(int64_t position) const;
  // Returns how many dispatched messages that deletes.
  int64_t DeleteBefore(int64_t position);

  const Name topic_;
  const int32_t queue_id_;
  const uint32_t index_;
  int64_t min_ = 0;
  int64_t appended_ = 0;
  int64_t dispatched_ = 0;
  std::vector<Chunk> chunks_;  // Empty where all is deleted.
};

class MessageStore {
 public:
  MessageStore() : tags_(1) {}
  MessageStore(const MessageStore&) = delete;
  MessageStore& operator=(const MessageStore&) = delete;

  // ---- Queues ----

  // Null where nobody has asked for the queue before.
  StoredQueue* Find(Name topic, int32_t queue_id);
  // Queues come into being when they are first asked for.
  // `queue_id` is in [0, kMaxQueueId].
  StoredQueue& FindOrCreate(Name topic, int32_t queue_id);
  StoredQueue& queue(uint32_t index) { return queues_[index]; }
  size_t queue_count() const { return queues_.size(); }

  // ---- Writing ----

  struct NewMessage {
    Instant born;
    uint64_t key = 0;
    Name tag;
    int32_t body_size = 0;  // Bytes, from 0 to 16 Mi - 1.
    const StoredProperties* properties = nullptr;  // Null for none.
  };
  // Appends a message, not yet visible, and returns its offset in `queue`.
  int64_t Append(StoredQueue& queue, const NewMessage& message, Instant now);

  // Whether appended messages wait for their dispatch.
  bool has_undispatched() const { return !undispatched_.empty(); }
  // Makes all appended messages visible in the order of the log, and calls
  // `arrived(queue, tags_code)` after each, when queue.max_offset() counts it.
  // `arrived` must not append.
  template <class Arrived>
  void Dispatch(Arrived arrived) {
    for (const uint32_t index : undispatched_) {
      StoredQueue& queue = queues_[index];
      const int64_t offset = queue.dispatched_++;
      arrived(queue, tags_[queue.At(offset).tag].code);
    }
    undispatched_.clear();
  }
  // What a restart does: everything in the log is dispatched.
  void Recover() {
    Dispatch([](StoredQueue&, int32_t) {});
  }

  // ---- Deleting ----

  // When the last message was appended that begins before this position of the
  // log; the start of time where there is none.
  Instant LastWriteBefore(int64_t position) const;
  // Deletes the log before this position, which is not beyond its end: queues
  // begin at their first message that is left, or at their end. Calls
  // `changed(queue, deleted)` for each where that is another one.
  template <class Changed>
  void DeleteBefore(int64_t position, Changed changed) {
    log_begin_ = std::max(log_begin_, position);
    for (StoredQueue& queue : queues_) {
      const int64_t deleted = queue.DeleteBefore(log_begin_);
      if (deleted > 0) changed(queue, deleted);
    }
  }

  // ---- Reading ----

  struct GetMessageQuery {
    int64_t offset = 0;
    int32_t max_msg_nums = 32;
    const TagFilter* filter = nullptr;  // Null lets all through.
  };
  // Reads from `queue`, adding what is found to `messages`
  // (DefaultMessageStore.getMessage).
  GetMessageResult GetMessage(const StoredQueue& queue,
                              const GetMessageQuery& query,
                              const BrokerSettings& settings,
                              MessageBatch& messages) const;

  // Whether the message at `offset`, which must be dispatched, is so near to
  // the end of the log that it counts as in memory
  // (DefaultMessageStore.estimateInMemByCommitOffset).
  bool IsInMemory(const StoredQueue& queue, int64_t offset,
                  const BrokerSettings& settings) const;

  // The smallest visible offset whose message was stored at or after `time`;
  // the maximum where there is none (getOffsetInQueueByTime, LOWER).
  int64_t OffsetByTime(const StoredQueue& queue, Instant time) const;

  // The message at `offset`, which must be appended.
  Message Read(const StoredQueue& queue, int64_t offset) const;
  // The properties of such a message; null for none.
  const StoredProperties* PropertiesOf(const StoredQueue& queue,
                                       int64_t offset) const {
    return queue.PropertiesAt(offset);
  }

  // Where the message is that begins at this position of the log; a null queue
  // where none does. Queues of the `likely` topics are looked through first
  // (lookMessageByOffset).
  struct Place {
    StoredQueue* queue = nullptr;
    int64_t offset = 0;
  };
  Place FindByPosition(int64_t position, absl::Span<const Name> likely);

  // Where the commit log begins and ends, in bytes.
  int64_t log_begin() const { return log_begin_; }
  int64_t log_end() const { return log_end_; }

 private:
  struct Tag {
    Name name;
    int32_t code = 0;
    int32_t property_size = 0;  // Bytes in a record.
  };
  struct TopicQueues {
    std::vector<uint32_t> places;  // By queue id; index + 1, 0 for none.
  };

  uint16_t TagPlace(Name tag);
  // Bytes of the commit log that a message takes.
  int64_t RecordSize(const StoredQueue& queue,
                     const StoredQueue::Record& record, uint64_t key) const;
  static std::optional<int64_t> OffsetAt(const StoredQueue& queue,
                                         int64_t position);

  std::deque<StoredQueue> queues_;
  NameIndexed<TopicQueues> topics_;
  std::vector<Tag> tags_;  // The first one stands for no tag.
  absl::flat_hash_map<Name, uint16_t> tag_places_;
  std::vector<uint32_t> undispatched_;  // Queues, in log order.
  int64_t log_begin_ = 0;
  int64_t log_end_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_MESSAGE_STORE_H_
