#include "sim/engine/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "sim/engine/event_pool.h"

namespace groupsim {
namespace {

constexpr uint64_t kMaxTime = INT64_MAX;

// A queue with its pool, and a std::map that does the same.
class QueueAndModel {
 public:
  explicit QueueAndModel(bool shuffled)
      : queue_(pool_, shuffled), shuffled_(shuffled) {}

  void Push(uint64_t time) {
    uint64_t generation = ++pushed_;
    // Any one-to-one map of 40 bits does for an order of its own.
    if (shuffled_) {
      generation = generation * 0x9E3779B185EBCA87 & EventWord::kMaxGeneration;
    }
    const uint32_t slot = pool_.Take();
    pool_.At(slot).state = generation << 16;
    const uint64_t word = EventWord::Make(generation, slot);
    queue_.Push(time, word);
    model_.insert({{time, word}, 0});
    words_.push_back({time, word});
  }

  // Pops from both; false where nothing is due. Fails the test where they
  // differ.
  bool Pop(uint64_t limit) {
    const std::optional<EventKey> key = queue_.Pop(limit);
    if (model_.empty() || model_.begin()->first.first > limit) {
      EXPECT_FALSE(key.has_value());
      return false;
    }
    const auto [time, word] = model_.begin()->first;
    model_.erase(model_.begin());
    EXPECT_TRUE(key.has_value());
    if (!key.has_value()) return false;
    EXPECT_EQ(key->time, time);
    EXPECT_EQ(key->word, word);
    EXPECT_EQ(queue_.now(), time);
    pool_.Free(EventWord::SlotOf(word));
    return true;
  }

  // Cancels one of the pending keys.
  void Cancel(uint64_t draw) {
    while (!words_.empty()) {
      const size_t i = draw % words_.size();
      const auto [time, word] = words_[i];
      words_[i] = words_.back();
      words_.pop_back();
      if (model_.erase({time, word}) == 0) continue;  // Popped already.
      pool_.Free(EventWord::SlotOf(word));
      queue_.Cancelled();
      EXPECT_LE(queue_.dead(), queue_.live() + 256);
      return;
    }
  }

  void Peek() {
    const std::optional<uint64_t> time = queue_.NextTime();
    if (model_.empty()) {
      EXPECT_EQ(time, std::nullopt);
    } else {
      EXPECT_EQ(time, model_.begin()->first.first);
    }
  }

  // Pops up to `time` and stands there.
  void RunUntil(uint64_t time) {
    while (Pop(time)) {
    }
    queue_.AdvanceTo(time);
  }

  void CheckCount() const { EXPECT_EQ(queue_.live(), model_.size()); }

  EventQueue& queue() { return queue_; }
  size_t pending() const { return model_.size(); }

 private:
  EventPool pool_;
  EventQueue queue_;
  const bool shuffled_;
  uint64_t pushed_ = 0;
  std::map<std::pair<uint64_t, uint64_t>, int> model_;
  std::vector<std::pair<uint64_t, uint64_t>> words_;
};

// A law of delays, by name.
struct DelayLaw {
  const char* name;
  std::function<uint64_t(std::mt19937_64&)> draw;
};

std::vector<DelayLaw> DelayLaws() {
  return {
      {"few distinct", [](auto& random) { return random() % 3; }},
      {"half zero",
       [](auto& random) { return random() % 2 * (random() % 1'000); }},
      {"uniform", [](auto& random) { return random() % 1'000'000'000; }},
      {"any number of bits",
       [](auto& random) { return random() >> (1 + random() % 63); }},
      {"near and very far",
       [](auto& random) {
         return random() % 10 == 0 ? kMaxTime - random() % 5 : random() % 50;
       }},
      {"grid", [](auto& random) { return random() % 40 * 1'000'000; }},
  };
}

// Random pushes, cancels, pops and looks ahead, at several sizes.
void Exercise(const DelayLaw& law, bool shuffled, size_t target,
              uint64_t seed) {
  SCOPED_TRACE(testing::Message() << law.name << ", " << target << " pending, "
                                  << (shuffled ? "shuffled" : "in order"));
  std::mt19937_64 random(seed);
  QueueAndModel both(shuffled);
  for (int i = 0; i < 20'000 && !testing::Test::HasFailure(); ++i) {
    const uint64_t now = both.queue().now();
    const auto later = [&] {
      const uint64_t delay = law.draw(random);
      return delay > kMaxTime - now ? kMaxTime : now + delay;
    };
    switch (random() % 16) {
      case 0:
        both.Peek();
        break;
      case 1:
        // Up to a time at which often nothing happens.
        if (now < kMaxTime - 100) both.RunUntil(now + random() % 100);
        break;
      case 2:
        if (random() % 4 == 0) both.RunUntil(later());
        if (random() % 64 == 0) {
          // A crowd, just ahead or anywhere.
          const uint64_t start = both.queue().now();
          const uint64_t range = uint64_t{1} << (random() % 40);
          for (int j = 0; j < 300; ++j) {
            both.Push(std::min(start + random() % range, kMaxTime));
          }
        }
        break;
      case 3:
      case 4:
        both.Cancel(random());
        break;
      default:
        if (random() % (2 * target) < both.pending()) {
          both.Pop(UINT64_MAX);
        } else {
          both.Push(later());
        }
    }
    both.CheckCount();
  }
  while (both.Pop(UINT64_MAX)) {
  }
  EXPECT_EQ(both.queue().live(), 0u);
  EXPECT_EQ(both.queue().dead(), 0u);
}

TEST(EventQueueTest, PopsInTheOrderOfAReferenceModel) {
  uint64_t seed = 0;
  for (const DelayLaw& law : DelayLaws()) {
    for (const size_t target : {3, 30, 300, 3'000}) {
      Exercise(law, false, target, ++seed);
      Exercise(law, true, target, ++seed);
    }
  }
}

TEST(EventQueueTest, FindingNothingLeavesRoomForEarlierKeys) {
  QueueAndModel both(false);
  for (uint64_t i = 0; i < 1'000; ++i) both.Push(1'000'000 + i * 997 % 5'000);
  both.RunUntil(100);
  both.Peek();
  EXPECT_EQ(both.queue().now(), 100u);
  both.Push(101);
  both.Push(999'999);
  both.Push(100);
  both.Peek();
  while (both.Pop(UINT64_MAX)) {
  }
  EXPECT_EQ(both.pending(), 0u);
}

TEST(EventQueueTest, KeysPushedBelowASortedFrontComeFirst) {
  QueueAndModel both(false);
  both.Push(10);
  for (uint64_t i = 0; i < 20; ++i) both.Push(1'000 + i);
  ASSERT_TRUE(both.Pop(UINT64_MAX));
  for (uint64_t i = 0; i < 500; ++i) both.Push(11 + i * 7 % 900);
  while (both.Pop(UINT64_MAX)) {
  }
  EXPECT_EQ(both.pending(), 0u);
}

TEST(EventQueueTest, KeysPutBackIntoBucketsAreFoundBeforeALimit) {
  QueueAndModel both(false);
  both.Push(1);
  both.Push(uint64_t{1} << 40);
  both.Push(uint64_t{1} << 41);
  ASSERT_TRUE(both.Pop(UINT64_MAX));
  ASSERT_TRUE(both.Pop(UINT64_MAX));  // The front now reaches to 2^41 or above.
  both.RunUntil((uint64_t{1} << 40) + 5);  // Nothing is due until 2^41.
  const uint64_t now = both.queue().now();
  for (uint64_t i = 0; i < 400; ++i) both.Push(now + 1'000 + i * 1'000);
  both.RunUntil(now + 399'500);
  EXPECT_EQ(both.pending(), 2u);
  both.RunUntil(uint64_t{1} << 42);
  EXPECT_EQ(both.pending(), 0u);
}

TEST(EventQueueTest, ManyKeysOfOneTimeComeOutInOrder) {
  QueueAndModel both(false);
  both.Push(1);
  for (int i = 0; i < 300'000; ++i) both.Push(77);
  while (both.Pop(UINT64_MAX) && !HasFailure()) {
  }
  EXPECT_EQ(both.pending(), 0u);
}

// Would take minutes if a push cost what is pending.
TEST(EventQueueTest, ACrowdJustAheadOfNowIsNotQuadratic) {
  EventPool pool;
  EventQueue queue(pool, false);
  std::mt19937_64 random(1);
  uint64_t generation = 0;
  const auto push = [&](uint64_t time) {
    const uint32_t slot = pool.Take();
    pool.At(slot).state = ++generation << 16;
    queue.Push(time, EventWord::Make(generation, slot));
  };
  // A front that reaches far ahead, then a crowd within it.
  push(1);
  push(uint64_t{1} << 40);
  ASSERT_TRUE(queue.Pop(UINT64_MAX).has_value());
  for (int i = 0; i < 500'000; ++i) push(2 + random() % (1 << 20));
  // Half of all delays zero, the others short.
  for (int i = 0; i < 1'000'000; ++i) {
    push(queue.now() + random() % 2 * (random() % 1'000));
    const uint64_t before = queue.now();
    const std::optional<EventKey> key = queue.Pop(UINT64_MAX);
    ASSERT_TRUE(key.has_value());
    ASSERT_GE(key->time, before);
    pool.Free(EventWord::SlotOf(key->word));
  }
  // All at one instant.
  for (int i = 0; i < 500'000; ++i) push(queue.now());
  while (const std::optional<EventKey> key = queue.Pop(UINT64_MAX)) {
    pool.Free(EventWord::SlotOf(key->word));
  }
  EXPECT_EQ(queue.live(), 0u);
}

TEST(EventQueueTest, DeadKeysDoNotOutnumberLiveOnes) {
  EventPool pool;
  EventQueue queue(pool, false);
  uint64_t generation = 0;
  const auto push = [&](uint64_t time) {
    const uint32_t slot = pool.Take();
    pool.At(slot).state = ++generation << 16;
    queue.Push(time, EventWord::Make(generation, slot));
    return slot;
  };
  for (uint64_t i = 0; i < 1'000; ++i) push(1'000'000'000'000 + i);
  // A time-out armed and cancelled a million times, in bucket, front and lane.
  for (uint64_t i = 0; i < 1'000'000; ++i) {
    pool.Free(push(i % 3 * (i % 100) * 1'000'000'000));
    queue.Cancelled();
  }
  EXPECT_EQ(queue.live(), 1'000u);
  EXPECT_LE(queue.dead(), 1'256u);
  EXPECT_LE(queue.bytes(), 256u * 1'024u);
  EXPECT_LE(pool.bytes(), 512u * 1'024u);
}

TEST(EventQueueTest, AHandleIsStaleOnceItsSlotIsUsedAgain) {
  EventPool pool;
  const uint32_t slot = pool.Take();
  pool.At(slot).state = uint64_t{1} << 16 | 7;
  const uint64_t first = EventWord::Make(1, slot);
  EXPECT_TRUE(pool.IsLive(first));
  pool.Free(slot);
  EXPECT_FALSE(pool.IsLive(first));
  ASSERT_EQ(pool.Take(), slot);
  pool.At(slot).state = EventWord::kMaxGeneration << 16 | 7;
  EXPECT_FALSE(pool.IsLive(first));
  EXPECT_TRUE(pool.IsLive(EventWord::Make(EventWord::kMaxGeneration, slot)));
  EXPECT_EQ(pool.At(slot).type(), 7);
}

TEST(EventPoolTest, SlotsKeepTheirAddressesAndSlotZeroIsNeverTaken) {
  EventPool pool;
  std::vector<std::pair<uint32_t, const EventSlot*>> taken;
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t slot = pool.Take();
    EXPECT_NE(slot, 0u);
    taken.push_back({slot, &pool.At(slot)});
  }
  for (const auto& [slot, address] : taken) EXPECT_EQ(&pool.At(slot), address);
}

}  // namespace
}  // namespace groupsim
