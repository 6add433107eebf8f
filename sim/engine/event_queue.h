// The order of events: a monotone radix heap.
#ifndef GROUPSIM_SIM_ENGINE_EVENT_QUEUE_H_
#define GROUPSIM_SIM_ENGINE_EVENT_QUEUE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/engine/due_lane.h"
#include "sim/engine/event_pool.h"
#include "sim/engine/key_list.h"

namespace groupsim {

// Keys of pending events in the order of (time, word).
//
// Virtual time never goes back, which a binary heap cannot use and a radix heap
// does: keys far from now lie unsorted in buckets, and only the few that come
// next are in order.
//
//   due lane   keys pushed for the current instant
//   front      keys below `front_end_`, sorted; the next one is popped here
//   buckets    all other keys: bucket b holds those whose highest bit different
//              from `floor_` is bit b, in the order in which they were pushed
//
// When the front runs out, the lowest buckets are sorted into it as far as they
// are small; a large one is dealt out over the buckets below it. A key moves
// down at most once for each of its bits, however many keys there are.
//
// Invariant: floor_ <= now, and a bucket that lies wholly below `front_end_` is
// empty. So every push finds its place, below the keys that came earlier too,
// and the floor moves only when a key is popped: looking at what comes next, or
// finding that nothing is due before a limit, must not move it.
//
// Cancelled keys stay where they are until they are met, or until they
// outnumber the live ones and all are swept out. EventPool knows which key is
// live.
class EventQueue {
 public:
  // Keys of equal times are popped by word. Without `shuffled`, each word must
  // be greater than those pushed before; the queue then keeps the order of
  // pushes without comparing words.
  EventQueue(const EventPool& pool, bool shuffled);
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  // The time of the last pop, or later after AdvanceTo. Nanoseconds.
  uint64_t now() const { return now_; }

  // Live keys, and cancelled ones that are still in memory.
  size_t live() const { return live_; }
  size_t dead() const { return dead_; }

  // Memory held, in bytes.
  size_t bytes() const;

  // Adds a key at `time`, at least now() and below 2^63.
  void Push(uint64_t time, uint64_t word) {
    ++live_;
    if (time == now_) {
      due_.Push(word);
    } else if (time < front_end_) {
      PushFront({time, word});
    } else {
      if (time < nothing_before_) nothing_before_ = time;
      PushBucket({time, word});
    }
  }

  // To be called when the pool no longer holds a key that is in the queue.
  void Cancelled() {
    --live_;
    ++dead_;
    if (dead_ > live_ + kSweepSlack) [[unlikely]] {
      Sweep();
    }
  }

  // Takes out the first key and makes its time now(), if that is at most
  // `limit`; otherwise changes nothing.
  std::optional<EventKey> Pop(uint64_t limit) {
    for (;;) {
      if (front_head_ != front_.size()) {
        const EventKey key = front_[front_head_];
        if (due_.empty() || !DueComesBefore(key)) {
          if (!pool_.IsLive(key.word)) [[unlikely]] {
            ++front_head_;
            --dead_;
            continue;
          }
          if (key.time > limit) return std::nullopt;
          ++front_head_;
          --live_;
          now_ = key.time;
          return key;
        }
      } else if (due_.empty()) {
        if (!Refill(limit)) return std::nullopt;
        continue;
      }
      const uint64_t word = due_.next();
      due_.Pop();
      if (!pool_.IsLive(word)) {
        --dead_;
        continue;
      }
      --live_;
      return EventKey{now_, word};
    }
  }

  // The time of the next live key, or nothing. Moves no floor.
  std::optional<uint64_t> NextTime();

  // Makes `time` now(). No key may be pending at or before it.
  void AdvanceTo(uint64_t time) { now_ = time; }

 private:
  // Up to this many keys are sorted into the front at once.
  static constexpr size_t kFront = 64;
  // A front with more keys than this has its later ones put into buckets.
  static constexpr size_t kCrowded = 192;
  // Popped keys that may stay in the front's memory.
  static constexpr size_t kPopped = 1024;
  // The slots of keys in a bucket of at most this size are fetched into the
  // cache when it is dealt out: they are needed soon.
  static constexpr size_t kSoon = 256;
  // Sweeping fewer dead keys than this is not worth the walk.
  static constexpr size_t kSweepSlack = 256;

  // The bucket for a time that is not the floor.
  static int BucketOf(uint64_t time, uint64_t floor) {
    // Unlike std::countl_zero, the builtin has no case for zero.
    return 63 - __builtin_clzll(time ^ floor);
  }

  bool DueComesBefore(const EventKey& key) const {
    if (key.time != now_) return true;
    return shuffled_ && due_.next() < key.word;
  }

  void PushBucket(const EventKey& key) {
    const int bucket = BucketOf(key.time, floor_);
    buckets_[bucket].Append(key, chunks_);
    occupied_ |= uint64_t{1} << bucket;
  }

  void PushFront(const EventKey& key);

  // Sorts a part of the front, of which [begin, sorted) is sorted already.
  void SortFront(EventKey* begin, EventKey* sorted, EventKey* end);

  // Puts the later part of a crowded front into buckets.
  void Spill();

  // Moves the earliest keys of the buckets into the empty front, if the first
  // live one is at most `limit`; the caller then pops that one.
  bool Refill(uint64_t limit);

  // The time of the first live key in the buckets, or nothing; frees buckets
  // that hold only dead keys on the way.
  std::optional<uint64_t> FirstInBuckets();

  // Takes all keys of a bucket, calling visit(key) for each.
  template <class Visit>
  void DrainBucket(int bucket, Visit visit);

  // Removes every dead key.
  void Sweep();

  const EventPool& pool_;
  const bool shuffled_;

  uint64_t now_ = 0;
  size_t live_ = 0;
  size_t dead_ = 0;

  DueLane due_;

  std::vector<EventKey> front_;  // Ascending; those before front_head_ popped.
  size_t front_head_ = 0;
  uint64_t front_end_ = 0;

  uint64_t floor_ = 0;
  uint64_t nothing_before_ = 0;  // No key in a bucket is earlier.
  uint64_t occupied_ = 0;        // Bit b is set where bucket b has keys.
  std::array<KeyList, 64> buckets_;
  KeyChunkPool chunks_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_ENGINE_EVENT_QUEUE_H_
