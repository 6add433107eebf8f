// Consumers, brokers and producer together.
#include "tests/support/story.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "tests/support/fact_lines.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ClientStory, FirstPullsLeaveASecondAndAHalfAfterTheStart) {
  Story story({.brokers = 1, .queues = 4, .messages_per_second = 0});
  FactLines facts(story.world().names());
  story.world().trace().Observe(FactKind::QUEUE_ADDED, &facts);
  story.world().trace().Observe(FactKind::PULL_SENT, &facts);
  story.AddConsumer();
  story.At(2s).Start("c-1");
  story.RunUntil(5s);
  // The first rebalance is a second after the start; four queues cost some
  // milliseconds of questions. The retry topic is not known yet.
  ASSERT_THAT(facts.lines, SizeIs(8));
  EXPECT_EQ(facts.lines[0].substr(0, 3), "300");
  EXPECT_EQ(facts.lines[3].substr(0, 3), "300");
  EXPECT_EQ(facts.lines[4].substr(0, 3), "350");
  EXPECT_EQ(facts.lines[7].substr(0, 3), "350");
}

TEST(ClientStory, AGracefulLeaveCostsAtMostTwoSecondsAndNoMessage) {
  Story story({.brokers = 2, .queues = 4, .consumers = 2});
  story.At(30s).Stop("c-1");
  story.At(50s).StopTraffic();
  story.RunFor(60s);
  EXPECT_EQ(story.lost(), 0);
  EXPECT_EQ(story.delivered(), story.stored());
  // The offsets were sent before it left, and no message was under way for
  // longer than its listener takes.
  EXPECT_LE(story.duplicates(), 4);
  EXPECT_THAT(story.queues_of("c-2"), SizeIs(8));
  EXPECT_THAT(story.queues_of("c-1"), IsEmpty());
}

TEST(ClientStory, MembersThatComeAndGoLeaveNothingUnconsumed) {
  Story story({.brokers = 2, .queues = 4, .consumers = 3, .seed = 11});
  story.At(20s).Restart("c-1");
  story.At(30s).Crash("c-2");
  story.At(40s).Start("c-2");
  story.At(50s).Vanish("c-3");
  story.At(55s).Start("c-3");
  story.At(230s).StopTraffic();
  story.RunFor(300s);
  EXPECT_EQ(story.lost(), 0);
  EXPECT_EQ(story.delivered(), story.stored());
  EXPECT_EQ(story.queues_owned(), 8);
}

TEST(ClientStory, ABrokerThatRestartsIsConsumedAgain) {
  Story story({.brokers = 2, .queues = 4, .consumers = 2, .seed = 3});
  story.At(20s).Crash("b-1");
  story.At(25s).Start("b-1");
  story.At(100s).StopTraffic();
  story.RunFor(150s);
  EXPECT_EQ(story.lost(), 0);
  EXPECT_EQ(story.queues_owned(), 8);
}

}  // namespace
}  // namespace groupsim
