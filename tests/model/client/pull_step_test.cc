#include "model/client/pull_step.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/client/process_queue.h"
#include "model/facts/causes.h"
#include "model/wire/message.h"

namespace groupsim {
namespace {

constexpr PullLimits kLimits = {
    .messages = 1'000, .mebibytes = 100, .span = 2'000};
constexpr PullConditions kFine = {.running = true, .subscribed = true};

// A queue with `count` messages in a row from 0, and one at `last`.
ProcessQueue QueueWith(int64_t count, int64_t last, int32_t body_size = 1) {
  ProcessQueue queue(0);
  std::vector<Message> messages;
  Message message;
  message.body_size = body_size;
  for (int64_t i = 0; i < count; ++i) {
    message.queue_offset = i;
    messages.push_back(message);
  }
  if (last >= count) {
    message.queue_offset = last;
    messages.push_back(message);
  }
  queue.PutMessages(messages, std::nullopt);
  return queue;
}

struct Case {
  std::string what;
  int64_t count;
  int64_t last;
  int32_t body_size;
  PullConditions now;
  std::optional<PostponeReason> reason;
};

TEST(PullStepTest, AnOrderlyQueueNeedsItsLockAndMaySpanAnything) {
  PullConditions now = kFine;
  now.orderly = true;
  ProcessQueue queue = QueueWith(1, 5'000);
  EXPECT_EQ(ReasonToPostpone(queue, kLimits, now), PostponeReason::kNotLocked);
  queue.set_locked(true);
  EXPECT_EQ(ReasonToPostpone(queue, kLimits, now), std::nullopt);
  // The lock's age does not matter here.
  queue.set_last_lock_millis(-100'000);
  EXPECT_EQ(ReasonToPostpone(queue, kLimits, now), std::nullopt);
  now.subscribed = false;
  EXPECT_EQ(ReasonToPostpone(queue, kLimits, now),
            PostponeReason::kNoSubscription);
  EXPECT_EQ(ReasonToPostpone(QueueWith(1'001, -1), kLimits, now),
            PostponeReason::kCount);
}

TEST(PullStepTest, TheFirstReasonThatHoldsPutsAPullOff) {
  constexpr int32_t kMib = 1024 * 1024;
  const Case cases[] = {
      {"nothing cached", 0, -1, 1, kFine, std::nullopt},
      {"just as many as allowed", 1'000, -1, 1, kFine, std::nullopt},
      {"one more", 1'001, -1, 1, kFine, PostponeReason::kCount},
      {"100 MiB and a bit", 100, 100, kMib + kMib / 101, kFine,
       PostponeReason::kSize},
      {"just below 101 MiB", 100, -1, kMib + kMib / 101, kFine, std::nullopt},
      {"just as wide as allowed", 1, 2'000, 1, kFine, std::nullopt},
      {"one wider", 1, 2'001, 1, kFine, PostponeReason::kSpan},
      {"count goes before size", 1'001, -1, kMib, kFine,
       PostponeReason::kCount},
      {"size goes before span", 101, 5'000, kMib, kFine, PostponeReason::kSize},
      {"suspended, whatever is cached",
       1'001,
       -1,
       1,
       {.running = true, .suspended = true, .subscribed = true},
       PostponeReason::kSuspended},
      {"not running goes before suspended",
       0,
       -1,
       1,
       {.running = false, .suspended = true, .subscribed = true},
       PostponeReason::kNotRunning},
      {"no subscription",
       0,
       -1,
       1,
       {.running = true, .subscribed = false},
       PostponeReason::kNoSubscription},
      {"span goes before the subscription",
       1,
       2'001,
       1,
       {.running = true, .subscribed = false},
       PostponeReason::kSpan},
      {"not running goes before all",
       1'001,
       9'000,
       kMib,
       {.running = false, .subscribed = false},
       PostponeReason::kNotRunning},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ReasonToPostpone(QueueWith(c.count, c.last, c.body_size), kLimits,
                               c.now),
              c.reason)
        << c.what;
  }
}

TEST(PullStepTest, LimitsPerTopicAreSharedOutAmongTheQueues) {
  PullLimits shared =
      ShareOut({.messages = 3'000, .mebibytes = 200}, 8, kLimits);
  EXPECT_EQ(shared.messages, 375);
  EXPECT_EQ(shared.mebibytes, 25);
  EXPECT_EQ(shared.span, 2'000);

  shared = ShareOut({.messages = 3, .mebibytes = -1}, 8, kLimits);
  EXPECT_EQ(shared.messages, 1);  // Never none.
  EXPECT_EQ(shared.mebibytes, 100);

  shared = ShareOut({.messages = 3, .mebibytes = 3}, 0, kLimits);
  EXPECT_EQ(shared.messages, 1'000);
}

}  // namespace
}  // namespace groupsim
