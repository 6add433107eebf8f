#include "tests/bench/queues.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace groupsim {
namespace {

// When an event fired and which one it was.
using Fired = std::vector<std::pair<int64_t, uint64_t>>;

// A thousand events with many ties, by number.
std::vector<int64_t> Times() {
  std::mt19937_64 random(1);
  std::vector<int64_t> times(1'000);
  for (int64_t& time : times) time = static_cast<int64_t>(random() % 200);
  return times;
}

Fired InOrder() {
  Fired fired;
  const std::vector<int64_t> times = Times();
  for (size_t i = 0; i < times.size(); ++i) fired.push_back({times[i], i});
  std::sort(fired.begin(), fired.end());
  return fired;
}

// A number measured against a queue that forgets events means nothing.
TEST(QueuesTest, ThePriorityQueueFiresByTimeAndOrderOfScheduling) {
  PriorityQueueLoop loop;
  Fired fired;
  const std::vector<int64_t> times = Times();
  for (size_t i = 0; i < times.size(); ++i) {
    loop.At(times[i], [&fired, &loop, i] { fired.push_back({loop.now(), i}); });
  }
  while (loop.Step()) {
  }
  EXPECT_EQ(fired, InOrder());
}

TEST(QueuesTest, ThePlainQueueFiresByTimeAndOrderOfScheduling) {
  struct Context {
    PlainQueueLoop* loop;
    Fired fired;
  };
  Context context{nullptr, {}};
  PlainQueueLoop loop(
      [](void* pointer, uint64_t what) {
        auto* context = static_cast<Context*>(pointer);
        context->fired.push_back({context->loop->now(), what});
      },
      &context);
  context.loop = &loop;
  const std::vector<int64_t> times = Times();
  for (size_t i = 0; i < times.size(); ++i) loop.At(times[i], i);
  while (loop.Step()) {
  }
  EXPECT_EQ(context.fired, InOrder());
}

TEST(QueuesTest, TheQuadHeapFiresByTimeAndOrderOfScheduling) {
  struct Context {
    QuadHeapLoop loop;
    Fired fired;
  };
  Context context;
  const uint16_t type = context.loop.Register(
      [](void* pointer, void* payload) {
        auto* context = static_cast<Context*>(pointer);
        context->fired.push_back(
            {context->loop.now(), *static_cast<const uint64_t*>(payload)});
      },
      &context);
  const std::vector<int64_t> times = Times();
  for (uint64_t i = 0; i < times.size(); ++i) {
    context.loop.At(times[i], type, i);
  }
  EXPECT_EQ(context.loop.pending(), times.size());
  while (context.loop.Step()) {
  }
  EXPECT_EQ(context.fired, InOrder());
}

}  // namespace
}  // namespace groupsim
