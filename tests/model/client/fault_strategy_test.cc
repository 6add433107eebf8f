#include "model/client/fault_strategy.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/client/latency_fault_tolerance.h"
#include "model/client/publish_info.h"
#include "model/client/settings.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Outcome = FaultStrategy::Outcome;

class FaultStrategyTest : public ::testing::Test {
 protected:
  static FaultStrategy::Config On() {
    FaultStrategy::Config config;
    config.send_latency_enable = true;
    config.latency_max = ProducerSettings().latency_max;
    config.not_available_duration = ProducerSettings().not_available_duration;
    config.failed_send_latency = kClientRocketMq53.failed_send_latency;
    return config;
  }
  Name N(const std::string& text) { return names_.Intern(text); }
  // One queue on each of three brokers; the index before the first.
  PublishInfo ThreeBrokers() {
    return PublishInfo(
        {{N("t"), N("a"), 0}, {N("t"), N("b"), 0}, {N("t"), N("c"), 0}},
        UINT32_MAX);
  }
  std::string Select(const FaultStrategy& strategy, PublishInfo& info,
                     const std::string& last, int64_t now) {
    return strategy.Select(info, N(last), now).broker.text();
  }

  NameTable names_;
};

TEST_F(FaultStrategyTest, ASlowBrokerIsLeftAloneByTheTable) {
  const FaultStrategy strategy(On());
  const std::vector<std::vector<int64_t>> table = {
      {49, 0},          {50, 0},         {549, 0},       {550, 2'000},
      {1'799, 2'000},   {1'800, 5'000},  {3'000, 6'000}, {5'000, 10'000},
      {14'999, 10'000}, {15'000, 30'000}};
  for (const std::vector<int64_t>& row : table) {
    EXPECT_EQ(strategy.NotAvailableMillis(row[0]), row[1]) << row[0];
  }
}

TEST_F(FaultStrategyTest, WhileOffNothingIsNotedAndOnlyTheLastBrokerAvoided) {
  FaultStrategy strategy({});
  PublishInfo info = ThreeBrokers();
  EXPECT_EQ(strategy.Note(N("b"), 20'000, Outcome::kTransport, 0), 0);
  EXPECT_EQ(Select(strategy, info, "", 0), "a");
  EXPECT_EQ(Select(strategy, info, "", 0), "b");
  EXPECT_EQ(Select(strategy, info, "c", 0), "a");
}

TEST_F(FaultStrategyTest, AFailureIsolatesForAsLongAsTenSecondsOfLatency) {
  FaultStrategy strategy(On());
  PublishInfo info = ThreeBrokers();
  EXPECT_EQ(strategy.Note(N("b"), 3, Outcome::kTransport, 1'000), 10'000);
  EXPECT_EQ(Select(strategy, info, "", 10'999), "a");
  EXPECT_EQ(Select(strategy, info, "", 10'999), "c");
  EXPECT_EQ(Select(strategy, info, "", 11'000), "a");
  EXPECT_EQ(Select(strategy, info, "", 11'000), "b");
}

TEST_F(FaultStrategyTest, AFastAnswerDoesNotEndAnIsolation) {
  FaultStrategy strategy(On());
  strategy.Note(N("b"), 1'800, Outcome::kAnswered, 0);
  EXPECT_EQ(strategy.Note(N("b"), 1, Outcome::kAnswered, 10), 0);
  EXPECT_FALSE(strategy.tolerance().IsAvailable(N("b"), 4'999));
  EXPECT_TRUE(strategy.tolerance().IsAvailable(N("b"), 5'000));
}

TEST_F(FaultStrategyTest, IfAllAreIsolatedOneThatCanBeReachedIsChosen) {
  FaultStrategy strategy(On());
  PublishInfo info = ThreeBrokers();
  strategy.Note(N("a"), 1, Outcome::kRefused, 0);
  strategy.Note(N("b"), 1, Outcome::kTransport, 0);
  strategy.Note(N("c"), 1, Outcome::kRefused, 0);
  // One whole round for an available one, then b on the second.
  EXPECT_EQ(Select(strategy, info, "", 1), "b");
  // Nothing but b could be reached, and it is the one that failed: the next
  // after two whole rounds.
  EXPECT_EQ(Select(strategy, info, "b", 1), "c");
}

TEST_F(FaultStrategyTest, OnlyADetectorMakesABrokerWithoutAnswerUnreachable) {
  FaultStrategy plain(On());
  plain.Note(N("a"), 1, Outcome::kTransport, 0);
  EXPECT_TRUE(plain.tolerance().IsReachable(N("a")));
  FaultStrategy::Config config = On();
  config.start_detector_enable = true;
  FaultStrategy detecting(config);
  detecting.Note(N("a"), 1, Outcome::kTransport, 0);
  EXPECT_FALSE(detecting.tolerance().IsReachable(N("a")));
  detecting.tolerance().SetReachable(N("a"));
  EXPECT_TRUE(detecting.tolerance().IsReachable(N("a")));
}

TEST_F(FaultStrategyTest, ABrokerIsProbedAgainAfterTheInterval) {
  LatencyFaultTolerance tolerance;
  EXPECT_THAT(tolerance.TakeProbes(0, 2'000), IsEmpty());
  tolerance.Update(N("a"), 1, 0, true, 0);
  tolerance.Update(N("b"), 1, 0, true, 0);
  EXPECT_THAT(tolerance.TakeProbes(3'000, 2'000),
              UnorderedElementsAre(N("a"), N("b")));
  EXPECT_THAT(tolerance.TakeProbes(4'999, 2'000), IsEmpty());
  tolerance.Remove(N("b"));
  EXPECT_THAT(tolerance.TakeProbes(5'000, 2'000), ElementsAre(N("a")));
}

}  // namespace
}  // namespace groupsim
