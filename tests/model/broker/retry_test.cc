// What a broker makes of messages that consumers send back, and of those that
// are to wait.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/broker/delay_levels.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// The broker starts at 100 ms, so it looks at its delay levels at every whole
// 100 ms from 1.1 s on. One way takes 250 us.
class RetryTest : public ::testing::Test {
 protected:
  void Start() {
    cluster_.Start();
    client_ = &cluster_.AddClient("c-1");
    cluster_.Join(*client_);
  }
  Answer Do(Request request) {
    return cluster_.Do(*client_, std::move(request));
  }
  int Code(Request request) {
    return static_cast<int>(Do(std::move(request)).code());
  }
  // Stores a message in queue 2; returns its position in the log.
  int64_t Store() {
    SendMessageRequest message = cluster_.Message(2, 100, "red");
    message.key = 77;
    EXPECT_EQ(Code(message), 0);
    cluster_.RunFor(2ms);
    const StoredQueue& queue = *cluster_.disk.store.Find(cluster_.topic, 2);
    return cluster_.disk.store.Read(queue, queue.next_offset() - 1)
        .commit_log_offset;
  }
  SendMessageBackRequest Back(int64_t position, int32_t level = 0) {
    SendMessageBackRequest request;
    request.group = cluster_.group;
    request.offset = position;
    request.origin_topic = cluster_.topic;
    request.delay_level = level;
    request.max_reconsume_times = 16;
    return request;
  }
  // What lies in a queue.
  std::vector<Message> In(const std::string& topic, int32_t queue_id = 0) {
    std::vector<Message> messages;
    StoredQueue* queue =
        cluster_.disk.store.Find(cluster_.Intern(topic), queue_id);
    if (queue == nullptr) return messages;
    for (int64_t i = 0; i < queue->next_offset(); ++i) {
      messages.push_back(cluster_.disk.store.Read(*queue, i));
    }
    return messages;
  }
  // Facts of a kind as "time in ms: count value".
  std::vector<std::string> Log(FactKind kind) {
    std::vector<std::string> lines;
    for (const Fact& fact : cluster_.FactsOf(kind)) {
      lines.push_back(absl::StrCat(fact.time.since_start().millis(), ": ",
                                   fact.count, " ", fact.value));
    }
    return lines;
  }
  void Restart() {
    cluster_.broker_host->Crash();
    cluster_.RunFor(100ms);
    cluster_.broker_host->Start();
    cluster_.RunFor(100ms);
  }

  Cluster cluster_;
  Cluster::Client* client_ = nullptr;
};

TEST_F(RetryTest, ACopyComesToTheRetryTopicAfterTenSeconds) {
  Start();
  const int64_t position = Store();
  cluster_.RunUntil(533ms);
  EXPECT_EQ(Code(Back(position)), 0);
  // Taken at 533 ms, due at 10,533 ms, found at the next look.
  EXPECT_THAT(Log(FactKind::RETRY_STORED), testing::ElementsAre("533: 1 3"));
  EXPECT_THAT(Log(FactKind::SCHEDULED),
              testing::ElementsAre("533: 3 10000000000"));
  cluster_.RunUntil(10'599ms);
  EXPECT_THAT(In("%RETRY%g"), IsEmpty());
  cluster_.RunUntil(10'601ms);
  EXPECT_THAT(Log(FactKind::CAME_DUE),
              testing::ElementsAre("10600: 3 67000000"));
  const std::vector<Message> copies = In("%RETRY%g");
  ASSERT_THAT(copies, SizeIs(1));
  EXPECT_EQ(copies[0].reconsume_times, 1);
  EXPECT_EQ(copies[0].key, 77u);
  EXPECT_EQ(copies[0].tag, cluster_.Intern("red"));
  EXPECT_EQ(copies[0].body_size, 100);
  EXPECT_EQ(copies[0].origin.topic, cluster_.topic);
  EXPECT_EQ(copies[0].origin.broker, cluster_.broker_name.id());
  EXPECT_EQ(copies[0].origin.queue, 2);
  EXPECT_EQ(copies[0].origin.offset, 0u);
  EXPECT_EQ(copies[0].stored, Instant::Start() + 10'600ms);
}

// 3 + reconsume times: 10 s, then 30 s, then a minute. The first copy stays the
// origin of all.
TEST_F(RetryTest, EachRetryWaitsLonger) {
  Start();
  int64_t position = Store();
  cluster_.RunUntil(500ms);
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(Code(Back(position)), 0);
    cluster_.RunFor(61s);
    const std::vector<Message> copies = In("%RETRY%g");
    ASSERT_THAT(copies, SizeIs(times + 1));
    EXPECT_EQ(copies.back().reconsume_times, times + 1);
    EXPECT_EQ(copies.back().origin.topic, cluster_.topic);
    position = copies.back().commit_log_offset;
  }
  std::vector<int64_t> levels;
  for (const Fact& fact : cluster_.FactsOf(FactKind::SCHEDULED)) {
    levels.push_back(fact.count);
  }
  EXPECT_EQ(levels, (std::vector<int64_t>{3, 4, 5}));
}

TEST_F(RetryTest, AskedForLevelsCountAndThoseBeyondTheTableAreItsLast) {
  cluster_.config.settings.message_delay_level = "2s 3s";
  Start();
  const int64_t position = Store();
  cluster_.RunUntil(500ms);
  EXPECT_EQ(Code(Back(position, 1)), 0);
  EXPECT_EQ(Code(Back(position, 18)), 0);
  cluster_.RunUntil(5s);
  EXPECT_THAT(Log(FactKind::SCHEDULED),
              testing::ElementsAre("500: 1 2000000000", "502: 2 3000000000"));
  EXPECT_THAT(Log(FactKind::CAME_DUE),
              testing::ElementsAre("2500: 1 0", "3600: 2 98000000"));
}

TEST_F(RetryTest, AFailureAtTheLimitIsADeadLetter) {
  Start();
  const int64_t position = Store();
  SendMessageBackRequest request = Back(position);
  request.max_reconsume_times = 1;
  EXPECT_EQ(Code(request), 0);
  cluster_.RunFor(11s);
  EXPECT_THAT(In("%DLQ%g"), IsEmpty());
  const std::vector<Message> copies = In("%RETRY%g");
  ASSERT_THAT(copies, SizeIs(1));
  request.offset = copies[0].commit_log_offset;
  EXPECT_EQ(Code(request), 0);
  const std::vector<Message> dead = In("%DLQ%g");
  ASSERT_THAT(dead, SizeIs(1));
  EXPECT_EQ(dead[0].reconsume_times, 2);
  EXPECT_EQ(dead[0].origin.queue, 2);
  const std::vector<Fact> facts = cluster_.FactsOf(FactKind::DEAD_LETTERED);
  ASSERT_THAT(facts, SizeIs(1));
  EXPECT_EQ(facts[0].topic, cluster_.topic.id());
  EXPECT_EQ(facts[0].queue, 2);
  EXPECT_EQ(facts[0].offset, 0);
  EXPECT_EQ(facts[0].count, 2);
  // The topic has one queue; it is made at the first dead letter.
  const auto* topic = cluster_.disk.topics.Find(cluster_.Intern("%DLQ%g"));
  ASSERT_NE(topic, nullptr);
  EXPECT_EQ(topic->config.read_queue_nums, 1);
}

TEST_F(RetryTest, ANegativeLevelIsADeadLetterAtOnce) {
  Start();
  EXPECT_EQ(Code(Back(Store(), -1)), 0);
  EXPECT_THAT(In("%DLQ%g"), SizeIs(1));
  EXPECT_THAT(cluster_.FactsOf(FactKind::SCHEDULED), IsEmpty());
}

TEST_F(RetryTest, WithoutAMaximumOfItsOwnTheGroupsCounts) {
  SubscriptionGroupConfig group;
  group.group_name = cluster_.group;
  group.retry_max_times = 0;
  cluster_.config.groups.push_back(group);
  Start();
  SendMessageBackRequest request = Back(Store());
  request.max_reconsume_times = -1;
  EXPECT_EQ(Code(request), 0);
  EXPECT_THAT(In("%DLQ%g"), SizeIs(1));
}

TEST_F(RetryTest, WithoutRetryQueuesMessagesVanishWithSuccess) {
  SubscriptionGroupConfig group;
  group.group_name = cluster_.group;
  group.retry_queue_nums = 0;
  cluster_.config.groups.push_back(group);
  Start();
  EXPECT_EQ(Code(Back(Store())), 0);
  cluster_.RunFor(11s);
  EXPECT_THAT(In("%RETRY%g"), IsEmpty());
  EXPECT_THAT(cluster_.FactsOf(FactKind::RETRY_DROPPED), SizeIs(1));
}

TEST_F(RetryTest, RefusalsComeInUpstreamsOrder) {
  cluster_.config.settings.auto_create_subscription_group = false;
  cluster_.config.settings.broker_permission = kPermRead;
  Start();
  EXPECT_EQ(Code(Back(12'345)), 26);
  SubscriptionGroupConfig group;
  group.group_name = cluster_.group;
  cluster_.disk.groups.Put(group);
  EXPECT_EQ(Code(Back(12'345)), 16);
  cluster_.broker->UpdatePermission(kPermRead | kPermWrite);
  EXPECT_EQ(Code(Back(12'345)), 1);  // No message begins there.
  TopicConfig retry = cluster_.Topic("%RETRY%g", 1);
  retry.perm = kPermRead;
  cluster_.broker->UpdateTopic(retry);
  EXPECT_EQ(Code(Back(12'345)), 16);
}

// ---- What consumers send to the retry topic themselves ----

class OwnRetryTest : public RetryTest {
 protected:
  SendMessageRequest Own(int32_t reconsume_times) {
    SendMessageRequest request = cluster_.Message(0);
    request.topic = cluster_.Intern("%RETRY%g");
    auto properties = std::make_shared<SendProperties>();
    properties->delay_level = 3;
    properties->reconsume_times = reconsume_times;
    properties->max_reconsume_times = 16;
    properties->origin.topic = cluster_.topic;
    properties->origin.offset = 5;
    request.properties = std::move(properties);
    return request;
  }
};

TEST_F(OwnRetryTest, AtTheLimitItIsTriedOnceMore) {
  Start();
  EXPECT_EQ(Code(Own(16)), 0);
  EXPECT_THAT(In("%DLQ%g"), IsEmpty());
  EXPECT_EQ(Code(Own(17)), 0);
  EXPECT_THAT(In("%DLQ%g"), SizeIs(1));
  cluster_.RunFor(11s);
  const std::vector<Message> copies = In("%RETRY%g");
  ASSERT_THAT(copies, SizeIs(1));
  EXPECT_EQ(copies[0].reconsume_times, 16);
  EXPECT_EQ(copies[0].origin.offset, 5u);
}

TEST_F(OwnRetryTest, TheReleaseBeforeFiveGivesUpAtTheLimit) {
  cluster_.config.profile = kBrokerRocketMq49;
  Start();
  EXPECT_EQ(Code(Own(15)), 0);
  EXPECT_THAT(In("%DLQ%g"), IsEmpty());
  EXPECT_EQ(Code(Own(16)), 0);
  EXPECT_THAT(In("%DLQ%g"), SizeIs(1));
}

// It is made as any topic is: by the template, if there is one.
TEST_F(OwnRetryTest, ARetryTopicThatIsNotThereIsMade) {
  cluster_.Start();
  client_ = &cluster_.AddClient("c-1");
  EXPECT_EQ(Code(Own(1)), 0);
  const auto* topic = cluster_.disk.topics.Find(cluster_.Intern("%RETRY%g"));
  ASSERT_NE(topic, nullptr);
  EXPECT_EQ(topic->config.read_queue_nums, 4);
  EXPECT_THAT(cluster_.FactsOf(FactKind::TOPIC_CREATED), SizeIs(1));
}

TEST_F(OwnRetryTest, WithoutATemplateARetryTopicHasOneQueue) {
  cluster_.config.settings.auto_create_topic_enable = false;
  cluster_.Start();
  client_ = &cluster_.AddClient("c-1");
  EXPECT_EQ(Code(Own(1)), 0);
  const auto* topic = cluster_.disk.topics.Find(cluster_.Intern("%RETRY%g"));
  ASSERT_NE(topic, nullptr);
  EXPECT_EQ(topic->config.read_queue_nums, 1);
}

TEST_F(OwnRetryTest, ARetryTopicWithoutALegalNameIsNotMade) {
  cluster_.Start();
  client_ = &cluster_.AddClient("c-1");
  SendMessageRequest request = Own(1);
  request.topic = cluster_.Intern("%RETRY%not legal");
  EXPECT_EQ(Code(request), 29);
  EXPECT_EQ(cluster_.disk.topics.Find(request.topic), nullptr);
}

// Also where its sender says nothing about it.
TEST_F(OwnRetryTest, AMessageInARetryTopicIsOfItsGroup) {
  cluster_.config.settings.auto_create_subscription_group = false;
  Start();
  SendMessageRequest request = Own(1);
  request.topic = cluster_.Intern("%RETRY%stranger");
  request.properties = nullptr;
  EXPECT_EQ(Code(request), 26);
}

// ---- Messages that wait ----

class DelayTest : public RetryTest {
 protected:
  SendMessageRequest Delayed(int32_t level) {
    SendMessageRequest request = cluster_.Message(1);
    auto properties = std::make_shared<SendProperties>();
    properties->delay_level = level;
    request.properties = std::move(properties);
    return request;
  }
};

TEST_F(DelayTest, AMessageComesToItsQueueWhenItsLevelIsOver) {
  Start();
  cluster_.RunUntil(700ms);
  EXPECT_EQ(Code(Delayed(2)), 0);
  EXPECT_THAT(cluster_.FactsOf(FactKind::STORED), IsEmpty());
  EXPECT_THAT(cluster_.FactsOf(FactKind::RETRY_STORED), IsEmpty());
  cluster_.RunUntil(5'699ms);
  EXPECT_THAT(In("t", 1), IsEmpty());
  cluster_.RunUntil(5'701ms);
  const std::vector<Message> messages = In("t", 1);
  ASSERT_THAT(messages, SizeIs(1));
  EXPECT_EQ(messages[0].stored, Instant::Start() + 5'700ms);
  EXPECT_TRUE(messages[0].origin.topic.empty());
  EXPECT_THAT(cluster_.FactsOf(FactKind::STORED), SizeIs(1));
}

// A level looks at its head only, first in, first out.
TEST_F(DelayTest, TheFirstLookIsASecondAfterTheStart) {
  cluster_.config.settings.message_delay_level = "1s";
  Start();
  cluster_.RunUntil(250ms);
  EXPECT_EQ(Code(Delayed(1)), 0);
  cluster_.RunUntil(2s);
  EXPECT_THAT(Log(FactKind::CAME_DUE),
              testing::ElementsAre("1300: 1 50000000"));
  EXPECT_EQ(Code(Delayed(1)), 0);
  cluster_.RunUntil(4s);
  EXPECT_THAT(Log(FactKind::CAME_DUE),
              testing::ElementsAre("1300: 1 50000000", "3000: 1 0"));
}

// Progress is written 10 s after the start and every 10 s.
TEST_F(DelayTest, ACrashRepeatsWhatWasDeliveredSinceTheProgressWasWritten) {
  Start();
  EXPECT_EQ(Code(Delayed(1)), 0);
  cluster_.RunUntil(5s);
  EXPECT_THAT(In("t", 1), SizeIs(1));
  Restart();
  cluster_.RunFor(2s);
  EXPECT_THAT(In("t", 1), SizeIs(2));
  cluster_.RunUntil(30s);
  Restart();
  cluster_.RunFor(2s);
  EXPECT_THAT(In("t", 1), SizeIs(2));
}

// What waits at a crash still comes; what was due meanwhile comes at the first
// look.
TEST_F(DelayTest, MessagesWaitOnThroughARestart) {
  Start();
  cluster_.RunUntil(300ms);
  EXPECT_EQ(Code(Delayed(1)), 0);
  EXPECT_EQ(Code(Delayed(3)), 0);
  cluster_.broker_host->Crash();
  cluster_.RunUntil(5s);
  cluster_.broker_host->Start();
  cluster_.RunUntil(7s);
  EXPECT_THAT(Log(FactKind::CAME_DUE),
              testing::ElementsAre("6000: 1 4700000000"));
  cluster_.RunUntil(11s);
  EXPECT_THAT(In("t", 1), SizeIs(2));
}

// Corrected at the start since 4.9.2; before, nothing of the level came until
// its queue had grown past the wrong number.
TEST_F(DelayTest, AProgressBeyondTheQueueIsItsEnd) {
  cluster_.disk.delay_offsets = {6'012};
  Start();
  EXPECT_EQ(Code(Delayed(1)), 0);
  Restart();  // Before the first message is due: its end is 1.
  EXPECT_EQ(Code(Delayed(1)), 0);
  cluster_.RunFor(3s);
  EXPECT_THAT(In("t", 1), SizeIs(1));
}

TEST(DelayLevelsTest, AreReadFromOneText) {
  const absl::StatusOr<DelayLevels> levels = DelayLevels::Parse("1s 2m 3h 4d");
  ASSERT_TRUE(levels.ok());
  EXPECT_EQ(levels->max(), 4);
  EXPECT_EQ(levels->DelayOf(1), Duration(1s));
  EXPECT_EQ(levels->DelayOf(2), Duration(2min));
  EXPECT_EQ(levels->DelayOf(3), Duration(3h));
  EXPECT_EQ(levels->DelayOf(4), Duration(96h));
  EXPECT_EQ(levels->DelayOf(9), Duration(96h));
  for (const char* text : {"", "1", "s", "0s", "-1s", "1.5s", "1ms", "366d"}) {
    EXPECT_FALSE(DelayLevels::Parse(text).ok()) << text;
  }
}

}  // namespace
}  // namespace groupsim
