#include "model/runtime/lane.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/runtime/waiting.h"
#include "tests/support/loop_runtime/loop_host.h"

namespace groupsim {
namespace {

using Log = std::vector<std::string>;

class LaneTest : public testing::Test {
 protected:
  Env& env() { return host_.env(); }
  void Say(absl::string_view what) {
    log_.push_back(absl::StrCat(env().Now().since_start().millis(), " ", what));
  }
  Task<void> Work(std::string name, Duration time) {
    Say(absl::StrCat(name, " begins"));
    co_await Sleep(env(), time);
    Say(absl::StrCat(name, " ends"));
  }
  void Post(Lane& lane, const std::string& name, Duration time) {
    lane.PostTask([this, name, time] { return Work(name, time); });
  }

  LoopRuntime runtime_{LoopTime::kVirtual};
  LoopHost& host_ = runtime_.AddHost("h");
  Log log_;
};

TEST_F(LaneTest, RunsOneJobAtATimeInTheOrderPosted) {
  Lane lane(env());
  Post(lane, "a", 10ms);
  lane.Post([this] { Say("plain"); });
  Post(lane, "b", 5ms);
  EXPECT_TRUE(log_.empty());  // Not in the same call.
  EXPECT_EQ(lane.waiting(), 3u);
  runtime_.RunFor(1ms);
  EXPECT_EQ(lane.busy(), 1);
  EXPECT_EQ(lane.waiting(), 2u);
  EXPECT_FALSE(lane.idle());
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, (Log{"0 a begins", "10 a ends", "10 plain", "10 b begins",
                       "15 b ends"}));
  EXPECT_TRUE(lane.idle());
}

TEST_F(LaneTest, SeveralWorkersTakeJobsFromOneQueue) {
  Lane lane(env(), 2);
  Post(lane, "a", 10ms);
  Post(lane, "b", 4ms);
  Post(lane, "c", 4ms);
  Post(lane, "d", 1ms);
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, (Log{"0 a begins", "0 b begins", "4 b ends", "4 c begins",
                       "8 c ends", "8 d begins", "9 d ends", "10 a ends"}));
}

TEST_F(LaneTest, AJobMayPostToItsOwnLane) {
  Lane lane(env());
  lane.Post([&] {
    Say("first");
    lane.Post([&] { Say("third"); });
    Say("second");
  });
  runtime_.RunFor(1ms);
  EXPECT_EQ(log_, (Log{"0 first", "0 second", "0 third"}));
}

TEST_F(LaneTest, DestroyingItDestroysItsJobsBegunOrNot) {
  auto token = std::make_shared<int>(0);
  auto lane = std::make_unique<Lane>(env());
  for (int i = 0; i < 3; ++i) {
    lane->PostTask([this, token] { return Work("x", 10ms); });
    lane->Post([token] {});
  }
  runtime_.RunFor(5ms);
  EXPECT_EQ(token.use_count(), 7);
  lane = nullptr;
  EXPECT_EQ(token.use_count(), 1);
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, Log{"0 x begins"});
}

TEST_F(LaneTest, ATaskMayUseWhatItsJobCaptured) {
  Lane lane(env());
  auto text = std::make_unique<std::string>("captured");
  lane.PostTask([this, text = std::move(text)]() -> Task<void> {
    return Work(*text, 1ms);
  });
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, (Log{"0 captured begins", "1 captured ends"}));
}

TEST_F(LaneTest, FixedRateRunsAreDueByTheFirstOne) {
  Lane lane(env());
  FixedRateJob job(env(), lane, 10ms, 100ms,
                   [this] { return Work("run", 30ms); });
  runtime_.RunFor(250ms);
  EXPECT_EQ(log_, (Log{"10 run begins", "40 run ends", "110 run begins",
                       "140 run ends", "210 run begins", "240 run ends"}));
}

TEST_F(LaneTest, FixedRateMakesUpForMissedRuns) {
  Lane lane(env());
  int runs = 0;
  FixedRateJob job(env(), lane, 10ms, 100ms, [this, &runs] {
    ++runs;
    return Work(absl::StrCat("run ", runs), runs == 1 ? 250ms : 1ms);
  });
  runtime_.RunFor(330ms);
  EXPECT_EQ(log_, (Log{"10 run 1 begins", "260 run 1 ends", "260 run 2 begins",
                       "261 run 2 ends", "261 run 3 begins", "262 run 3 ends",
                       "310 run 4 begins", "311 run 4 ends"}));
}

TEST_F(LaneTest, ABusyLaneDelaysARunButNotTheLaterOnes) {
  Lane lane(env());
  FixedRateJob job(env(), lane, 10ms, 100ms,
                   [this] { return Work("run", 1ms); });
  Post(lane, "other", 50ms);
  runtime_.RunFor(150ms);
  EXPECT_EQ(log_, (Log{"0 other begins", "50 other ends", "50 run begins",
                       "51 run ends", "110 run begins", "111 run ends"}));
}

TEST_F(LaneTest, NoRunBeginsAfterCancel) {
  Lane lane(env());
  FixedRateJob job(env(), lane, 10ms, 100ms,
                   [this] { return Work("run", 30ms); });
  runtime_.RunFor(20ms);
  job.Cancel();  // In the middle of one.
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, (Log{"10 run begins", "40 run ends"}));

  FixedRateJob queued(env(), lane, 10ms, 100ms,
                      [this] { return Work("queued", 1ms); });
  Post(lane, "other", 50ms);
  runtime_.RunFor(20ms);
  queued.Cancel();  // While it waits for the lane.
  runtime_.RunFor(1s);
  EXPECT_EQ(log_.size(), 4u);
}

}  // namespace
}  // namespace groupsim
