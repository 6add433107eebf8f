// Producers and brokers together.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/broker/broker.h"
#include "model/client/producer.h"
#include "model/facts/fact.h"
#include "model/wire/route.h"
#include "sim/trace/trace.h"
#include "tests/support/story.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;

class Facts final : public FactObserver {
 public:
  Facts(Story& story, FactKind kind) {
    story.world().trace().Observe(kind, this);
  }
  void OnFact(const Fact& fact) override { all.push_back(fact); }
  std::vector<Fact> all;
};

StorySpec TwoBrokers(bool send_latency_enable) {
  StorySpec spec;
  spec.brokers = 2;
  spec.producer.send_latency_enable = send_latency_enable;
  return spec;
}

int64_t TriedAgain(const Facts& sent) {
  int64_t count = 0;
  for (const Fact& fact : sent.all) {
    if (fact.count > 1) ++count;
  }
  return count;
}

// A hundred messages a second, 2,100 of them from 10.005 s, when a broker goes,
// to 31.01 s, when the route is refreshed, thirty seconds after the first time.
// The ring has four queues of each broker in a row. An attempt for the first
// one of b-2 fails, and the next goes round to the first one of b-1: so of each
// four messages one is tried again.
TEST(ProducerStory, ABrokerThatIsGoneCostsEveryFourthMessageAnAttempt) {
  Story story(TwoBrokers(false));
  Facts sent(story, FactKind::SENT);
  story.At(10'005ms).Crash("b-2");
  story.RunFor(40s);
  EXPECT_NEAR(static_cast<double>(TriedAgain(sent)), 525, 1);
  EXPECT_EQ(story.CountOf(FactKind::SEND_FAILED), 0);
  EXPECT_EQ(story.CountOf(FactKind::BROKER_ISOLATED), 0);
}

// Refused at once, it is left alone for ten seconds each time: attempts soon
// after 10, 20 and 30 s, then the route is without it.
TEST(ProducerStory, WithTheFaultStrategyItCostsThreeAttempts) {
  Story story(TwoBrokers(true));
  Facts sent(story, FactKind::SENT);
  Facts isolated(story, FactKind::BROKER_ISOLATED);
  story.At(10'005ms).Crash("b-2");
  story.RunFor(40s);
  EXPECT_EQ(TriedAgain(sent), 3);
  ASSERT_EQ(isolated.all.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    const Duration at = isolated.all[static_cast<size_t>(i)].time.since_start();
    EXPECT_GE(at, Duration(10s) * (i + 1));
    EXPECT_LE(at, Duration(10s) * (i + 1) + 200ms);
    EXPECT_EQ(isolated.all[static_cast<size_t>(i)].value,
              Duration(10s).nanos());
  }
}

// The producer takes the template's route, and the broker that it sends to
// makes the topic. The consumer, started at 1 s, asks for the route at its
// rebalance 20 s later. That opens a connection, a heartbeat follows, and a
// second after that rebalance the next one, which gives it the queues.
TEST(ProducerStory, ATopicIsMadeByTheFirstMessageToIt) {
  StorySpec spec;
  spec.brokers = 2;
  spec.messages_per_second = 1;  // To the usual topic.
  Story story(spec);
  Facts created(story, FactKind::TOPIC_CREATED);
  Facts added(story, FactKind::QUEUE_ADDED);
  Facts delivered(story, FactKind::DELIVERED);
  const Name topic = story.name("new");
  story.consumer_config().topics[0].topic = topic;
  story.AddConsumer();
  story.At(1s).Start("c-1");
  story.At(5s).Do([&] {
    OutgoingMessage message;
    message.topic = topic;
    message.key = 77;
    message.scheduled = story.world().now();
    story.producer()->Send(message);
  });
  story.RunFor(60s);

  ASSERT_EQ(created.all.size(), 1u);  // At the other broker it is not there.
  EXPECT_EQ(created.all[0].topic, topic.id());
  EXPECT_EQ(created.all[0].count, 4);
  EXPECT_EQ(created.all[0].offset, kPermRead | kPermWrite);
  // Four queues of the one broker that has it, and the retry topic's.
  std::vector<Fact> queues;
  for (const Fact& fact : added.all) {
    if (fact.topic == topic.id()) queues.push_back(fact);
  }
  ASSERT_EQ(queues.size(), 4u);
  for (const Fact& fact : queues) {
    EXPECT_EQ(fact.broker, created.all[0].broker);
    EXPECT_GT(fact.time.since_start(), Duration(22s));
    EXPECT_LT(fact.time.since_start(), Duration(22'100ms));
  }
  ASSERT_EQ(delivered.all.size(), 1u);
  EXPECT_EQ(delivered.all[0].topic, topic.id());
}

// Five queues become ten at 60 s; the producer hears of it at its refresh at
// 61.01 s. Keys 0 to 4 stay where they are, keys 5 to 9 leave their old
// messages behind.
TEST(ProducerStory, HalfOfTheKeysMoveWhenTheQueuesDouble) {
  StorySpec spec;
  spec.brokers = 1;
  spec.queues = 5;
  spec.messages_per_second = 1;
  Story story(spec);
  Facts stored(story, FactKind::STORED);
  story.At(4s).StopTraffic();
  for (int second = 10; second < 80; ++second) {
    for (uint64_t key = 0; key < 10; ++key) {
      story.At(Duration::Millis(second * 1'000 + 500)).Do([&story, key] {
        OutgoingMessage message;
        message.topic = story.name("topic");
        message.key = key;
        message.selector = QueueSelector::kByHash;
        message.scheduled = story.world().now();
        story.producer()->Send(message);
      });
    }
  }
  story.At(60s).Do([&] {
    TopicConfig topic;
    topic.topic = story.name("topic");
    topic.read_queue_nums = topic.write_queue_nums = 10;
    story.broker("b-1")->UpdateTopic(topic);
  });
  story.RunFor(81s);
  std::map<int64_t, std::set<uint16_t>> queues_of;
  for (const Fact& fact : stored.all) {
    if (fact.time < Instant::Start() + 10s) continue;
    const bool late = fact.time.since_start() > Duration(61'010ms);
    EXPECT_EQ(fact.queue, fact.value % (late ? 10 : 5)) << fact.value;
    queues_of[fact.value].insert(fact.queue);
  }
  for (uint16_t key = 0; key < 5; ++key) {
    EXPECT_THAT(queues_of[key], ElementsAre(key));
  }
  for (uint16_t key = 5; key < 10; ++key) {
    EXPECT_THAT(queues_of[key], ElementsAre(key - 5, key));
  }
}

}  // namespace
}  // namespace groupsim
