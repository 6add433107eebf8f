// A topic that its consumer is there before.
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/settings.h"
#include "model/facts/fact.h"
#include "model/wire/subscription.h"
#include "sim/trace/trace.h"
#include "tests/support/story.h"

namespace groupsim {
namespace {

// A consumer that begins at the end of its topic, started at 1 s. Messages with
// the keys 1 and 2 are sent to the topic at 5 s, which makes it, and at 70 s.
class NewTopicStory final : private FactObserver {
 public:
  explicit NewTopicStory(MessageModel model) : story_(Spec()) {
    story_.world().trace().Observe(FactKind::STORED, this);
    story_.world().trace().Observe(FactKind::QUEUE_ADDED, this);
    story_.world().trace().Observe(FactKind::DELIVERED, this);
    story_.consumer_config().topics[0].topic = story_.name("new");
    story_.consumer_config().message_model = model;
    story_.AddConsumer();
    story_.At(1s).Start("c-1");
    SendAt(5s, 1);
    SendAt(70s, 2);
    story_.RunFor(90s);
  }

  std::vector<Instant> stored;
  std::vector<Instant> added;
  std::vector<Instant> delivered;

 private:
  static StorySpec Spec() {
    StorySpec spec;
    spec.brokers = 1;
    spec.messages_per_second = 1;  // To the usual topic.
    spec.consume_from_where = ConsumeFromWhere::kLastOffset;
    return spec;
  }
  void SendAt(Duration when, uint64_t key) {
    story_.At(when).Do([this, key] {
      OutgoingMessage message;
      message.topic = story_.name("new");
      message.key = key;
      message.scheduled = story_.world().now();
      story_.producer()->Send(message);
    });
  }
  void OnFact(const Fact& fact) override {
    if (fact.topic != story_.name("new").id()) return;
    if (fact.kind == FactKind::STORED) stored.push_back(fact.time);
    if (fact.kind == FactKind::QUEUE_ADDED) added.push_back(fact.time);
    if (fact.kind == FactKind::DELIVERED) delivered.push_back(fact.time);
  }

  Story story_;
};

// apache/rocketmq #9281, #7187: where the end of a queue is, is asked when the
// queue is first seen, at the refresh of routes of 31 s.
TEST(NewTopicTest, ABroadcastingMemberMissesWhatCameBeforeItSawTheTopic) {
  const NewTopicStory told(MessageModel::kBroadcasting);
  ASSERT_EQ(told.stored.size(), 2u);
  ASSERT_EQ(told.added.size(), 4u);
  EXPECT_GT(told.added[0], Instant::Start() + 31s);
  EXPECT_LT(told.added[0], Instant::Start() + 43s);
  ASSERT_EQ(told.delivered.size(), 1u);
  EXPECT_GT(told.delivered[0], Instant::Start() + 70s);
}

// A broker says of a young queue that a new group is at 0.
TEST(NewTopicTest, AClusteringOneMissesNothing) {
  const NewTopicStory told(MessageModel::kClustering);
  ASSERT_EQ(told.stored.size(), 2u);
  ASSERT_EQ(told.delivered.size(), 2u);
  EXPECT_LT(told.delivered[0], Instant::Start() + 43s);
}

}  // namespace
}  // namespace groupsim
