// What is remembered of each message of a queue.
#ifndef GROUPSIM_SCENARIOS_MEASURE_MESSAGE_CHUNKS_H_
#define GROUPSIM_SCENARIOS_MEASURE_MESSAGE_CHUNKS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

#include "model/base/time.h"

namespace groupsim {

// Messages of one queue, one after the other, in chunks. Eight bytes a message
// and one a message and group; eight more for each of the times that are known
// of messages of the chunk.
class MessageChunks {
 public:
  static constexpr int64_t kSize = 1'024;
  static constexpr uint8_t kDelivered = 1;
  static constexpr uint8_t kFinished = 2;
  static constexpr uint8_t kFailed = 4;    // Comes again from its consumer.
  static constexpr uint8_t kUnwanted = 8;  // Nobody subscribes to its tag.

  // Nanoseconds by message; all kUnknown before the first is set.
  class Times {
   public:
    static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::min();

    int64_t Get(size_t message) const {
      return values_ == nullptr ? kUnknown : (*values_)[message];
    }
    void Set(size_t message, Instant time) {
      if (values_ == nullptr) {
        values_ = std::make_unique<std::array<int64_t, kSize>>();
        values_->fill(kUnknown);
      }
      (*values_)[message] = time.nanos();
    }

   private:
    std::unique_ptr<std::array<int64_t, kSize>> values_;
  };

  // What one group has done.
  struct GroupPart {
    std::array<uint8_t, kSize> state{};
    int64_t delivered = 0;
    // When a message was delivered last; once it is finished, when that was.
    Times moment;
  };
  struct Chunk {
    std::array<int64_t, kSize> stored{};  // Nanoseconds.
    Times scheduled;                      // As producers say.
    std::vector<GroupPart> groups;
  };

  explicit MessageChunks(size_t groups) : groups_(groups) {}
  MessageChunks(MessageChunks&&) = default;

  // Offsets go up by one; the first one may be any.
  void Append(int64_t offset, Instant stored) {
    if (first_ < 0) {
      first_ = end_ = offset;
      first_chunk_ = offset / kSize;
    }
    ++end_;
    const int64_t number = offset / kSize - first_chunk_;
    if (number >= static_cast<int64_t>(chunks_.size())) {
      chunks_.push_back(std::make_unique<Chunk>());
      chunks_.back()->groups.resize(groups_);
    }
    chunks_[static_cast<size_t>(number)]->stored[Place(offset)] =
        stored.nanos();
  }

  // The chunk of an offset; null where there is none or it was given back.
  Chunk* Of(int64_t offset) const {
    const int64_t number = offset / kSize - first_chunk_;
    if (offset < 0 || number < 0 ||
        number >= static_cast<int64_t>(chunks_.size())) {
      return nullptr;
    }
    return chunks_[static_cast<size_t>(number)].get();
  }
  static size_t Place(int64_t offset) {
    return static_cast<size_t>(offset % kSize);
  }

  // Messages of [from, to) in kept chunks whose state, masked, is `state`.
  struct Masked {
    uint8_t mask = 0;
    uint8_t state = 0;
  };
  int64_t Count(size_t group, int64_t from, int64_t to, Masked wanted) const {
    int64_t count = 0;
    for (int64_t begin = std::max<int64_t>(from, 0); begin < to;) {
      const int64_t end = std::min(to, (begin / kSize + 1) * kSize);
      if (const Chunk* chunk = Of(begin); chunk != nullptr) {
        const auto first = chunk->groups[group].state.begin() + begin % kSize;
        count += std::count_if(first, first + (end - begin), [&](uint8_t s) {
          return (s & wanted.mask) == wanted.state;
        });
      }
      begin = end;
    }
    return count;
  }

  // The oldest chunk and the offsets [begin, end) in it; the last chunk is
  // never given back.
  bool HasOld() const { return chunks_.size() > 1; }
  const Chunk& oldest() const { return *chunks_.front(); }
  int64_t oldest_begin() const {
    return std::max(first_, first_chunk_ * kSize);
  }
  int64_t oldest_end() const { return (first_chunk_ + 1) * kSize; }
  void GiveBackOldest() {
    chunks_.pop_front();
    ++first_chunk_;
  }

  int64_t first() const { return first_; }  // -1 if there is none.
  int64_t end() const { return end_; }      // One past the last message.

 private:
  const size_t groups_;
  int64_t first_ = -1;
  int64_t end_ = 0;
  int64_t first_chunk_ = 0;
  std::deque<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_MESSAGE_CHUNKS_H_
