// Locks of queues: the table, and how requests, deaths and restarts change it.
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/broker/queue_lock_table.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Outcome = QueueLockTable::Outcome;

class QueueLockTableTest : public ::testing::Test {
 protected:
  Outcome Lock(Name client, int64_t now) {
    return table_.Lock(group_, queue_, client, now).outcome;
  }

  NameTable names_;
  const Name group_ = names_.Intern("g");
  const Name a_ = names_.Intern("a");
  const Name b_ = names_.Intern("b");
  const MessageQueue queue_{names_.Intern("t"), names_.Intern("broker-a"), 3};
  QueueLockTable table_{60s};
};

TEST_F(QueueLockTableTest, OneClientAtATimeHoldsAQueue) {
  EXPECT_EQ(Lock(a_, 0), Outcome::kGranted);
  const QueueLockTable::Answer refused = table_.Lock(group_, queue_, b_, 5);
  EXPECT_EQ(refused.outcome, Outcome::kRefused);
  EXPECT_EQ(refused.holder, a_);
  EXPECT_EQ(refused.age_millis, 5);
  EXPECT_FALSE(table_.Unlock(group_, queue_, b_));
  EXPECT_EQ(Lock(b_, 6), Outcome::kRefused);
  EXPECT_TRUE(table_.Unlock(group_, queue_, a_));
  EXPECT_EQ(Lock(b_, 7), Outcome::kGranted);
}

TEST_F(QueueLockTableTest, GroupsAndQueuesDoNotMeet) {
  MessageQueue other = queue_;
  other.queue_id = 4;
  EXPECT_EQ(Lock(a_, 0), Outcome::kGranted);
  EXPECT_EQ(table_.Lock(group_, other, b_, 0).outcome, Outcome::kGranted);
  EXPECT_EQ(table_.Lock(b_, queue_, b_, 0).outcome, Outcome::kGranted);
}

TEST_F(QueueLockTableTest, ALockNotRenewedForMoreThanItsLifeGoesToWhoAsks) {
  Lock(a_, 0);
  EXPECT_EQ(Lock(a_, 1'000), Outcome::kRenewed);
  EXPECT_EQ(Lock(b_, 61'000), Outcome::kRefused);  // 60,000 ms: not more.
  const QueueLockTable::Answer taken = table_.Lock(group_, queue_, b_, 61'001);
  EXPECT_EQ(taken.outcome, Outcome::kTakenOver);
  EXPECT_EQ(taken.holder, a_);
  EXPECT_EQ(taken.age_millis, 60'001);
  EXPECT_EQ(Lock(a_, 61'002), Outcome::kRefused);
}

TEST_F(QueueLockTableTest, AnExpiredLockIsStillItsHoldersUntilAnotherAsks) {
  Lock(a_, 0);
  EXPECT_EQ(Lock(a_, 100'000), Outcome::kTakenOver);  // By itself.
  EXPECT_EQ(Lock(b_, 150'000), Outcome::kRefused);
  EXPECT_TRUE(table_.Unlock(group_, queue_, a_));
}

TEST_F(QueueLockTableTest, AGroupHoldsALockUntilTheLastOneExpires) {
  EXPECT_FALSE(table_.HoldsAny(group_, 0));
  Lock(a_, 0);
  EXPECT_TRUE(table_.HoldsAny(group_, 60'000));
  EXPECT_FALSE(table_.HoldsAny(group_, 60'001));
  EXPECT_FALSE(table_.HoldsAny(a_, 0));
  Lock(a_, 60'001);
  table_.Unlock(group_, queue_, a_);
  EXPECT_FALSE(table_.HoldsAny(group_, 60'001));
}

class LocksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster_.Start();
    c1_ = &cluster_.AddClient("c-1");
    c2_ = &cluster_.AddClient("c-2");
  }
  // The numbers of the queues of which the client gets or keeps the lock.
  std::vector<int32_t> Lock(Cluster::Client& client,
                            const std::vector<int32_t>& queues) {
    LockBatchRequest request;
    request.group = cluster_.group;
    request.client_id = client.name;
    for (const int32_t id : queues) {
      request.queues.push_back(cluster_.Queue(id));
    }
    const Answer answer = cluster_.Do(client, request);
    EXPECT_EQ(answer.code(), ResponseCode::kSuccess);
    std::vector<int32_t> locked;
    for (const MessageQueue& queue : answer.body<LockBatchReply>().locked) {
      locked.push_back(queue.queue_id);
    }
    return locked;
  }
  void Unlock(Cluster::Client& client, int32_t queue) {
    UnlockBatchRequest request;
    request.group = cluster_.group;
    request.client_id = client.name;
    request.queues = {cluster_.Queue(queue)};
    EXPECT_EQ(cluster_.Do(client, request).code(), ResponseCode::kSuccess);
  }
  // Facts about locks as lines: "granted 0 c-1", "refused 0 c-2 c-1",
  // "expired 0 c-1", "unlocked 0 c-1".
  std::vector<std::string> Log() {
    std::vector<std::string> lines;
    const auto name = [this](int64_t id) {
      return cluster_.world.names().FromId(static_cast<uint32_t>(id)).text();
    };
    for (const Fact& fact : cluster_.FactsOf(FactKind::LOCK_GRANTED)) {
      lines.push_back(
          absl::StrCat("granted ", fact.queue, " ", name(fact.value)));
    }
    for (const Fact& fact : cluster_.FactsOf(FactKind::LOCK_REFUSED)) {
      lines.push_back(absl::StrCat("refused ", fact.queue, " ",
                                   name(fact.value), " ", name(fact.count)));
    }
    for (const Fact& fact : cluster_.FactsOf(FactKind::LOCK_EXPIRED)) {
      lines.push_back(
          absl::StrCat("expired ", fact.queue, " ", name(fact.value)));
    }
    for (const Fact& fact : cluster_.FactsOf(FactKind::UNLOCKED)) {
      lines.push_back(
          absl::StrCat("unlocked ", fact.queue, " ", name(fact.value)));
    }
    cluster_.ForgetFacts();
    return lines;
  }

  Cluster cluster_;
  Cluster::Client* c1_ = nullptr;
  Cluster::Client* c2_ = nullptr;
};

TEST_F(LocksTest, ARefusedQueueIsMissingInTheAnswer) {
  EXPECT_THAT(Lock(*c1_, {0, 2}), ElementsAre(0, 2));
  EXPECT_THAT(Log(), ElementsAre("granted 0 c-1", "granted 2 c-1"));
  EXPECT_THAT(Lock(*c2_, {0, 1, 2}), ElementsAre(1));
  EXPECT_THAT(Log(), ElementsAre("granted 1 c-2", "refused 0 c-2 c-1",
                                 "refused 2 c-2 c-1"));
  EXPECT_THAT(Lock(*c1_, {0}), ElementsAre(0));
  EXPECT_THAT(Log(), IsEmpty());  // A renewal.
}

TEST_F(LocksTest, OnlyTheHolderUnlocks) {
  Lock(*c1_, {0});
  Log();
  Unlock(*c2_, 0);
  EXPECT_THAT(Log(), IsEmpty());
  EXPECT_THAT(Lock(*c2_, {0}), IsEmpty());
  Unlock(*c1_, 0);
  EXPECT_THAT(Log(), ElementsAre("refused 0 c-2 c-1", "unlocked 0 c-1"));
  EXPECT_THAT(Lock(*c2_, {0}), ElementsAre(0));
}

// The surprise of a crash: the members know within a second, the lock does not.
TEST_F(LocksTest, ALockOutlivesItsHoldersConnectionByItsWholeLife) {
  Lock(*c1_, {0});
  const Duration locked = cluster_.now();
  c1_->host->Crash();
  cluster_.RunUntil(locked + 59s);
  EXPECT_THAT(Lock(*c2_, {0}), IsEmpty());
  cluster_.RunUntil(locked + 60s + 1ms);
  Log();
  EXPECT_THAT(Lock(*c2_, {0}), ElementsAre(0));
  EXPECT_THAT(Log(), ElementsAre("granted 0 c-2", "expired 0 c-1"));
}

TEST_F(LocksTest, AnUnregistrationLeavesLocksAlone) {
  cluster_.Join(*c1_);
  Lock(*c1_, {0});
  UnregisterClientRequest request;
  request.client_id = c1_->name;
  request.consumer_group = cluster_.group;
  cluster_.Do(*c1_, request);
  EXPECT_THAT(Lock(*c2_, {0}), IsEmpty());
}

TEST_F(LocksTest, ARestartedBrokerKnowsOfNoLocks) {
  Lock(*c1_, {0});
  cluster_.broker_host->Crash();
  cluster_.RunFor(1s);
  cluster_.broker_host->Start();
  cluster_.RunFor(1s);
  EXPECT_THAT(Lock(*c2_, {0}), ElementsAre(0));
  EXPECT_THAT(Lock(*c1_, {0}), IsEmpty());
}

TEST_F(LocksTest, TheLifeOfALockIsASetting) {
  cluster_.config.settings.lock_max_live_time = 5s;
  cluster_.broker_host->Crash();
  cluster_.RunFor(1s);
  cluster_.broker_host->Start();
  cluster_.RunFor(1s);
  Lock(*c1_, {0});
  cluster_.RunFor(5s);
  EXPECT_THAT(Lock(*c2_, {0}), ElementsAre(0));
}

}  // namespace
}  // namespace groupsim
