#include "sim/engine/event_queue.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace groupsim {
namespace {

// Puts the keys of [sorted, end) where they belong in [begin, sorted), which is
// in order, and so on. Keys for which neither comes first keep their order.
template <class ComesFirst>
void InsertionSort(EventKey* begin, EventKey* sorted, EventKey* end,
                   ComesFirst comes_first) {
  for (; sorted != end; ++sorted) {
    const EventKey key = *sorted;
    EventKey* hole = sorted;
    for (; hole != begin && comes_first(key, hole[-1]); --hole) {
      *hole = hole[-1];
    }
    *hole = key;
  }
}

// The end of the range of times that differ from `floor` in no bit above
// `bucket`.
uint64_t RangeEnd(uint64_t floor, int bucket) {
  return ((floor >> bucket | 1) + 1) << bucket;
}

}  // namespace

EventQueue::EventQueue(const EventPool& pool, bool shuffled)
    : pool_(pool), shuffled_(shuffled), due_(shuffled) {
  front_.reserve(kPopped + 2 * kCrowded);
}

size_t EventQueue::bytes() const {
  return front_.capacity() * sizeof(EventKey) + due_.bytes() + chunks_.bytes();
}

void EventQueue::SortFront(EventKey* begin, EventKey* sorted, EventKey* end) {
  if (shuffled_) {
    InsertionSort(begin, sorted, end, std::less<>());
  } else {
    // Keys of equal times are in the order of their words already.
    InsertionSort(begin, sorted, end, [](const EventKey& a, const EventKey& b) {
      return a.time < b.time;
    });
  }
}

void EventQueue::PushFront(const EventKey& key) {
  if (front_head_ == front_.size()) {
    front_.clear();
    front_head_ = 0;
  } else if (front_head_ >= kPopped) {
    front_.erase(front_.begin(),
                 front_.begin() + static_cast<ptrdiff_t>(front_head_));
    front_head_ = 0;
  }
  front_.push_back(key);
  EventKey* begin = front_.data() + front_head_;
  EventKey* end = front_.data() + front_.size();
  SortFront(begin, end - 1, end);
  if (front_.size() - front_head_ > kCrowded) Spill();
}

void EventQueue::Spill() {
  // The front is not empty, so now_ lies in [floor_, front_end_): as the new
  // floor it differs from the old one only in bits of empty buckets.
  const size_t size = front_.size() - front_head_;
  uint64_t pivot = front_[front_head_ + size / 4].time;
  if (pivot == now_) pivot = front_.back().time;  // A key pushed for later.
  floor_ = now_;
  const int bucket = BucketOf(pivot, floor_);
  front_end_ = (floor_ >> bucket | 1) << bucket;
  const auto first = std::lower_bound(
      front_.begin() + static_cast<ptrdiff_t>(front_head_), front_.end(),
      front_end_,
      [](const EventKey& key, uint64_t time) { return key.time < time; });
  if (first->time < nothing_before_) nothing_before_ = first->time;
  for (auto key = first; key != front_.end(); ++key) PushBucket(*key);
  front_.erase(first, front_.end());
}

template <class Visit>
void EventQueue::DrainBucket(int bucket, Visit visit) {
  occupied_ &= ~(uint64_t{1} << bucket);
  buckets_[bucket].Drain(chunks_, visit);
}

std::optional<uint64_t> EventQueue::FirstInBuckets() {
  while (occupied_ != 0) {
    const int bucket = std::countr_zero(occupied_);
    uint64_t first = UINT64_MAX;
    buckets_[bucket].ForEach([&](const EventKey& key) {
      if (key.time < first && (dead_ == 0 || pool_.IsLive(key.word))) {
        first = key.time;
      }
    });
    if (first != UINT64_MAX) return first;
    dead_ -= buckets_[bucket].size();
    DrainBucket(bucket, [](const EventKey&) {});
  }
  return std::nullopt;
}

bool EventQueue::Refill(uint64_t limit) {
  if (limit < nothing_before_) return false;
  const std::optional<uint64_t> found = FirstInBuckets();
  nothing_before_ = found.value_or(UINT64_MAX);
  if (!found.has_value() || *found > limit) return false;

  const uint64_t first = *found;
  floor_ = first;
  front_.clear();
  front_head_ = 0;
  int bucket = std::countr_zero(occupied_);
  if (buckets_[bucket].size() <= kFront) {
    front_end_ = first;  // The loop below takes it whole.
  } else {
    front_end_ = first + 1;
    const bool soon = buckets_[bucket].size() <= kSoon;
    DrainBucket(bucket, [&](const EventKey& key) {
      if (soon) pool_.Prefetch(key.word);
      if (key.time > first) {
        PushBucket(key);
      } else if (key.time == first) {
        front_.push_back(key);
      } else {
        --dead_;  // Earlier than the first live key.
      }
    });
  }
  while (occupied_ != 0) {
    bucket = std::countr_zero(occupied_);
    if (front_.size() + buckets_[bucket].size() > kFront) break;
    DrainBucket(bucket, [&](const EventKey& key) {
      pool_.Prefetch(key.word);
      front_.push_back(key);
    });
    front_end_ = RangeEnd(floor_, bucket);
  }
  if (front_.size() <= kFront) {
    EventKey* begin = front_.data();
    SortFront(begin, begin, begin + front_.size());
  } else if (shuffled_) {
    std::sort(front_.begin(), front_.end());
  }
  return true;
}

std::optional<uint64_t> EventQueue::NextTime() {
  for (; !due_.empty(); due_.Pop(), --dead_) {
    if (pool_.IsLive(due_.next())) return now_;
  }
  for (; front_head_ != front_.size(); ++front_head_, --dead_) {
    const EventKey& key = front_[front_head_];
    if (pool_.IsLive(key.word)) return key.time;
  }
  return FirstInBuckets();
}

void EventQueue::Sweep() {
  const auto is_dead = [this](uint64_t word) { return !pool_.IsLive(word); };
  due_.RemoveIf(is_dead);
  front_.erase(
      std::remove_if(front_.begin() + static_cast<ptrdiff_t>(front_head_),
                     front_.end(),
                     [&](const EventKey& key) { return is_dead(key.word); }),
      front_.end());
  for (uint64_t left = occupied_; left != 0; left &= left - 1) {
    const int bucket = std::countr_zero(left);
    occupied_ &= ~(uint64_t{1} << bucket);
    const auto keep_live = [&](const EventKey* begin, const EventKey* end) {
      for (const EventKey* key = begin; key != end; ++key) {
        pool_.Prefetch(key->word);
      }
      for (const EventKey* key = begin; key != end; ++key) {
        if (!is_dead(key->word)) PushBucket(*key);
      }
    };
    buckets_[bucket].DrainChunks(chunks_, keep_live);
  }
  dead_ = 0;
}

}  // namespace groupsim
