#include "model/client/rebalance_pace.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;

// Plays the loop: wakes at given times, and rebalances that take a time each.
class Loop {
 public:
  explicit Loop(bool paced = true)
      : pace_({.wait_interval = 20s, .min_interval = 1s, .paced = paced}, 0) {}

  std::vector<int64_t> wakes;  // In order.
  int64_t duration = 0;
  bool balanced = true;

  // When rebalances begin, up to `until`.
  std::vector<int64_t> Run(int64_t until) {
    std::vector<int64_t> begins;
    size_t next_wake = 0;
    while (now_ <= until) {
      // A wake-up that came meanwhile ends the wait at once; several are one.
      const int64_t limit = now_ + pace_.wait().millis();
      bool woken = false;
      while (next_wake < wakes.size() && wakes[next_wake] <= now_) {
        woken = true;
        ++next_wake;
      }
      if (!woken) {
        if (next_wake < wakes.size() && wakes[next_wake] < limit) {
          now_ = wakes[next_wake++];
        } else {
          now_ = limit;
        }
      }
      if (!pace_.IsDue(now_)) continue;
      if (now_ > until) break;
      begins.push_back(now_);
      now_ += duration;
      pace_.OnEnd(now_, balanced);
    }
    return begins;
  }

 private:
  RebalancePace pace_;
  int64_t now_ = 0;
};

TEST(RebalancePaceTest, WakeUpsWaitForTheMinimumIntervalAndCoalesce) {
  Loop loop;
  loop.duration = 300;
  loop.wakes = {200, 1400, 1450, 1500};
  // 20 s after the end of the last one.
  EXPECT_THAT(loop.Run(25'000), ElementsAre(1000, 2300, 22'600));
}

TEST(RebalancePaceTest, AWakeUpDuringARebalanceIsKept) {
  Loop loop;
  loop.duration = 500;
  loop.wakes = {0, 1200};
  EXPECT_THAT(loop.Run(10'000), ElementsAre(1000, 2500));
}

TEST(RebalancePaceTest, AnUnbalancedOneIsRepeatedAfterTheMinimumInterval) {
  Loop loop;
  loop.balanced = false;
  loop.duration = 100;
  EXPECT_THAT(loop.Run(23'000), ElementsAre(20'000, 21'100, 22'200));
}

TEST(RebalancePaceTest, AnOldClientHasNoMinimumInterval) {
  Loop loop(/*paced=*/false);
  loop.balanced = false;
  loop.wakes = {10, 20, 300};
  EXPECT_THAT(loop.Run(21'000), ElementsAre(10, 20, 300, 20'300));
}

TEST(RebalancePaceTest, AClockThatGoesBackOnlyDelays) {
  RebalancePace pace({.wait_interval = 20s, .min_interval = 1s}, 10'000);
  EXPECT_FALSE(pace.IsDue(9'000));
  EXPECT_EQ(pace.wait(), 2s);
}

}  // namespace
}  // namespace groupsim
