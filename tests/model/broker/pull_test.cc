// What a pull is answered, and in which order it is checked.
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class PullTest : public ::testing::Test {
 protected:
  void Start() {
    cluster_.Start();
    client_ = &cluster_.AddClient("c-1");
  }
  void StartAndJoin() {
    Start();
    cluster_.Join(*client_);
  }
  void Store(int32_t queue, int count) {
    for (int i = 0; i < count; ++i) {
      cluster_.Do(*client_, cluster_.Message(queue));
    }
  }
  Answer Pull(int32_t queue, int64_t offset) {
    return cluster_.Do(*client_, cluster_.Pull(queue, offset));
  }
  int CodeOf(const PullMessageRequest& request) {
    return static_cast<int>(cluster_.Do(*client_, request).code());
  }
  int Code(int32_t queue, int64_t offset) {
    return CodeOf(cluster_.Pull(queue, offset));
  }

  Cluster cluster_;
  Cluster::Client* client_ = nullptr;
};

TEST_F(PullTest, FindsMessagesAndTheBoundsOfTheQueue) {
  StartAndJoin();
  Store(1, 3);
  const Answer answer = Pull(1, 1);
  EXPECT_EQ(answer.code(), ResponseCode::kSuccess);
  EXPECT_EQ(answer.result->reply.remark, "FOUND");
  const PullMessageReply reply = answer.pulled();
  EXPECT_EQ(reply.next_begin_offset, 3);
  EXPECT_EQ(reply.min_offset, 0);
  EXPECT_EQ(reply.max_offset, 3);
  EXPECT_EQ(reply.suggest_which_broker_id, 0);
  ASSERT_THAT(reply.messages, SizeIs(2));
  EXPECT_EQ(reply.messages[0].queue_offset, 1);
}

TEST_F(PullTest, AnEmptyQueueAnswers19ForZeroAnd21ForAnythingElse) {
  StartAndJoin();
  EXPECT_EQ(Code(0, 0), 19);
  EXPECT_EQ(Pull(0, 0).result->reply.remark, "NO_MESSAGE_IN_QUEUE");
  EXPECT_EQ(Code(0, 7), 21);
  EXPECT_EQ(Code(0, -7), 21);
  const PullMessageReply reply = Pull(0, 7).pulled();
  EXPECT_EQ(reply.next_begin_offset, 0);
  EXPECT_EQ(reply.max_offset, 0);
}

TEST_F(PullTest, TheEndOfAQueueAnswers19) {
  StartAndJoin();
  Store(0, 3);
  EXPECT_EQ(Code(0, 3), 19);
  EXPECT_EQ(Pull(0, 3).pulled().next_begin_offset, 3);
  EXPECT_EQ(Pull(0, 3).result->reply.remark, "OFFSET_OVERFLOW_ONE");
}

TEST_F(PullTest, BeyondTheEndAnswers21WithTheMaximum) {
  StartAndJoin();
  Store(0, 3);
  EXPECT_EQ(Code(0, 4), 21);
  EXPECT_EQ(Pull(0, 400).pulled().next_begin_offset, 3);
  EXPECT_EQ(Pull(0, 400).pulled().max_offset, 3);
}

TEST_F(PullTest, BeforeTheBeginningAnswers21WithTheMinimum) {
  StartAndJoin();
  Store(0, 3);
  EXPECT_EQ(Code(0, -1), 21);
  EXPECT_EQ(Pull(0, -1).pulled().next_begin_offset, 0);
  EXPECT_EQ(Pull(0, -1).result->reply.remark, "OFFSET_TOO_SMALL");
}

TEST_F(PullTest, NothingThatMatchesAnswers20BehindWhatWasScanned) {
  Start();
  cluster_.Do(*client_, cluster_.Heartbeat(
                            *client_, {cluster_.Subscription("t", {"red"})}));
  for (int i = 0; i < 5; ++i) {
    cluster_.Do(*client_, cluster_.Message(0, 10, "blue"));
  }
  EXPECT_EQ(Code(0, 2), 20);
  EXPECT_EQ(Pull(0, 2).pulled().next_begin_offset, 5);
  cluster_.Do(*client_, cluster_.Message(0, 10, "red"));
  const PullMessageReply reply = Pull(0, 0).pulled();
  ASSERT_THAT(reply.messages, SizeIs(1));
  EXPECT_EQ(reply.messages[0].queue_offset, 5);
}

TEST_F(PullTest, APullBehindTheTableIsFilteredByTheTable) {
  Start();
  cluster_.Do(
      *client_,
      cluster_.Heartbeat(*client_, {cluster_.Subscription("t", {"red"}, 5)}));
  cluster_.Do(*client_, cluster_.Message(0, 10, "blue"));
  PullMessageRequest pull = cluster_.Pull(0, 0);
  pull.sub_version = 4;
  EXPECT_EQ(CodeOf(pull), 20);
  pull.sub_version = 6;
  EXPECT_EQ(CodeOf(pull), 25);
}

// Everything is wrong at first; each step mends what was just complained of.
TEST_F(PullTest, ChecksGoInOrder) {
  cluster_.config.settings.broker_permission = kPermWrite;
  cluster_.config.settings.auto_create_subscription_group = false;
  cluster_.config.topics.clear();
  Start();
  PullMessageRequest pull = cluster_.Pull(4, 0);
  pull.sub_version = 1;
  EXPECT_EQ(CodeOf(pull), 16);  // The broker may not be read.

  const auto restart = [this] {
    cluster_.broker_host->Crash();
    cluster_.RunFor(1s);
    cluster_.broker_host->Start();
    cluster_.RunFor(1s);
  };
  cluster_.config.settings.broker_permission = kPermRead | kPermWrite;
  restart();
  EXPECT_EQ(CodeOf(pull), 26);  // No such group.

  SubscriptionGroupConfig group;
  group.group_name = cluster_.group;
  group.consume_enable = false;
  group.consume_broadcast_enable = false;
  cluster_.disk.groups.Put(group);
  EXPECT_EQ(CodeOf(pull), 16);  // The group may not consume.

  group.consume_enable = true;
  cluster_.disk.groups.Put(group);
  EXPECT_EQ(CodeOf(pull), 17);  // No such topic.

  TopicConfig topic = cluster_.Topic("t", 4);
  topic.perm = kPermWrite;
  cluster_.disk.topics.Put(topic, 0);
  EXPECT_EQ(CodeOf(pull), 16);  // The topic may not be read.

  topic.perm = kPermRead;
  cluster_.disk.topics.Put(topic, 0);
  EXPECT_EQ(CodeOf(pull), 29);  // No such queue.
  pull.queue.queue_id = -1;
  EXPECT_EQ(CodeOf(pull), 29);

  pull.queue.queue_id = 3;
  EXPECT_EQ(CodeOf(pull), 24);  // The group has no members.

  ConsumerData data;
  data.group = cluster_.group;
  data.model = MessageModel::kBroadcasting;
  cluster_.Do(*client_, cluster_.Heartbeat(*client_, data));
  cluster_.RunFor(10ms);
  EXPECT_EQ(CodeOf(pull), 16);  // The group may not broadcast.

  data.model = MessageModel::kClustering;
  cluster_.Do(*client_, cluster_.Heartbeat(*client_, data));
  EXPECT_EQ(CodeOf(pull), 24);  // It has not subscribed to the topic.

  data.subscriptions = {cluster_.Subscription("t")};
  cluster_.Do(*client_, cluster_.Heartbeat(*client_, data));
  EXPECT_EQ(CodeOf(pull), 25);  // The subscription here is older.

  data.subscriptions = {cluster_.Subscription("t", {}, 1)};
  cluster_.Do(*client_, cluster_.Heartbeat(*client_, data));
  EXPECT_EQ(CodeOf(pull), 19);
}

TEST_F(PullTest, AMissingGroupIsCreatedWhereThatIsAllowed) {
  Start();
  EXPECT_EQ(Code(0, 0), 24);
  EXPECT_NE(cluster_.disk.groups.Find(cluster_.group), nullptr);
}

TEST_F(PullTest, APullWithItsOwnSubscriptionNeedsNoMembership) {
  Start();
  Store(0, 1);
  PullMessageRequest pull = cluster_.Pull(0, 0);
  pull.sys_flag = kPullFlagSubscription;
  EXPECT_EQ(CodeOf(pull), 0);
}

TEST_F(PullTest, APullIsFilteredByItsOwnSubscription) {
  Start();
  // The group's own subscription counts for nothing then.
  cluster_.Do(
      *client_,
      cluster_.Heartbeat(*client_, {cluster_.Subscription("t", {"blue"}, 5)}));
  for (const char* tag : {"blue", "red", "", "green", "red"}) {
    cluster_.Do(*client_, cluster_.Message(0, 10, tag));
  }
  PullMessageRequest pull = cluster_.Pull(0, 0);
  pull.sys_flag = kPullFlagSubscription;
  const auto offsets = [&](const char* expression) {
    pull.subscription = cluster_.Intern(expression);
    const PullMessageReply reply = cluster_.Do(*client_, pull).pulled();
    std::vector<int64_t> found;
    for (const Message& message : reply.messages) {
      found.push_back(message.queue_offset);
    }
    return found;
  };
  EXPECT_THAT(offsets("red"), ElementsAre(1, 4));
  EXPECT_THAT(offsets("red || green"), ElementsAre(1, 3, 4));
  EXPECT_THAT(offsets("red"), ElementsAre(1, 4));
  EXPECT_THAT(offsets(""), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(offsets("*"), ElementsAre(0, 1, 2, 3, 4));
  pull.subscription = cluster_.Intern("yellow");
  EXPECT_EQ(CodeOf(pull), 20);
}

TEST_F(PullTest, LitePullsAreAnsweredAsOthers) {
  Start();
  Store(0, 1);
  PullMessageRequest pull = cluster_.Pull(0, 0);
  pull.sys_flag = kPullFlagSubscription;
  Request request(pull);
  request.code = RequestCode::kLitePullMessage;
  EXPECT_THAT(cluster_.Do(*client_, request).pulled().messages, SizeIs(1));
}

TEST_F(PullTest, APullStoresTheOffsetThatItBringsWhateverItsOutcome) {
  StartAndJoin();
  Store(0, 3);
  PullMessageRequest pull = cluster_.Pull(0, 0);
  pull.commit_offset = 2;
  cluster_.Do(*client_, pull);
  EXPECT_THAT(cluster_.FactsOf(FactKind::COMMITTED), IsEmpty());

  pull.sys_flag = kPullFlagCommitOffset;
  EXPECT_EQ(CodeOf(pull), 0);
  pull.queue_offset = 50;
  pull.commit_offset = 1;
  EXPECT_EQ(CodeOf(pull), 21);
  EXPECT_EQ(CodeOf(pull), 21);  // The same offset: no second fact.
  const std::vector<Fact> committed = cluster_.FactsOf(FactKind::COMMITTED);
  ASSERT_THAT(committed, SizeIs(2));
  EXPECT_EQ(committed[0].group, cluster_.group.id());
  EXPECT_EQ(committed[0].topic, cluster_.topic.id());
  EXPECT_EQ(committed[0].broker, cluster_.broker_name.id());
  EXPECT_EQ(committed[0].offset, 2);
  EXPECT_EQ(committed[0].count, -1);
  EXPECT_EQ(committed[1].offset, 1);
  EXPECT_EQ(committed[1].count, 2);
}

TEST_F(PullTest, ARefusedPullStoresNothing) {
  Start();
  PullMessageRequest pull = cluster_.Pull(0, 0);
  pull.sys_flag = kPullFlagCommitOffset;
  pull.commit_offset = 2;
  EXPECT_EQ(CodeOf(pull), 24);
  EXPECT_THAT(cluster_.FactsOf(FactKind::COMMITTED), IsEmpty());
}

}  // namespace
}  // namespace groupsim
