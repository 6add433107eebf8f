// What an administrator changes, and what is wrong with the machine.
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/broker/disturbance.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

class AdminTest : public ::testing::Test, public ServiceTime {
 protected:
  AdminTest() { cluster_.config.disturbance = &disturbance_; }

  // In a turn that belongs to no process.
  template <class Action>
  void Command(Action action) {
    cluster_.world.At(cluster_.world.now(), std::move(action));
    cluster_.RunFor(2ms);
  }
  QueueData RouteOf(Cluster::Client& client) {
    GetRouteInfoRequest request;
    request.topic = cluster_.topic;
    const auto reply =
        cluster_.DoAtNameServer(client, request).body<GetRouteInfoReply>();
    return reply.route->queues.at(0);
  }
  Duration Draw(RandomStream& /*draws*/) override { return service_time_; }

  // A held pull, and when the message was sent that wakes it.
  struct Woken {
    AnswerPtr held;
    Instant begin;
  };
  // All threads for pulls are busy for so long, from a second before.
  Woken WakeBehindPulls(Duration busy) {
    cluster_.Start();
    Cluster::Client& client = cluster_.AddClient("c");
    cluster_.Join(client);
    Woken woken;
    woken.held = cluster_.Ask(client, cluster_.LongPull(0, 0));
    cluster_.RunFor(10ms);
    disturbance_.SetServiceTime(this);
    service_time_ = busy;
    // 16 threads and two for each of four processors.
    for (int i = 0; i < 24; ++i) cluster_.Ask(client, cluster_.Pull(1, 0));
    cluster_.RunFor(1s);
    service_time_ = 30ms;
    woken.begin = cluster_.world.now();
    cluster_.Ask(client, cluster_.Message(0));
    cluster_.RunFor(20s);
    return woken;
  }

  Cluster cluster_;
  BrokerDisturbance disturbance_;
  Duration service_time_ = 30ms;
};

TEST_F(AdminTest, AChangedTopicIsRegisteredAtOnceAndAlone) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  TopicConfig topic = cluster_.Topic("t", 6);
  topic.write_queue_nums = 5;
  Command([&] { cluster_.broker->UpdateTopic(topic); });
  const auto registered = cluster_.FactsOf(FactKind::BROKER_REGISTERED);
  ASSERT_THAT(registered, SizeIs(2));
  EXPECT_EQ(registered[1].count, 1);
  EXPECT_EQ(RouteOf(client).read_queue_nums, 6);
  EXPECT_EQ(RouteOf(client).write_queue_nums, 5);
  const auto changed = cluster_.FactsOf(FactKind::TOPIC_CHANGED);
  ASSERT_THAT(changed, SizeIs(1));
  EXPECT_EQ(changed[0].count, 6);
  EXPECT_EQ(changed[0].value, 5);
  EXPECT_EQ(changed[0].offset, kPermRead | kPermWrite);
}

TEST_F(AdminTest, TheSameTopicAgainIsNoChange) {
  cluster_.Start();
  Command([&] { cluster_.broker->UpdateTopic(cluster_.Topic("t", 4)); });
  EXPECT_THAT(cluster_.FactsOf(FactKind::TOPIC_CHANGED), IsEmpty());
  EXPECT_THAT(cluster_.FactsOf(FactKind::BROKER_REGISTERED), SizeIs(1));
}

TEST_F(AdminTest, ABrokersPermissionMasksAllTopicsAndLasts) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Join(client);
  Command([&] { cluster_.broker->UpdatePermission(kPermWrite); });
  EXPECT_EQ(RouteOf(client).perm, kPermWrite);
  EXPECT_EQ(cluster_.Do(client, cluster_.Pull(0, 0)).code(),
            ResponseCode::kNoPermission);
  cluster_.broker_host->Crash();
  cluster_.RunFor(1s);
  cluster_.broker_host->Start();
  cluster_.RunFor(1s);
  EXPECT_EQ(cluster_.broker->permission(), kPermWrite);
  Command([&] { cluster_.broker->UpdatePermission(kPermRead | kPermWrite); });
  EXPECT_EQ(RouteOf(client).perm, kPermRead | kPermWrite);
}

TEST_F(AdminTest, ABrokersPermissionIsAboutAllTopicsThatItHas) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Join(client);
  Command([&] { cluster_.broker->UpdateTopic(cluster_.Topic("later", 2)); });
  cluster_.ForgetFacts();
  Command([&] { cluster_.broker->UpdatePermission(kPermRead); });
  std::vector<std::string> topics;
  for (const Fact& fact : cluster_.FactsOf(FactKind::TOPIC_CHANGED)) {
    EXPECT_EQ(fact.offset, kPermRead);
    topics.emplace_back(cluster_.world.names().FromId(fact.topic).text());
  }
  EXPECT_THAT(topics, IsSupersetOf({"t", "%RETRY%g", "later", "TBW102"}));
}

TEST_F(AdminTest, OnASlowMachineARequestKeepsAThread) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Do(client, cluster_.Message(0));
  disturbance_.SetServiceTime(this);
  // Four processors: four threads for sends.
  std::vector<AnswerPtr> answers;
  const Instant begin = cluster_.world.now();
  for (int i = 0; i < 5; ++i) {
    answers.push_back(cluster_.Ask(client, cluster_.Message(0)));
  }
  cluster_.RunFor(10ms);
  // A request of another kind does not wait for them.
  const Instant later = cluster_.world.now();
  const AnswerPtr other = cluster_.Ask(client, cluster_.QueryOffset(0));
  cluster_.RunFor(1s);
  EXPECT_EQ(answers[0]->at, begin + 2 * kOneWay + 30ms);
  EXPECT_EQ(answers[3]->at, begin + 2 * kOneWay + 30ms);
  EXPECT_EQ(answers[4]->at, begin + 2 * kOneWay + 60ms);
  EXPECT_EQ(other->at, later + 2 * kOneWay + 30ms);
  disturbance_.SetServiceTime(nullptr);
  cluster_.Do(client, cluster_.Message(0));
}

TEST_F(AdminTest, AnExecutorWhoseQueueIsFullIsBusy) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Do(client, cluster_.Message(0));
  disturbance_.SetServiceTime(this);
  service_time_ = 10s;
  // Four threads for sends, and room for ten thousand before them.
  constexpr int kRoom = 10'004;
  std::vector<AnswerPtr> answers;
  for (int i = 0; i < kRoom + 2; ++i) {
    answers.push_back(cluster_.Ask(client, cluster_.Message(0)));
  }
  cluster_.RunFor(100ms);
  for (int i = 0; i < kRoom; ++i) ASSERT_FALSE(answers[i]->done()) << i;
  EXPECT_EQ(answers[kRoom]->code(), ResponseCode::kSystemBusy);
  EXPECT_EQ(answers[kRoom + 1]->code(), ResponseCode::kSystemBusy);
  // Others have a queue of their own.
  const AnswerPtr other = cluster_.Ask(client, cluster_.Pull(0, 0));
  cluster_.RunFor(11s);
  EXPECT_TRUE(other->replied());
  EXPECT_EQ(answers[3]->code(), ResponseCode::kSuccess);
  // What was refused made room.
  const AnswerPtr late = cluster_.Ask(client, cluster_.Message(0));
  cluster_.RunFor(11s);
  EXPECT_EQ(late->code(), ResponseCode::kSuccess);
}

TEST_F(AdminTest, ASendThatFindsNoThreadFor200MillisecondsIsRefused) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Do(client, cluster_.Message(0));
  cluster_.RunFor(2s);  // The first look comes after a second.
  disturbance_.SetServiceTime(this);
  service_time_ = 195ms;
  const Instant begin = cluster_.world.now();
  // Four threads: the first four are handled at once, the next four when these
  // are done.
  std::vector<AnswerPtr> answers;
  for (int i = 0; i < 10; ++i) {
    answers.push_back(cluster_.Ask(client, cluster_.Message(0)));
  }
  cluster_.RunFor(1s);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(answers[i]->code(), ResponseCode::kSuccess) << i;
  }
  for (int i = 8; i < 10; ++i) {
    EXPECT_EQ(answers[i]->code(), ResponseCode::kSystemBusy) << i;
    // The queue is looked at every 10 ms.
    EXPECT_GE(answers[i]->at, begin + 2 * kOneWay + 200ms);
    EXPECT_LT(answers[i]->at, begin + 2 * kOneWay + 211ms);
  }
  EXPECT_EQ(answers[8]->at, answers[9]->at);
  // Nothing of them was stored.
  EXPECT_EQ(cluster_.FactsOf(FactKind::STORED).size(), 9u);
}

TEST_F(AdminTest, EachKindOfRequestMayWaitForItsOwnTime) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Join(client);
  disturbance_.SetServiceTime(this);
  service_time_ = 40s;
  const auto heartbeat = [&] {
    return cluster_.Ask(
        client, cluster_.Heartbeat(client, {cluster_.Subscription("t")}));
  };
  // 16 threads for pulls and two for each of four processors; four for
  // heartbeats; 32 for offsets.
  for (int i = 0; i < 24; ++i) cluster_.Ask(client, cluster_.Pull(1, 0));
  for (int i = 0; i < 4; ++i) heartbeat();
  for (int i = 0; i < 32; ++i) cluster_.Ask(client, cluster_.QueryOffset(0));
  cluster_.RunFor(1ms);
  const Instant begin = cluster_.world.now();
  const AnswerPtr pull = cluster_.Ask(client, cluster_.Pull(0, 0));
  const AnswerPtr beat = heartbeat();
  const AnswerPtr offset = cluster_.Ask(client, cluster_.QueryOffset(0));
  cluster_.RunFor(85s);
  ASSERT_EQ(pull->code(), ResponseCode::kSystemBusy);
  EXPECT_GE(pull->at, begin + 5s);
  EXPECT_LT(pull->at, begin + 5s + 12ms);
  ASSERT_EQ(beat->code(), ResponseCode::kSystemBusy);
  EXPECT_GE(beat->at, begin + 31s);
  EXPECT_LT(beat->at, begin + 31s + 12ms);
  ASSERT_TRUE(offset->replied());
  EXPECT_NE(offset->code(), ResponseCode::kSystemBusy);
}

TEST_F(AdminTest, OffsetsAndDeparturesHaveThreadsOfTheirOwn) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Join(client);
  disturbance_.SetServiceTime(this);
  const Instant begin = cluster_.world.now();
  std::vector<AnswerPtr> answers;
  for (int i = 0; i < 33; ++i) {
    answers.push_back(cluster_.Ask(client, cluster_.QueryOffset(0)));
  }
  UnregisterClientRequest request;
  request.client_id = client.name;
  request.consumer_group = cluster_.group;
  const AnswerPtr other = cluster_.Ask(client, request);
  cluster_.RunFor(1s);
  EXPECT_EQ(answers[31]->at, begin + 2 * kOneWay + 30ms);
  EXPECT_EQ(answers[32]->at, begin + 2 * kOneWay + 60ms);
  EXPECT_EQ(other->at, begin + 2 * kOneWay + 30ms);
}

TEST_F(AdminTest, AHeartbeatKeepsItsThreadWhileItWaitsForNameServers) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Join(client);
  disturbance_.SetServiceTime(this);
  cluster_.name_server_host->Pause();
  // Four processors, four threads; each of four new groups needs a topic.
  for (const absl::string_view group : {"g-1", "g-2", "g-3", "g-4"}) {
    ConsumerData data;
    data.group = cluster_.Intern(group);
    data.subscriptions = {cluster_.Subscription("t")};
    cluster_.Ask(client, cluster_.Heartbeat(client, data));
  }
  cluster_.RunFor(1ms);
  const AnswerPtr fifth = cluster_.Ask(
      client, cluster_.Heartbeat(client, {cluster_.Subscription("t")}));
  cluster_.RunFor(500ms);
  EXPECT_FALSE(fifth->done());
  const Instant resumed = cluster_.world.now();
  cluster_.name_server_host->Resume();
  cluster_.RunFor(1s);
  ASSERT_TRUE(fifth->done());
  // The answer of the name server, then its own time.
  EXPECT_EQ(fifth->at, resumed + 2 * kOneWay + 30ms);
}

TEST_F(AdminTest, AWokenPullTakesItsTimeOnceMore) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Join(client);
  const AnswerPtr pull = cluster_.Ask(client, cluster_.LongPull(0, 0));
  cluster_.RunFor(10ms);
  EXPECT_EQ(cluster_.broker->held_pulls(), 1u);
  disturbance_.SetServiceTime(this);
  const AnswerPtr sent = cluster_.Ask(client, cluster_.Message(0));
  cluster_.RunFor(1s);
  ASSERT_TRUE(pull->done());
  EXPECT_EQ(pull->code(), ResponseCode::kSuccess);
  // Dispatch comes within a millisecond.
  EXPECT_GE(pull->at, sent->at + 30ms);
  EXPECT_LT(pull->at, sent->at + 32ms);
}

TEST_F(AdminTest, AWokenPullWaitsBehindOtherPulls) {
  const Woken woken = WakeBehindPulls(5s);
  ASSERT_TRUE(woken.held->done());
  EXPECT_EQ(woken.held->at, woken.begin + 4s + 30ms + 2 * kOneWay);
}

TEST_F(AdminTest, AWokenPullIsRefusedWhenItHasWaitedForFiveSeconds) {
  const Woken woken = WakeBehindPulls(10s);
  ASSERT_EQ(woken.held->code(), ResponseCode::kSystemBusy);
  // Its age begins when it is woken, which comes within a millisecond.
  EXPECT_GE(woken.held->at, woken.begin + 30ms + 5s);
  EXPECT_LT(woken.held->at, woken.begin + 30ms + 5s + 13ms);
}

TEST_F(AdminTest, ABrokerThatStopsAnswersNoWokenPull) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c");
  cluster_.Join(client);
  const AnswerPtr held = cluster_.Ask(client, cluster_.LongPull(0, 0));
  cluster_.RunFor(10ms);
  disturbance_.SetServiceTime(this);
  service_time_ = 1s;
  cluster_.Ask(client, cluster_.Message(0));
  cluster_.RunFor(1s + 100ms);
  EXPECT_EQ(cluster_.broker->held_pulls(), 0u) << "woken";
  cluster_.broker_host->Stop();
  cluster_.RunFor(5s);
  EXPECT_EQ(cluster_.broker_host->state(), HostState::kStopped);
  ASSERT_TRUE(held->done());
  EXPECT_FALSE(held->replied());
}

TEST_F(AdminTest, LostNoticesAreWrittenAndNotReceived) {
  cluster_.Start();
  Cluster::Client& first = cluster_.AddClient("c-1");
  Cluster::Client& second = cluster_.AddClient("c-2");
  cluster_.Join(first);
  disturbance_.lost_notices().Begin(cluster_.group);
  cluster_.ForgetFacts();
  cluster_.Join(second);
  EXPECT_THAT(cluster_.FactsOf(FactKind::MEMBERS_NOTIFIED), SizeIs(1));
  EXPECT_THAT(first.process->notices, SizeIs(1));  // Of its own joining.
  disturbance_.lost_notices().End(cluster_.group);
  second.host->Crash();
  cluster_.RunFor(5ms);
  EXPECT_THAT(first.process->notices, SizeIs(2));
}

}  // namespace
}  // namespace groupsim
