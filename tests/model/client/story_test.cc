// Consumers, brokers and producer together.
#include "tests/support/story.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "sim/trace/trace.h"
#include "tests/support/fact_lines.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
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

// Messages that a consumer pulled, by queue.
class Pulled final : public FactObserver {
 public:
  explicit Pulled(Story& story) : story_(story) {
    story.world().trace().Observe(FactKind::PULLED, this);
  }
  void OnFact(const Fact& fact) override {
    if (fact.topic != story_.name("topic").id()) return;
    by_consumer_[story_.world().names().FromId(fact.host).text()][fact.queue] +=
        fact.count;
  }
  std::vector<int64_t> Of(const std::string& consumer) const {
    std::vector<int64_t> counts;
    const auto found = by_consumer_.find(consumer);
    if (found == by_consumer_.end()) return counts;
    for (const auto& [queue, count] : found->second) counts.push_back(count);
    return counts;
  }

 private:
  Story& story_;
  std::map<std::string, std::map<int32_t, int64_t>> by_consumer_;
};

// C35: a limit of 1,000 messages of the topic is one of 62 for each of sixteen
// queues, and of 125 for each of eight. Pulls of 32 stop at the first number of
// them above it.
TEST(ClientStory, ALimitOfTheTopicIsDividedByTheQueuesOwned) {
  Story story({.brokers = 1,
               .queues = 16,
               .messages_per_second = 1'600,
               .seed = 2,
               .consumer = {.pull_threshold_for_topic = 1'000}});
  story.SetListener([](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = 1'000s;
    return plan;
  });
  Pulled pulled(story);
  story.AddConsumer();
  story.AddConsumer();
  story.At(20s).StopTraffic();
  story.At(30s).Start("c-1");
  story.At(90s).Start("c-2");
  story.RunFor(89s);
  EXPECT_THAT(pulled.Of("c-1"), ElementsAreArray(std::vector<int64_t>(16, 64)));
  story.RunFor(31s);
  std::vector<int64_t> first(8, 128);
  first.resize(16, 64);
  EXPECT_THAT(pulled.Of("c-1"), ElementsAreArray(first));
  EXPECT_THAT(pulled.Of("c-2"), ElementsAreArray(std::vector<int64_t>(8, 128)));
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
