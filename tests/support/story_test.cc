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

TEST(StoryTest, ProcessesOfATestLiveAsTheTimelineSays) {
  Story story({.seed = 3});
  FactLines facts(story.world().names());
  story.Add("x", [](LambdaProcess& p) { p.env().lifecycle().OnReady(); });
  story.world().trace().ObserveAll(&facts);
  story.At(1s).Start("x");
  story.At(2s).Restart("x");
  story.At(3s).Crash("x").Start("x");
  story.At(4s).Vanish("x");
  story.RunUntil(5s);
  EXPECT_THAT(facts.lines,
              ElementsAre("1000 x PROCESS_STARTED", "1000 x PROCESS_READY",
                          "2000 x PROCESS_STOPPING", "2000 x PROCESS_STOPPED",
                          "2000 x PROCESS_STARTED", "2000 x PROCESS_READY",
                          "3000 x PROCESS_CRASHED", "3000 x PROCESS_STARTED",
                          "3000 x PROCESS_READY", "4000 x PROCESS_VANISHED"));
  EXPECT_EQ(story.host("x").incarnation(), 3);
}

TEST(StoryTest, AGroupConsumesWhatAProducerSends) {
  Story story({.brokers = 2, .queues = 4, .consumers = 2, .seed = 5});
  story.At(40s).StopTraffic();
  story.RunFor(60s);
  // From the 4th second to the 40th, one every 10 ms.
  EXPECT_EQ(story.stored(), 3'700);
  EXPECT_EQ(story.CountOf(FactKind::SENT), 3'700);
  EXPECT_EQ(story.delivered(), 3'700);
  EXPECT_EQ(story.lost(), 0);
  EXPECT_EQ(story.duplicates(), 0);
  EXPECT_EQ(story.queues_owned(), 8);
  EXPECT_THAT(story.queues_of("c-1"),
              ElementsAre("b-1#0", "b-1#1", "b-1#2", "b-1#3"));
  EXPECT_THAT(story.queues_of("c-2"),
              ElementsAre("b-2#0", "b-2#1", "b-2#2", "b-2#3"));
}

TEST(StoryTest, QueuesOfACrashedConsumerMoveWithoutLoss) {
  Story story({.brokers = 1, .queues = 8, .consumers = 3, .seed = 7});
  story.At(30s).Crash("c-1");
  story.RunFor(60s);
  EXPECT_EQ(story.lost(), 0);
  EXPECT_EQ(story.queues_owned(), 8);
  EXPECT_THAT(story.queues_of("c-1"), ElementsAre());
  EXPECT_EQ(story.queues_of("c-2").size(), 4u);
  EXPECT_GT(story.unowned(), Duration::Zero());
  EXPECT_LT(story.unowned(), 30s);
}

TEST(StoryTest, TheQueuesOfAVanishedConsumerWaitUntilItsHeartbeatExpires) {
  Story story({.brokers = 1, .queues = 4, .consumers = 2, .seed = 7});
  story.At(30s).Vanish("c-1");
  story.RunFor(240s);
  // Two queues for 90 to 150 s.
  EXPECT_GE(story.unowned(), 180s);
  EXPECT_LE(story.unowned(), 302s);
  EXPECT_EQ(story.queues_of("c-2").size(), 4u);
  EXPECT_EQ(story.lost(), 0);
}

TEST(StoryTest, EqualSeedsTellEqualStories) {
  const auto fingerprint = [](uint64_t seed) {
    Story story({.brokers = 1, .queues = 4, .consumers = 2, .seed = seed});
    story.At(20s).Restart("c-1");
    story.RunFor(40s);
    return story.world().trace().CheckpointNow();
  };
  EXPECT_EQ(fingerprint(1), fingerprint(1));
  EXPECT_NE(fingerprint(1).schedule, fingerprint(2).schedule);
}

}  // namespace
}  // namespace groupsim
