// A push consumer that subscribes to topics while it runs.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "tests/model/client/scripted_cluster.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class SubscribeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster_.SetRoute("u", {"b1"}, 1);
    // What heartbeats say.
    cluster_.script("b1").answer[RequestCode::kHeartBeat] =
        [this](const Request& request) -> std::optional<Reply> {
      topics_.clear();
      const auto& beat = std::get<HeartbeatRequest>(request.body);
      for (const SubscriptionData& data : beat.consumers->at(0).subscriptions) {
        topics_.push_back(data.topic.text());
      }
      return std::nullopt;
    };
    cluster_.AddConsumer().Start();
    cluster_.RunUntil(4s);
    cluster_.requests.clear();
    cluster_.facts.clear();
  }
  void SubscribeAt(Duration when) {
    cluster_.At(when,
                [this] { cluster_.consumer->Subscribe(cluster_.N("u"), "*"); });
  }
  void UnsubscribeAt(Duration when, const std::string& topic) {
    cluster_.At(when, [this, topic] {
      cluster_.consumer->Unsubscribe(cluster_.N(topic));
    });
  }

  std::vector<std::string> topics_;  // In the last heartbeat.
  ScriptedCluster cluster_{1, 1};
};

TEST_F(SubscribeTest, BrokersAreToldAtOnce) {
  SubscribeAt(5s);
  cluster_.RunUntil(6s);
  EXPECT_THAT(cluster_.requests, ElementsAre("5000 b1 HEART_BEAT"));
  EXPECT_THAT(topics_, UnorderedElementsAre("t", "u", "%RETRY%g"));
  EXPECT_NE(cluster_.consumer->FindSubscription(cluster_.N("u")), nullptr);
}

TEST_F(SubscribeTest, TheNextRoundAsksForTheRouteAndTheOneAfterTakesQueues) {
  SubscribeAt(5s);
  cluster_.RunUntil(43s);
  // A round looks for the queues of a topic, of which there are none, before it
  // asks for the members, which takes the route; 20 s later it finds them.
  // Routes are asked for every 30 s as well.
  EXPECT_THAT(cluster_.RequestsWith({"u"}),
              ElementsAre("21006 n1 GET_ROUTEINFO_BY_TOPIC u",
                          "30011 n1 GET_ROUTEINFO_BY_TOPIC u"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}),
              ElementsAre("21010 REBALANCED 0 0 1", "41016 REBALANCED 0 0 1"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_ADDED}),
              ElementsAre("41014 QUEUE_ADDED b1#0 100 0 0"));
}

TEST_F(SubscribeTest, TheNextRoundGivesUpWhatIsNotSubscribedToAnyMore) {
  cluster_.At(4s + 500ms, [&] {
    EXPECT_TRUE(cluster_.AnswerPull("b1#0", cluster_.Found(100, 3)));
  });
  UnsubscribeAt(6s, "t");
  UnsubscribeAt(6s, "nothing");
  cluster_.RunUntil(9s);
  EXPECT_EQ(cluster_.consumer->FindSubscription(cluster_.N("t")), nullptr);
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_DROPPED}), IsEmpty());
  cluster_.RunUntil(43s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::QUEUE_DROPPED, FactKind::QUEUE_REMOVED}),
      ElementsAre("21006 QUEUE_DROPPED b1#0 0 4 0",
                  "21006 QUEUE_REMOVED b1#0 0 0 0"));
  EXPECT_THAT(topics_, ElementsAre("%RETRY%g"));
  // None when it goes: that is what the next owner begins at.
  EXPECT_THAT(cluster_.RequestsWith({"UPDATE_CONSUMER_OFFSET"}),
              ElementsAre("10000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 103",
                          "15000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 103",
                          "20000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 103"));
}

TEST_F(SubscribeTest, ATopicThatIsBackBeforeTheRoundIsAsItWas) {
  UnsubscribeAt(6s, "t");
  cluster_.At(8s, [&] { cluster_.consumer->Subscribe(cluster_.N("t"), "*"); });
  cluster_.RunUntil(30s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_DROPPED}), IsEmpty());
}

}  // namespace
}  // namespace groupsim
