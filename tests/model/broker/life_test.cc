// Start, registration, shutdown, crash and restart of a broker.
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

class LifeTest : public ::testing::Test {
 protected:
  std::vector<int64_t> RegistrationMillis() {
    std::vector<int64_t> times;
    for (const Fact& fact : cluster_.FactsOf(FactKind::BROKER_REGISTERED)) {
      times.push_back(fact.time.since_start().millis());
    }
    return times;
  }
  bool HasRoute(Cluster::Client& client) {
    GetRouteInfoRequest request;
    request.topic = cluster_.topic;
    return cluster_.DoAtNameServer(client, request).code() ==
           ResponseCode::kSuccess;
  }

  Cluster cluster_;
};

TEST_F(LifeTest, ABrokerRegistersAtOnceThenAfterTenThenEveryThirtySeconds) {
  cluster_.Start();
  EXPECT_EQ(cluster_.broker_host->state(), HostState::kRunning);
  cluster_.RunFor(80s);
  EXPECT_THAT(RegistrationMillis(), ElementsAre(100, 10'101, 40'101, 70'101));
  // One topic of the test's and those of the system.
  EXPECT_EQ(cluster_.FactsOf(FactKind::BROKER_REGISTERED)[0].count, 10);
}

TEST_F(LifeTest, ThePeriodOfRegistrationHasBounds) {
  cluster_.config.settings.register_name_server_period = 1s;
  cluster_.Start();
  cluster_.RunFor(35s);
  EXPECT_THAT(RegistrationMillis(), ElementsAre(100, 10'101, 20'101, 30'101));
}

TEST_F(LifeTest, WithoutANameServerTheFirstRegistrationIsSkipped) {
  cluster_.broker_host->Start();
  cluster_.RunFor(100ms);
  EXPECT_EQ(cluster_.broker_host->state(), HostState::kRunning);
  cluster_.RunUntil(5s);
  cluster_.name_server_host->Start();
  cluster_.RunUntil(20s);
  EXPECT_THAT(RegistrationMillis(), ElementsAre(10'001));
}

TEST_F(LifeTest, ARestartedNameServerIsRegisteredWithAtTheNextRound) {
  cluster_.Start();
  cluster_.RunUntil(12s);
  cluster_.name_server_host->Crash();
  cluster_.RunUntil(15s);
  cluster_.name_server_host->Start();
  cluster_.RunUntil(50s);
  EXPECT_THAT(RegistrationMillis(), ElementsAre(100, 10'101, 40'101));
}

TEST_F(LifeTest, AnUnreachableNameServerDelaysNeitherRoundsNorOffsets) {
  // Nobody has this address, so that connecting hangs.
  cluster_.config.name_servers.push_back(cluster_.Intern("10.9.9.9:9876"));
  cluster_.name_server_host->Start();
  cluster_.RunFor(100ms);
  cluster_.broker_host->Start();
  Cluster::Client& client = cluster_.AddClient("c-1");
  cluster_.RunUntil(4s);
  EXPECT_EQ(cluster_.broker_host->state(), HostState::kRunning);
  cluster_.Join(client);
  cluster_.RunUntil(Duration(13s) + 90ms);  // A round is due at 13.1 s.
  cluster_.Do(client, cluster_.Commit(0, 5));
  cluster_.RunUntil(Duration(15s) + 101ms);
  EXPECT_EQ(cluster_.disk.offsets.Query(0, cluster_.group), 5);
}

TEST_F(LifeTest, ASilentNameServerDelaysTheWritingOfOffsets) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c-1");
  cluster_.Join(client);
  cluster_.RunUntil(9s);
  cluster_.name_server_host->Vanish();  // The connection stays.
  cluster_.RunUntil(11s);
  cluster_.Do(client, cluster_.Commit(0, 5));
  cluster_.RunUntil(30s);
  EXPECT_EQ(cluster_.disk.offsets.Query(0, cluster_.group), -1);
  cluster_.RunUntil(36s);
  EXPECT_EQ(cluster_.disk.offsets.Query(0, cluster_.group), 5);
}

TEST_F(LifeTest, OffsetsAreWrittenAfterTenSecondsThenEveryFive) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c-1");
  cluster_.Join(client);
  cluster_.Do(client, cluster_.Commit(0, 5));
  const auto on_disk = [this] {
    return cluster_.disk.offsets.Query(0, cluster_.group);
  };
  cluster_.RunUntil(Duration(10s) + 99ms);
  EXPECT_EQ(on_disk(), -1);
  cluster_.RunUntil(Duration(10s) + 101ms);
  EXPECT_EQ(on_disk(), 5);
  cluster_.Do(client, cluster_.Commit(0, 6));
  cluster_.RunUntil(Duration(15s) + 99ms);
  EXPECT_EQ(on_disk(), 5);
  cluster_.RunUntil(Duration(15s) + 101ms);
  EXPECT_EQ(on_disk(), 6);
}

TEST_F(LifeTest, ACrashKeepsMessagesAndLosesTheLastCommits) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c-1");
  cluster_.Join(client);
  cluster_.RunUntil(12s);
  for (int i = 0; i < 10; ++i) cluster_.Do(client, cluster_.Message(0));
  cluster_.Do(client, cluster_.Commit(0, 4));
  cluster_.RunUntil(Duration(17s));
  cluster_.Do(client, cluster_.Commit(0, 9));
  // Acknowledged, but not dispatched yet when the process dies.
  const AnswerPtr last = cluster_.Ask(client, cluster_.Message(0));
  cluster_.RunFor(kOneWay + 1us);
  cluster_.broker_host->Crash();
  cluster_.RunFor(1s);
  EXPECT_TRUE(last->replied());
  cluster_.broker_host->Start();
  cluster_.RunFor(1s);
  cluster_.Join(client);
  EXPECT_EQ(cluster_.Do(client, cluster_.QueryOffset(0)).offset(), 4);
  const PullMessageReply reply =
      cluster_.Do(client, cluster_.Pull(0, 0)).pulled();
  EXPECT_THAT(reply.messages, SizeIs(11));
  EXPECT_EQ(reply.max_offset, 11);
  EXPECT_EQ(cluster_.Do(client, cluster_.Message(0))
                .body<SendMessageReply>()
                .queue_offset,
            11);
}

TEST_F(LifeTest, ACrashForgetsMembersAndHeldPulls) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c-1");
  cluster_.Join(client);
  const AnswerPtr held = cluster_.Ask(client, cluster_.LongPull(0, 0));
  cluster_.RunFor(1s);
  cluster_.broker_host->Crash();
  cluster_.RunFor(10ms);
  EXPECT_EQ(held->result->error, CallError::kClosed);
  cluster_.broker_host->Start();
  cluster_.RunFor(10ms);
  EXPECT_EQ(cluster_.broker->held_pulls(), 0u);
  EXPECT_EQ(cluster_.Do(client, cluster_.Pull(0, 0)).code(),
            ResponseCode::kSubscriptionNotExist);
  // Topics and groups are still there.
  EXPECT_NE(cluster_.disk.topics.Find(cluster_.Intern("%RETRY%g")), nullptr);
  EXPECT_NE(cluster_.disk.groups.Find(cluster_.group), nullptr);
}

TEST_F(LifeTest, ACrashTakesTheRouteAwayAtOnceAndAStartBringsItBack) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c-1");
  EXPECT_TRUE(HasRoute(client));
  cluster_.broker_host->Crash();
  cluster_.RunFor(1ms);
  EXPECT_FALSE(HasRoute(client));
  cluster_.broker_host->Start();
  cluster_.RunFor(5ms);
  EXPECT_TRUE(HasRoute(client));
}

TEST_F(LifeTest, AShutdownLeavesTheRouteFirstAndKeepsEveryCommit) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c-1");
  cluster_.Join(client);
  cluster_.RunUntil(12s);
  cluster_.Do(client, cluster_.Commit(0, 7));
  const AnswerPtr held = cluster_.Ask(client, cluster_.LongPull(0, 0));
  cluster_.RunFor(1ms);
  cluster_.ForgetFacts();
  cluster_.broker_host->Stop();
  cluster_.RunFor(1s);
  EXPECT_EQ(cluster_.broker_host->state(), HostState::kStopped);
  const auto removed = cluster_.FactsOf(FactKind::BROKER_REMOVED);
  ASSERT_THAT(removed, SizeIs(1));
  EXPECT_EQ(removed[0].count,
            static_cast<int64_t>(BrokerRemovalCause::kUnregistered));
  EXPECT_EQ(held->result->error, CallError::kClosed);
  EXPECT_THAT(client.process->closed, ElementsAre(CloseReason::kRemote));
  // Nobody hears of members that left.
  EXPECT_THAT(cluster_.MemberLog(), IsEmpty());
  EXPECT_EQ(cluster_.disk.offsets.Query(0, cluster_.group), 7);

  cluster_.broker_host->Start();
  cluster_.RunFor(1s);
  EXPECT_EQ(cluster_.Do(client, cluster_.QueryOffset(0)).offset(), 7);
}

TEST_F(LifeTest, AShutdownWaitsThreeSecondsForEachSilentNameServer) {
  cluster_.Start();
  cluster_.name_server_host->Vanish();
  cluster_.RunFor(1s);
  cluster_.broker_host->Stop();
  cluster_.RunFor(2'990ms);
  EXPECT_TRUE(cluster_.broker_host->alive());
  cluster_.RunFor(20ms);
  EXPECT_FALSE(cluster_.broker_host->alive());
}

TEST_F(LifeTest, AShutdownWhileStartingEndsTheBroker) {
  cluster_.config.name_servers = {cluster_.Intern("10.9.9.9:9876")};
  cluster_.broker_host->Start();
  cluster_.RunFor(1s);
  EXPECT_EQ(cluster_.broker_host->state(), HostState::kStarting);
  cluster_.broker_host->Stop();
  cluster_.RunFor(10s);
  EXPECT_EQ(cluster_.broker_host->state(), HostState::kStopped);
}

TEST_F(LifeTest, AnIdleBrokerCostsFewEvents) {
  cluster_.Start();
  Cluster::Client& client = cluster_.AddClient("c-1");
  cluster_.Join(client);
  const AnswerPtr held = cluster_.Ask(client, cluster_.LongPull(0, 0));
  cluster_.RunUntil(100s);
  const uint64_t before = cluster_.world.engine().fired();
  cluster_.RunUntil(160s);
  // 12 ticks, 12 writings, 6 scans, 2 registrations of 2 frames each, the scan
  // of the name server every 5 s, and idle timers now and then.
  EXPECT_LE(cluster_.world.engine().fired() - before, 70u);
}

}  // namespace
}  // namespace groupsim
