// Messages that fail, between real consumers and brokers.
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "sim/trace/trace.h"
#include "tests/support/story.h"

namespace groupsim {
namespace {

// Deliveries by consumer: first ones, and those of copies.
class Deliveries final : public FactObserver {
 public:
  explicit Deliveries(Story& story) : story_(story) {
    story.world().trace().Observe(FactKind::DELIVERED, this);
  }
  void OnFact(const Fact& fact) override {
    const std::string consumer =
        story_.world().names().FromId(fact.host).text();
    ++(fact.count == 0 ? first : again)[consumer];
    last = fact.time.since_start();
  }

  std::map<std::string, int64_t> first;
  std::map<std::string, int64_t> again;
  Duration last;

 private:
  Story& story_;
};

// Fails as long as a message was tried fewer times than that.
std::function<ListenerPlan(const ListenerCall&)> FailingBefore(int32_t times) {
  return [times](const ListenerCall& call) {
    ListenerPlan plan;
    plan.service_time = 1ms;
    if (call.messages[0].reconsume_times < times) {
      plan.result.status = ConsumeStatus::kReconsumeLater;
    }
    return plan;
  };
}

// One retry queue a broker: only as many members take part in retries. 80
// messages in 8 queues, 20 for each of four members.
TEST(RetryStory, RetriesGoToTheFirstMembersOnly) {
  Story story({.brokers = 2, .queues = 4, .consumers = 4});
  Deliveries deliveries(story);
  story.SetListener(FailingBefore(1));
  story.At(3'795ms).StopTraffic();
  story.RunFor(60s);
  for (const char* consumer : {"c-1", "c-2", "c-3", "c-4"}) {
    EXPECT_EQ(deliveries.first[consumer], 20) << consumer;
  }
  EXPECT_EQ(deliveries.again["c-1"], 40);
  EXPECT_EQ(deliveries.again["c-2"], 40);
  EXPECT_EQ(deliveries.again["c-3"], 0);
  EXPECT_EQ(deliveries.again["c-4"], 0);
  EXPECT_EQ(story.CountOf(FactKind::SENT_BACK), 80);
  EXPECT_EQ(story.CountOf(FactKind::DEAD_LETTERED), 0);
}

// C77: a new group that begins at the end of its topics reads its retry topic
// from the beginning.
TEST(RetryStory, ANewGroupBegunAtTheEndHasItsRetriesToo) {
  Story story({.brokers = 1,
               .queues = 1,
               .consumers = 1,
               .consume_from_where = ConsumeFromWhere::kLastOffset});
  Deliveries deliveries(story);
  story.SetListener(FailingBefore(1));
  story.At(3'095ms).StopTraffic();
  story.RunFor(60s);
  EXPECT_EQ(deliveries.first["c-1"], 10);
  EXPECT_EQ(deliveries.again["c-1"], 10);
  EXPECT_GE(deliveries.last, 13s);
  EXPECT_LE(deliveries.last, 3'100ms + 30s);
}

// 10 s + 30 s + 1 min + ... + 2 h: one delivery and sixteen retries, 17,140 s
// of waiting; then the message is a dead letter.
TEST(RetryStory, SeventeenAttemptsThenADeadLetter) {
  Story story({.brokers = 1, .queues = 1, .consumers = 1});
  Deliveries deliveries(story);
  story.SetListener(FailingBefore(1'000));
  story.At(3'005ms).StopTraffic();
  story.RunFor(18'000s);
  EXPECT_EQ(deliveries.first["c-1"], 1);
  EXPECT_EQ(deliveries.again["c-1"], 16);
  EXPECT_EQ(story.CountOf(FactKind::DEAD_LETTERED), 1);
  // Each wait ends at a look every 100 ms; the first one at the second
  // rebalance, since the group is new.
  EXPECT_GE(deliveries.last, 3s + 17'140s);
  EXPECT_LE(deliveries.last, 3s + 17'140s + 20s);
}

// The broker is gone when the message fails: it stays with its consumer, and is
// tried again every 5 s and what the attempts take, until the broker is back.
TEST(RetryStory, WithoutABrokerMessagesAreTriedAgainWhereTheyAre) {
  Story story({.brokers = 1, .queues = 1, .consumers = 1});
  Deliveries deliveries(story);
  story.SetListener([](const ListenerCall& call) {
    ListenerPlan plan;
    plan.service_time = 2s;
    if (call.messages[0].reconsume_times < 2) {
      plan.result.status = ConsumeStatus::kReconsumeLater;
    }
    return plan;
  });
  story.At(3'005ms).StopTraffic();
  story.At(4s).Crash("b-1");
  story.RunFor(40s);
  EXPECT_EQ(story.CountOf(FactKind::SEND_BACK_FAILED), 2);
  EXPECT_EQ(story.CountOf(FactKind::RESUBMITTED), 2);
  EXPECT_EQ(deliveries.first["c-1"], 1);
  EXPECT_EQ(deliveries.again["c-1"], 2);
}

}  // namespace
}  // namespace groupsim
