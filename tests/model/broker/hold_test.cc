// How long pulls are held, and what wakes them.
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The broker starts here (Cluster::Start).
constexpr Duration kBrokerStart = 100ms;

class HoldTest : public ::testing::Test {
 protected:
  void Start() {
    cluster_.Start();
    client_ = &cluster_.AddClient("c-1");
    cluster_.Join(*client_);
  }
  AnswerPtr Ask(Request request) {
    return cluster_.Ask(*client_, std::move(request));
  }

  Cluster cluster_;
  Cluster::Client* client_ = nullptr;
};

TEST_F(HoldTest, AnEmptyPullIsAnsweredAtTheFirstTickAfterItsTimeIsOver) {
  Start();
  std::vector<AnswerPtr> answers;
  std::vector<Duration> asked;
  for (int i = 0; i < 40; ++i) {
    asked.push_back(cluster_.now());
    answers.push_back(Ask(cluster_.LongPull(i % 4, 0)));
    cluster_.RunFor(137ms);
  }
  cluster_.RunFor(25s);
  Duration shortest = Duration::Max();
  Duration longest;
  for (size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(answers[i]->done()) << i;
    EXPECT_EQ(answers[i]->code(), ResponseCode::kPullNotFound);
    const Duration lasted = answers[i]->at.since_start() - asked[i];
    shortest = std::min(shortest, lasted);
    longest = std::max(longest, lasted);
    // Ticks are global: 5 s apart, each late by less than a millisecond more.
    const Duration tick =
        (answers[i]->at.since_start() - kOneWay - kBrokerStart) % Duration(5s);
    EXPECT_LT(tick, 10ms) << i;
  }
  EXPECT_GE(shortest, 15s);
  EXPECT_LE(longest, Duration::Millis(20'100));
  EXPECT_LT(shortest, 15s + 300ms);
  EXPECT_GT(longest, 19s + 700ms);
  EXPECT_EQ(cluster_.broker->held_pulls(), 0u);
}

TEST_F(HoldTest, TicksDriftSinceEachBeginsAfterTheOneBeforeEnded) {
  Start();
  cluster_.RunUntil(Duration(60s) - kOneWay);
  const AnswerPtr answer = Ask(cluster_.LongPull(0, 0));
  cluster_.RunFor(30s);
  ASSERT_TRUE(answer->done());
  // 15 ticks, each late by a draw in [0, 1 ms).
  const Duration late =
      answer->at.since_start() - kOneWay - kBrokerStart - Duration(75s);
  EXPECT_GT(late, 1ms);
  EXPECT_LT(late, 15ms);
}

TEST_F(HoldTest, AMessageWakesTheHeldPull) {
  Start();
  const AnswerPtr pull = Ask(cluster_.LongPull(2, 0));
  cluster_.RunFor(100ms);
  EXPECT_FALSE(pull->done());
  EXPECT_EQ(cluster_.broker->held_pulls(), 1u);
  const AnswerPtr send = Ask(cluster_.Message(2));
  const Instant sent = cluster_.world.now();
  cluster_.RunFor(10ms);
  ASSERT_TRUE(pull->done());
  EXPECT_EQ(pull->code(), ResponseCode::kSuccess);
  EXPECT_THAT(pull->pulled().messages, SizeIs(1));
  EXPECT_EQ(pull->pulled().next_begin_offset, 1);
  // The producer is answered at once, the consumer after the dispatch, which
  // comes at a whole millisecond of the broker's life.
  EXPECT_EQ(send->at - sent, 2 * kOneWay);
  const Instant dispatched = pull->at - kOneWay;
  EXPECT_EQ((dispatched.since_start() - kBrokerStart) % Duration(1ms),
            Duration::Zero());
  EXPECT_GT(dispatched, sent + kOneWay);
  EXPECT_LE(dispatched, sent + kOneWay + 1ms);
}

TEST_F(HoldTest, AMessageOfAnotherQueueWakesNobody) {
  Start();
  const AnswerPtr pull = Ask(cluster_.LongPull(2, 0));
  Ask(cluster_.Message(1));
  cluster_.RunFor(1s);
  EXPECT_FALSE(pull->done());
}

TEST_F(HoldTest, APullAheadOfTheMessageIsNotWoken) {
  Start();
  for (int i = 0; i < 2; ++i) cluster_.Do(*client_, cluster_.Message(0));
  const AnswerPtr at_end = Ask(cluster_.LongPull(0, 2));
  cluster_.RunFor(10ms);
  cluster_.Do(*client_, cluster_.Message(0));
  EXPECT_TRUE(at_end->done());
  // A pull from 3 is at the end now; the message with offset 3 wakes it, not
  // the next look at the queue.
  const AnswerPtr next = Ask(cluster_.LongPull(0, 3));
  cluster_.RunFor(6s);
  EXPECT_FALSE(next->done());
  cluster_.Do(*client_, cluster_.Message(0));
  EXPECT_TRUE(next->done());
}

TEST_F(HoldTest, AllPullsHeldForAQueueAreWokenByOneMessage) {
  Start();
  Cluster::Client& other = cluster_.AddClient("c-2");
  cluster_.Join(other);
  const AnswerPtr one = Ask(cluster_.LongPull(0, 0));
  const AnswerPtr two = cluster_.Ask(other, cluster_.LongPull(0, 0));
  cluster_.RunFor(10ms);
  cluster_.Do(*client_, cluster_.Message(0));
  ASSERT_TRUE(one->done());
  ASSERT_TRUE(two->done());
  EXPECT_THAT(one->pulled().messages, SizeIs(1));
  EXPECT_THAT(two->pulled().messages, SizeIs(1));
}

TEST_F(HoldTest, AForeignTagWakesThePullAtTheNextTickOnly) {
  Start();
  cluster_.Do(
      *client_,
      cluster_.Heartbeat(*client_, {cluster_.Subscription("t", {"red"}, 1)}));
  const AnswerPtr pull = Ask(cluster_.LongPull(0, 0));
  cluster_.RunFor(10ms);
  cluster_.Do(*client_, cluster_.Message(0, 10, "blue"));
  cluster_.RunUntil(kBrokerStart + Duration(4'990ms));
  EXPECT_FALSE(pull->done());
  cluster_.RunFor(20ms);
  ASSERT_TRUE(pull->done());
  EXPECT_EQ(pull->code(), ResponseCode::kPullRetryImmediately);
  EXPECT_EQ(pull->pulled().next_begin_offset, 1);

  const AnswerPtr next = Ask(cluster_.LongPull(0, 1));
  cluster_.RunFor(10ms);
  cluster_.Do(*client_, cluster_.Message(0, 10, "red"));
  EXPECT_TRUE(next->done());
}

TEST_F(HoldTest, AMessageThatComesBetweenReadAndHoldWaitsForTheTick) {
  // The read and the hold are one turn here, so the race of two threads cannot
  // happen; a message dispatched just before is found, one just after wakes.
  Start();
  const AnswerPtr send = Ask(cluster_.Message(0));
  const AnswerPtr pull = Ask(cluster_.LongPull(0, 0));
  cluster_.RunFor(3ms);
  EXPECT_TRUE(send->done());
  EXPECT_TRUE(pull->done());
}

TEST_F(HoldTest, AWokenPullIsNotHeldAgainAndStoresNoOffset) {
  Start();
  PullMessageRequest request = cluster_.LongPull(0, 0);
  request.sys_flag |= kPullFlagCommitOffset;
  request.commit_offset = 0;
  const AnswerPtr pull = Ask(request);
  cluster_.RunFor(10ms);
  ASSERT_THAT(cluster_.FactsOf(FactKind::COMMITTED), SizeIs(1));
  // Somebody else stores an offset; the woken pull must not overwrite it.
  cluster_.Do(*client_, cluster_.Commit(0, 7));
  cluster_.RunFor(21s);
  ASSERT_TRUE(pull->done());
  EXPECT_EQ(pull->code(), ResponseCode::kPullNotFound);
  EXPECT_THAT(cluster_.FactsOf(FactKind::COMMITTED), SizeIs(2));
  EXPECT_EQ(cluster_.Do(*client_, cluster_.QueryOffset(0)).offset(), 7);
}

TEST_F(HoldTest, AWokenPullIsCheckedFromTheBeginning) {
  Start();
  const AnswerPtr pull = Ask(cluster_.LongPull(0, 0));
  cluster_.RunFor(10ms);
  SubscriptionGroupConfig group;
  group.group_name = cluster_.group;
  group.consume_enable = false;
  cluster_.disk.groups.Put(group);
  cluster_.Do(*client_, cluster_.Message(0));
  ASSERT_TRUE(pull->done());
  EXPECT_EQ(pull->code(), ResponseCode::kNoPermission);
}

TEST_F(HoldTest, AHeldPullIsWokenByWhatItWantsItself) {
  Start();
  PullMessageRequest request = cluster_.LongPull(0, 0);
  request.sys_flag |= kPullFlagSubscription;
  request.subscription = cluster_.Intern("red || green");
  const AnswerPtr pull = Ask(request);
  cluster_.RunFor(10ms);
  cluster_.Do(*client_, cluster_.Message(0, 100, "blue"));
  cluster_.RunFor(10ms);
  EXPECT_FALSE(pull->done());
  cluster_.Do(*client_, cluster_.Message(0, 100, "green"));
  cluster_.RunFor(10ms);
  ASSERT_TRUE(pull->done());
  ASSERT_THAT(pull->pulled().messages, SizeIs(1));
  EXPECT_EQ(pull->pulled().messages[0].queue_offset, 1);
}

TEST_F(HoldTest, WithoutTheSuspendFlagThePullIsAnsweredAtOnce) {
  Start();
  EXPECT_EQ(cluster_.Do(*client_, cluster_.Pull(0, 0)).code(),
            ResponseCode::kPullNotFound);
}

TEST_F(HoldTest, PullsOfADeadClientStayUntilTheyAreWoken) {
  Start();
  Cluster::Client& other = cluster_.AddClient("c-2");
  cluster_.Ask(other, cluster_.LongPull(0, 0));
  cluster_.RunFor(10ms);
  other.host->Crash();
  cluster_.RunFor(1s);
  EXPECT_EQ(cluster_.broker->held_pulls(), 1u);
  cluster_.RunFor(20s);
  EXPECT_EQ(cluster_.broker->held_pulls(), 0u);
}

TEST_F(HoldTest, WithoutLongPollingPullsAreLookedAtEverySecond) {
  cluster_.config.settings.long_polling_enable = false;
  Start();
  const AnswerPtr empty = Ask(cluster_.LongPull(0, 0));
  const AnswerPtr pull = Ask(cluster_.LongPull(1, 0));
  const Instant asked = cluster_.world.now();
  cluster_.RunFor(5ms);
  cluster_.Do(*client_, cluster_.Message(1));
  EXPECT_FALSE(pull->done());  // Arrivals are not told.
  cluster_.RunFor(3s);
  ASSERT_TRUE(pull->done());
  EXPECT_EQ(pull->code(), ResponseCode::kSuccess);
  EXPECT_LE(pull->at - asked, 1s + 5ms);
  ASSERT_TRUE(empty->done());
  EXPECT_EQ(empty->code(), ResponseCode::kPullNotFound);
  EXPECT_GE(empty->at - asked, 1s);
  EXPECT_LE(empty->at - asked, 2s + 5ms);
}

}  // namespace
}  // namespace groupsim
