#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "google/protobuf/text_format.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"
#include "scenarios/reader/arrivals.h"
#include "scenarios/reader/rate_profile.h"
#include "scenarios/reader/rates.h"
#include "scenarios/schema/producer.pb.h"
#include "scenarios/workload/from_schema.h"
#include "scenarios/workload/listener_switch.h"
#include "scenarios/workload/scenario_listener.h"
#include "sim/random/stream.h"

namespace groupsim {
namespace {

std::vector<Instant> All(const ArrivalPlan& plan) {
  CounterStream draws(StreamKey::For(1, "p", "arrivals"));
  Arrivals arrivals(plan);
  std::vector<Instant> times;
  while (const std::optional<Instant> next = arrivals.Next(draws)) {
    times.push_back(*next);
  }
  return times;
}

TEST(ArrivalsTest, EvenOnesDoNotDrift) {
  ArrivalPlan plan;
  plan.messages = 3;
  plan.from = Instant::Start() + 10s;
  plan.until = Instant::Start() + 20s;
  const std::vector<Instant> times = All(plan);
  ASSERT_EQ(times.size(), 30u);
  EXPECT_EQ(times[0], Instant::Start() + 10s);
  EXPECT_EQ(times[1], Instant::Start() + Duration::Nanos(10'333'333'333));
  EXPECT_EQ(times[3], Instant::Start() + 11s);
  EXPECT_EQ(times[29], Instant::Start() + Duration::Nanos(19'666'666'666));
}

TEST(ArrivalsTest, PoissonOnesHaveTheRate) {
  ArrivalPlan plan;
  plan.messages = 1'000;
  plan.poisson = true;
  plan.until = Instant::Start() + 100s;
  const std::vector<Instant> times = All(plan);
  // 100,000 expected; four standard deviations are 1,265.
  EXPECT_NEAR(static_cast<double>(times.size()), 100'000, 1'265);
  for (size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i], times[i - 1]);
}

TEST(ArrivalsTest, TheLimitEndsThem) {
  ArrivalPlan plan;
  plan.messages = 10;
  plan.until = Instant::Start() + 100s;
  plan.limit = 7;
  EXPECT_EQ(All(plan).size(), 7u);
}

// The plan of a rate in the words of a scenario, for the first minute.
ArrivalPlan PlanOf(const std::string& rate) {
  schema::Rate parsed;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(rate, &parsed));
  ArrivalPlan plan;
  plan.until = Instant::Start() + 60s;
  ApplyRate(parsed, plan);
  return plan;
}

std::vector<int64_t> MillisOf(const std::string& rate) {
  std::vector<int64_t> millis;
  for (const Instant time : All(PlanOf(rate))) {
    millis.push_back(time.since_start().millis());
  }
  return millis;
}

size_t CountIn(const std::vector<int64_t>& millis, int64_t from, int64_t to) {
  return static_cast<size_t>(
      std::count_if(millis.begin(), millis.end(),
                    [&](int64_t t) { return t >= from && t < to; }));
}

// From 0 to 2 a second in 4 s, t seconds make t^2 / 4 messages: the n-th comes
// at the root of 4 n.
TEST(ArrivalsTest, ARampHasTheAreaBelowIt) {
  const std::vector<int64_t> millis =
      MillisOf("ramp { to_per_second: 2 over: '4s' }");
  ASSERT_GE(millis.size(), 8u);
  EXPECT_EQ(std::vector<int64_t>(millis.begin(), millis.begin() + 8),
            (std::vector<int64_t>{0, 2'000, 2'828, 3'464, 4'000, 4'500, 5'000,
                                  5'500}));
}

// Half of 100 a second on the average, for the whole minute.
TEST(ArrivalsTest, ARampLastsToTheEndUnlessSaidOtherwise) {
  EXPECT_EQ(MillisOf("ramp { from_per_second: 100 to_per_second: 0 }").size(),
            3'000u);
}

TEST(ArrivalsTest, BurstsComeAfterTheirInterval) {
  const std::vector<int64_t> millis = MillisOf(
      "burst { per_second: 1 burst_per_second: 50 every: '20s' lasts: '2s' }");
  EXPECT_EQ(CountIn(millis, 0, 20'000), 20u);
  EXPECT_EQ(CountIn(millis, 20'000, 22'000), 100u);
  EXPECT_EQ(CountIn(millis, 22'000, 40'000), 18u);
  EXPECT_EQ(CountIn(millis, 40'000, 42'000), 100u);
  EXPECT_EQ(millis.size(), 256u);
}

TEST(ArrivalsTest, StepsHoldUntilTheNext) {
  const std::vector<int64_t> millis = MillisOf(
      "step { point { time: '10s' per_second: 2 } "
      "point { time: '15s' per_second: 0 } "
      "point { time: '50s' per_second: 1 } }");
  EXPECT_EQ(millis, (std::vector<int64_t>{
                        10'000, 10'500, 11'000, 11'500, 12'000, 12'500, 13'000,
                        13'500, 14'000, 14'500, 50'000, 51'000, 52'000, 53'000,
                        54'000, 55'000, 56'000, 57'000, 58'000, 59'000}));
}

TEST(ArrivalsTest, ARecordingGoesStraightFromPointToPoint) {
  const std::vector<int64_t> millis = MillisOf(
      "recorded { point { time: '10s' per_second: 10 } "
      "point { time: '20s' per_second: 0 } }");
  EXPECT_EQ(CountIn(millis, 0, 10'000), 50u);
  EXPECT_EQ(CountIn(millis, 10'000, 20'000), 50u);
  EXPECT_EQ(millis.size(), 100u);
}

TEST(ArrivalsTest, ADayRepeats) {
  schema::Rate rate;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "daily { point { time: '6h' per_second: 1 } "
      "point { time: '6h1m' per_second: 0 } }",
      &rate));
  ArrivalPlan plan;
  plan.until = Instant::Start() + 48h;
  ApplyRate(rate, plan);
  const std::vector<Instant> times = All(plan);
  ASSERT_EQ(times.size(), 120u);
  EXPECT_EQ(times[0], Instant::Start() + 6h);
  EXPECT_EQ(times[59], Instant::Start() + 6h + 59s);
  EXPECT_EQ(times[60], Instant::Start() + 30h);
}

TEST(ArrivalsTest, RandomOnesHaveTheRateThatChanges) {
  const std::vector<int64_t> millis = MillisOf(
      "arrivals: POISSON step { point { time: '0s' per_second: 100 } "
      "point { time: '20s' per_second: 1000 } "
      "point { time: '40s' per_second: 0 } }");
  // Four standard deviations each.
  EXPECT_NEAR(static_cast<double>(CountIn(millis, 0, 20'000)), 2'000, 179);
  EXPECT_NEAR(static_cast<double>(CountIn(millis, 20'000, 40'000)), 20'000,
              566);
  EXPECT_EQ(CountIn(millis, 40'000, 60'000), 0u);
}

// So many arrivals as come, whatever the form and however long.
TEST(ArrivalsTest, AreCountedWithoutMakingThem) {
  for (const std::string rate :
       {"per_second: 7", "every: '13ms'", "every: '1m'",
        "ramp { to_per_second: 20 over: '11s' }",
        "ramp { from_per_second: 9 to_per_second: 0 }",
        "burst { per_second: 0 burst_per_second: 50 every: '7s' lasts: '2s' }",
        "burst { per_second: 3 burst_per_second: 9 every: '1s' lasts: '2s' }",
        "step { point { time: '10s' per_second: 2 } "
        "point { time: '15s' per_second: 0 } "
        "point { time: '15.001s' per_second: 1000 } "
        "point { time: '15.003s' per_second: 1 } }",
        "daily { point { time: '3s' per_second: 5 } "
        "point { time: '1m' per_second: 0 } }",
        "recorded { point { time: '0s' per_second: 10 } "
        "point { time: '0.3s' per_second: 0 } "
        "point { time: '31s' per_second: 17 } }"}) {
    const ArrivalPlan plan = PlanOf(rate);
    const std::vector<Instant> times = All(plan);
    for (int64_t millis = 0; millis <= 60'000; millis += 37) {
      const Duration time = Duration::Millis(millis);
      const auto first =
          std::lower_bound(times.begin(), times.end(), plan.from + time);
      ASSERT_EQ(static_cast<int64_t>(UnitsOf(plan, time) /
                                     RateProfile::kUnitsPerMessage),
                first - times.begin())
          << rate << " for " << time;
      ASSERT_EQ(UnitsOf(plan, time) % RateProfile::kUnitsPerMessage, 0);
    }
  }
}

TEST(ArrivalsTest, RandomOnesAreCountedOnTheAverage) {
  const ArrivalPlan plan = PlanOf(
      "arrivals: POISSON recorded { point { time: '10s' per_second: 3 } }");
  EXPECT_EQ(static_cast<int64_t>(UnitsOf(plan, 11s) /
                                 (RateProfile::kUnitsPerMessage / 10)),
            15 * 10 + 3 * 10);
}

TEST(RateProfileTest, TheHighestRateForTheLongestTimeIsNotTooMuch) {
  const auto profile = std::make_shared<const RateProfile>(
      std::vector<RateProfile::Piece>{{720h, 0, 1'000'000}},
      std::vector<RateProfile::Piece>{{720h, 1'000'000, 1'000'000}});
  RateProfile::Walk walk(profile);
  // Half of 2,592,000 s * 1,000,000 comes in the ramp.
  const __int128 all =
      static_cast<__int128>(1'296'000'000'000) * RateProfile::kUnitsPerMessage;
  EXPECT_EQ(walk.Reach(all / 4, 1440h), std::optional<Duration>(360h));
  EXPECT_EQ(walk.Reach(all, 1440h), std::optional<Duration>(720h));
  EXPECT_EQ(walk.Reach(all * 2, 1440h), std::optional<Duration>(1080h));
  EXPECT_EQ(walk.Reach(all * 3, 1440h), std::nullopt);
}

class ScenarioListenerTest : public testing::Test {
 protected:
  ListenerPlan Call(ScenarioListener& listener, int32_t queue, int64_t offset) {
    Message message;
    message.queue_offset = offset;
    ListenerCall call;
    call.queue = MessageQueue{topic_, broker_, queue};
    call.messages = absl::MakeConstSpan(&message, 1);
    return listener.Plan(call, draws_);
  }
  bool Hangs(ScenarioListener& listener, int32_t queue, int64_t offset) {
    return Call(listener, queue, offset).hangs;
  }

  NameTable names_;
  Name topic_ = names_.Intern("t");
  Name broker_ = names_.Intern("b");
  CounterStream draws_{StreamKey::For(1, "c", "listener")};
};

TEST_F(ScenarioListenerTest, OnlyTheNamedMessageHangs) {
  ScenarioListener::Hang hang;
  hang.messages.topic = topic_;
  hang.messages.queues = {{broker_, 2, 3}};
  hang.messages.offsets = {10};
  ScenarioListener listener(
      {.service_time = Distribution::Constant(5).value(), .hangs = {hang}});
  EXPECT_TRUE(Hangs(listener, 2, 10));
  EXPECT_TRUE(Hangs(listener, 3, 10));
  EXPECT_FALSE(Hangs(listener, 1, 10));
  EXPECT_FALSE(Hangs(listener, 2, 11));
}

TEST_F(ScenarioListenerTest, EachMessageOfACallMayAddToItsTime) {
  ScenarioListener listener(
      {.service_time = Distribution::Constant(100).value(),
       .time_per_message = Distribution::Constant(30).value(),
       .time_per_cent = 200});
  const std::vector<Message> messages(3);
  ListenerCall call;
  call.queue = MessageQueue{topic_, broker_, 0};
  call.messages = messages;
  EXPECT_EQ(listener.Plan(call, draws_).service_time, Duration::Nanos(380));

  // What is longer than any run is no overflow.
  ScenarioListener slow(
      {.service_time = Distribution::Constant(0).value(),
       .time_per_message =
           Distribution::Constant(2'592'000'000'000'000).value(),
       .time_per_cent = 100'000});
  const std::vector<Message> many(1'024);
  call.messages = many;
  EXPECT_EQ(slow.Plan(call, draws_).service_time,
            Duration::Seconds(int64_t{100} * 365 * 86'400));
}

TEST_F(ScenarioListenerTest, AHangCanEnd) {
  ScenarioListener::Hang brief;
  brief.messages.offsets = {10, 11};
  brief.lasts = 3s;
  ScenarioListener::Hang longer = brief;
  longer.messages.offsets = {10};
  longer.lasts = 7s;
  ScenarioListener listener({.service_time = Distribution::Constant(5).value(),
                             .hangs = {longer, brief}});
  EXPECT_FALSE(Call(listener, 0, 10).hangs);
  EXPECT_EQ(Call(listener, 0, 10).service_time, 7s);
  EXPECT_EQ(Call(listener, 0, 11).service_time, 3s);
  EXPECT_EQ(Call(listener, 0, 12).service_time, Duration::Nanos(5));
}

class FailureTest : public ScenarioListenerTest {
 protected:
  ScenarioListener Listener(std::vector<ScenarioListener::Failure> failures) {
    return ScenarioListener({.service_time = Distribution::Constant(5).value(),
                             .failures = std::move(failures),
                             .drawer = "g",
                             .seed = 1,
                             .names = &names_});
  }
  // A retry copy of the message at `offset` of queue 0, or that message.
  ListenerPlan Attempt(ScenarioListener& listener, uint32_t offset,
                       int32_t reconsume_times) {
    Message message;
    message.queue_offset = offset;
    message.reconsume_times = reconsume_times;
    ListenerCall call;
    call.queue = MessageQueue{topic_, broker_, 0};
    if (reconsume_times > 0) {
      message.origin = FirstCopyOf(message, call.queue);
      message.queue_offset = 7;
      call.queue = MessageQueue{names_.Intern("%RETRY%g"), broker_, 0};
    }
    call.messages = absl::MakeConstSpan(&message, 1);
    return listener.Plan(call, draws_);
  }
  bool Fails(ScenarioListener& listener, uint32_t offset, int32_t times) {
    return Attempt(listener, offset, times).result.status !=
           ConsumeStatus::kSuccess;
  }
  static ScenarioListener::Failure Later() {
    ScenarioListener::Failure failure;
    failure.result.status = ConsumeStatus::kReconsumeLater;
    return failure;
  }
};

TEST_F(FailureTest, AMessageIsTheSameOneWhenItComesBack) {
  ScenarioListener::Failure failure = Later();
  failure.messages.topic = topic_;
  failure.messages.queues = {{broker_, 0, 0}};
  failure.messages.offsets = {10};
  failure.times = 2;
  ScenarioListener listener = Listener({failure});
  EXPECT_TRUE(Fails(listener, 10, 0));
  EXPECT_TRUE(Fails(listener, 10, 1));
  EXPECT_FALSE(Fails(listener, 10, 2));
  EXPECT_FALSE(Fails(listener, 11, 0));
}

TEST_F(FailureTest, PoisonIsPoisonAtEveryAttempt) {
  ScenarioListener::Failure failure = Later();
  failure.per_mille_of_messages = 20;
  ScenarioListener listener = Listener({failure});
  int poison = 0;
  for (uint32_t offset = 0; offset < 10'000; ++offset) {
    const bool first = Fails(listener, offset, 0);
    poison += first ? 1 : 0;
    EXPECT_EQ(Fails(listener, offset, 1), first) << offset;
    EXPECT_EQ(Fails(listener, offset, 16), first) << offset;
  }
  EXPECT_NEAR(poison, 200, 56);  // Four standard deviations.
}

TEST_F(FailureTest, AChanceIsTakenAnewAtEveryAttempt) {
  ScenarioListener::Failure failure = Later();
  failure.per_mille = 500;
  ScenarioListener listener = Listener({failure});
  int first = 0;
  int both = 0;
  for (uint32_t offset = 0; offset < 10'000; ++offset) {
    if (!Fails(listener, offset, 0)) continue;
    ++first;
    both += Fails(listener, offset, 1) ? 1 : 0;
  }
  EXPECT_NEAR(first, 5'000, 200);
  EXPECT_NEAR(both, 2'500, 174);
}

// The message itself does not count them.
TEST_F(FailureTest, ARollbackIsAnAttemptToo) {
  ScenarioListener::Failure failure;
  failure.result.status = ConsumeStatus::kRollback;
  failure.messages.offsets = {10, 11};
  failure.times = 2;
  ScenarioListener listener = Listener({failure});
  EXPECT_TRUE(Fails(listener, 10, 0));
  EXPECT_TRUE(Fails(listener, 10, 0));
  EXPECT_FALSE(Fails(listener, 10, 0));
  EXPECT_TRUE(Fails(listener, 11, 1));
  EXPECT_FALSE(Fails(listener, 11, 1));
}

TEST_F(FailureTest, NoFailureMovesADrawOfTheServiceTime) {
  CounterStream other{StreamKey::For(1, "c", "listener")};
  ScenarioListener::Failure failure = Later();
  failure.per_mille = 500;
  const Distribution times =
      Distribution::Uniform({.min = 0, .max = 1'000'000}).value();
  ScenarioListener plain({.service_time = times});
  ScenarioListener failing({.service_time = times,
                            .failures = {failure},
                            .drawer = "g",
                            .seed = 1,
                            .names = &names_});
  for (uint32_t offset = 0; offset < 100; ++offset) {
    const Duration mine = Attempt(failing, offset, 0).service_time;
    EXPECT_EQ(plain.Plan({}, other).service_time, mine) << offset;
  }
}

TEST_F(FailureTest, TheFirstOneThatConcernsTheCallCounts) {
  ScenarioListener::Failure first = Later();
  first.messages.offsets = {10};
  first.result.status = ConsumeStatus::kException;
  first.lasts = 3s;
  ScenarioListener::Failure second = Later();
  second.result.delay_level = 4;
  ScenarioListener listener = Listener({first, second});
  EXPECT_EQ(Attempt(listener, 10, 0).result.status, ConsumeStatus::kException);
  EXPECT_EQ(Attempt(listener, 10, 0).service_time, 3s);
  EXPECT_EQ(Attempt(listener, 11, 0).result.delay_level, 4);
  EXPECT_EQ(Attempt(listener, 11, 0).service_time, Duration::Nanos(5));
}

TEST_F(ScenarioListenerTest, TimesArePerCentOfWhatIsDrawn) {
  ScenarioListener fast({.service_time = Distribution::Constant(1'001).value(),
                         .time_per_cent = 50});
  EXPECT_EQ(Call(fast, 0, 0).service_time, Duration::Nanos(500));
  ScenarioListener slow({.service_time = Distribution::Constant(1'001).value(),
                         .time_per_cent = 1'000});
  EXPECT_EQ(Call(slow, 0, 0).service_time, Duration::Nanos(10'010));
}

TEST(ListenerSwitchTest, TheUsualOneComesBackUnlessAnotherTookItsPlace) {
  ScenarioListener usual({.service_time = Distribution::Constant(1).value()});
  ScenarioListener second({.service_time = Distribution::Constant(2).value()});
  ScenarioListener third({.service_time = Distribution::Constant(3).value()});
  ListenerSwitch all;
  all.SetUsual(&usual);
  CounterStream draws{StreamKey::For(1, "c", "listener")};
  const auto time = [&] { return all.Plan({}, draws).service_time.nanos(); };
  EXPECT_EQ(time(), 1);
  all.Replace(&second);
  EXPECT_EQ(time(), 2);
  all.Replace(&third);
  all.Restore(&second);
  EXPECT_EQ(time(), 3);
  all.Restore(&third);
  EXPECT_EQ(time(), 1);
}

// Whatever else makes it hang.
TEST_F(ScenarioListenerTest, EachHangCountsForItself) {
  ScenarioListener::Hang once;
  once.messages.offsets = {0};
  once.times = 1;
  once.lasts = 3s;
  ScenarioListener::Hang twice = once;
  twice.times = 2;
  twice.lasts = 2s;
  ScenarioListener listener({.service_time = Distribution::Constant(5).value(),
                             .hangs = {once, twice}});
  EXPECT_EQ(Call(listener, 0, 0).service_time, 3s);
  EXPECT_EQ(Call(listener, 0, 0).service_time, 2s);
  EXPECT_EQ(Call(listener, 0, 0).service_time, Duration::Nanos(5));
}

TEST_F(ScenarioListenerTest, AMessageHangsAsOftenAsSaid) {
  ScenarioListener::Hang hang;
  hang.messages.offsets = {0};
  hang.times = 2;
  ScenarioListener listener(
      {.service_time = Distribution::Constant(5).value(), .hangs = {hang}});
  EXPECT_TRUE(Hangs(listener, 0, 0));
  EXPECT_TRUE(Hangs(listener, 0, 0));
  EXPECT_FALSE(Hangs(listener, 0, 0));
  EXPECT_TRUE(Hangs(listener, 1, 0));  // Another message.
}

}  // namespace
}  // namespace groupsim
