// What a broker makes of messages sent to it.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class SendTest : public ::testing::Test {
 protected:
  void Start() {
    cluster_.Start();
    client_ = &cluster_.AddClient("p-1");
  }
  Answer Do(Request request) {
    return cluster_.Do(*client_, std::move(request));
  }
  int Code(Request request) {
    return static_cast<int>(Do(std::move(request)).code());
  }

  Cluster cluster_;
  Cluster::Client* client_ = nullptr;
};

TEST_F(SendTest, AMessageGetsTheNextOffsetOfItsQueue) {
  Start();
  SendMessageRequest message = cluster_.Message(3, 321);
  message.key = 99;
  EXPECT_EQ(Do(message).body<SendMessageReply>().queue_offset, 0);
  EXPECT_EQ(Do(message).body<SendMessageReply>().queue_offset, 1);
  EXPECT_EQ(Do(message).body<SendMessageReply>().queue_id, 3);
  EXPECT_EQ(Do(cluster_.Message(0)).body<SendMessageReply>().queue_offset, 0);
  const std::vector<Fact> stored = cluster_.FactsOf(FactKind::STORED);
  ASSERT_THAT(stored, SizeIs(4));
  EXPECT_EQ(stored[1].topic, cluster_.topic.id());
  EXPECT_EQ(stored[1].broker, cluster_.broker_name.id());
  EXPECT_EQ(stored[1].host, cluster_.Intern("broker").id());
  EXPECT_EQ(stored[1].queue, 3);
  EXPECT_EQ(stored[1].offset, 1);
  EXPECT_EQ(stored[1].count, 321);
  EXPECT_EQ(stored[1].value, 99);
}

TEST_F(SendTest, ATagIsToldAfterTheMessage) {
  Start();
  SendMessageRequest message = cluster_.Message(3, 321);
  Do(message);
  message.tag = cluster_.Intern("red");
  Do(message);
  const std::vector<Fact> tagged = cluster_.FactsOf(FactKind::TAGGED);
  ASSERT_THAT(tagged, SizeIs(1));
  EXPECT_EQ(tagged[0].topic, cluster_.topic.id());
  EXPECT_EQ(tagged[0].queue, 3);
  EXPECT_EQ(tagged[0].offset, 1);
  EXPECT_EQ(tagged[0].count, 0);
  EXPECT_EQ(tagged[0].value, cluster_.Intern("red").id());
}

TEST_F(SendTest, RefusalsAreCheckedInOrder) {
  cluster_.config.settings.auto_create_topic_enable = false;
  Start();
  SendMessageRequest message = cluster_.Message(4, -1);
  message.topic = cluster_.Intern("not legal");
  EXPECT_EQ(Code(message), 29);
  message.topic = cluster_.Intern(std::string(128, 'x'));
  EXPECT_EQ(Code(message), 29);
  message.topic = cluster_.Intern("SCHEDULE_TOPIC_XXXX");
  EXPECT_EQ(Code(message), 16);
  message.topic = cluster_.Intern("unknown");
  EXPECT_EQ(Code(message), 17);
  message.topic = cluster_.topic;
  EXPECT_EQ(Code(message), 29);  // No such queue.
  message.queue_id = 3;
  EXPECT_EQ(Code(message), 13);  // No body.
  message.body_size = 4 * 1024 * 1024 + 1;
  EXPECT_EQ(Code(message), 13);
  EXPECT_THAT(cluster_.FactsOf(FactKind::STORED), IsEmpty());
  message.body_size = 4 * 1024 * 1024;
  EXPECT_EQ(Code(message), 0);
  message.body_size = 0;
  EXPECT_EQ(Code(message), 0);
}

TEST_F(SendTest, AnUnknownTopicIsMadeAfterTheTemplate) {
  Start();
  SendMessageRequest message = cluster_.Message(3);
  message.topic = cluster_.Intern("new");
  EXPECT_EQ(Code(message), 0);
  EXPECT_EQ(Code(message), 0);  // Made once.
  std::vector<Fact> created = cluster_.FactsOf(FactKind::TOPIC_CREATED);
  ASSERT_THAT(created, SizeIs(1));
  EXPECT_EQ(created[0].topic, message.topic.id());
  EXPECT_EQ(created[0].broker, cluster_.broker_name.id());
  EXPECT_EQ(created[0].count, 4);   // As the producer asks.
  EXPECT_EQ(created[0].offset, 6);  // Without the template's inherit bit.
  // The name server knew before the producer got its answer.
  EXPECT_EQ(cluster_.FactsOf(FactKind::BROKER_REGISTERED).back().count, 1);

  message.queue_id = 4;  // The topic has queues 0 to 3.
  EXPECT_EQ(Code(message), 29);
  message.topic = cluster_.Intern("wide");
  message.queue_id = 7;
  message.default_topic_queue_nums = 20;  // The template has eight.
  EXPECT_EQ(Code(message), 0);
  created = cluster_.FactsOf(FactKind::TOPIC_CREATED);
  EXPECT_EQ(created.back().count, 8);
}

TEST_F(SendTest, ATopicIsMadeAsTheBrokerMayBeUsed) {
  cluster_.config.settings.broker_permission = kPermRead;
  Start();
  SendMessageRequest message = cluster_.Message(0);
  message.topic = cluster_.Intern("new");
  EXPECT_EQ(Code(message), 0);
  EXPECT_EQ(cluster_.FactsOf(FactKind::TOPIC_CREATED).at(0).offset, kPermRead);
}

TEST_F(SendTest, TheLargerOfBothQueueNumbersIsTheLimit) {
  cluster_.config.topics[0].write_queue_nums = 2;
  Start();
  EXPECT_EQ(Code(cluster_.Message(3)), 0);
  EXPECT_EQ(Code(cluster_.Message(4)), 29);
}

TEST_F(SendTest, ANegativeQueueMeansAnyWritableOne) {
  cluster_.config.topics[0].write_queue_nums = 2;
  Start();
  std::set<int32_t> queues;
  for (int i = 0; i < 40; ++i) {
    queues.insert(Do(cluster_.Message(-1)).body<SendMessageReply>().queue_id);
  }
  EXPECT_EQ(queues, (std::set<int32_t>{0, 1}));
}

TEST_F(SendTest, AReadOnlyBrokerRefusesOrderedTopicsOnly) {
  cluster_.config.settings.broker_permission = kPermRead;
  cluster_.config.topics.push_back(cluster_.Topic("ordered", 4));
  cluster_.config.topics.back().order = true;
  Start();
  EXPECT_EQ(Code(cluster_.Message(0)), 0);
  SendMessageRequest message = cluster_.Message(0);
  message.topic = cluster_.Intern("ordered");
  EXPECT_EQ(Code(message), 16);
}

TEST_F(SendTest, ATopicWithoutWritePermissionTakesMessagesAllTheSame) {
  cluster_.config.topics[0].perm = kPermRead;
  Start();
  EXPECT_EQ(Code(cluster_.Message(0)), 0);
}

TEST_F(SendTest, RequestsOfOtherServersAreNotSupported) {
  Start();
  EXPECT_EQ(Code(GetRouteInfoRequest()), 3);
  EXPECT_EQ(Code(NotifyConsumerIdsChangedRequest()), 3);
  EXPECT_EQ(Code(Request()), 3);
}

}  // namespace
}  // namespace groupsim
