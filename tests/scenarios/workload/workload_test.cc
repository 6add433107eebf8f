#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "model/base/name.h"
#include "scenarios/workload/arrivals.h"
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
  hang.topic = topic_;
  hang.queues = {{broker_, 2, 3}};
  hang.offsets = {10};
  ScenarioListener listener(
      {.service_time = Distribution::Constant(5).value(), .hangs = {hang}});
  EXPECT_TRUE(Hangs(listener, 2, 10));
  EXPECT_TRUE(Hangs(listener, 3, 10));
  EXPECT_FALSE(Hangs(listener, 1, 10));
  EXPECT_FALSE(Hangs(listener, 2, 11));
}

TEST_F(ScenarioListenerTest, AHangCanEnd) {
  ScenarioListener::Hang brief;
  brief.offsets = {10, 11};
  brief.lasts = 3s;
  ScenarioListener::Hang longer = brief;
  longer.offsets = {10};
  longer.lasts = 7s;
  ScenarioListener listener({.service_time = Distribution::Constant(5).value(),
                             .hangs = {longer, brief}});
  EXPECT_FALSE(Call(listener, 0, 10).hangs);
  EXPECT_EQ(Call(listener, 0, 10).service_time, 7s);
  EXPECT_EQ(Call(listener, 0, 11).service_time, 3s);
  EXPECT_EQ(Call(listener, 0, 12).service_time, Duration::Nanos(5));
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

TEST_F(ScenarioListenerTest, AMessageHangsAsOftenAsSaid) {
  ScenarioListener::Hang hang;
  hang.offsets = {0};
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
