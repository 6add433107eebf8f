#include "model/namesrv/route_table.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class RouteTableTest : public ::testing::Test {
 protected:
  static constexpr Duration kTimeout = 120s;

  TopicConfig Topic(const std::string& name, int32_t queues = 4) {
    TopicConfig topic;
    topic.topic = names_.Intern(name);
    topic.read_queue_nums = queues;
    topic.write_queue_nums = queues;
    return topic;
  }
  RegisterBrokerRequest Registration(const std::string& broker,
                                     const std::string& address,
                                     std::vector<TopicConfig> topics,
                                     int64_t version = 1) {
    RegisterBrokerRequest request;
    request.cluster = names_.Intern("c");
    request.broker = names_.Intern(broker);
    request.address = names_.Intern(address);
    request.data_version.counter = version;
    request.topics =
        std::make_shared<const std::vector<TopicConfig>>(std::move(topics));
    return request;
  }
  RegisterOutcome Register(const RegisterBrokerRequest& request,
                           int64_t now = 0, ConnectionId channel = 1) {
    return table_.Register(request, channel, now, kTimeout);
  }
  Unregistration Leave(const std::string& broker, const std::string& address) {
    return Unregistration{names_.Intern("c"), names_.Intern(address),
                          names_.Intern(broker), 0};
  }
  TopicRoutePtr Route(const std::string& topic) {
    return table_.Route(names_.Intern(topic));
  }

  NameTable names_;
  RouteTable table_;
};

TEST_F(RouteTableTest, RoutesAreInOrderOfBrokerName) {
  Register(Registration("b", "b:1", {Topic("t", 8), Topic("u")}));
  Register(Registration("a", "a:1", {Topic("t", 4), Topic("v")}));
  const TopicRoutePtr route = Route("t");
  ASSERT_NE(route, nullptr);
  ASSERT_THAT(route->queues, SizeIs(2));
  EXPECT_EQ(route->queues[0].broker, names_.Intern("a"));
  EXPECT_EQ(route->queues[0].read_queue_nums, 4);
  EXPECT_EQ(route->queues[1].broker, names_.Intern("b"));
  EXPECT_EQ(route->queues[1].write_queue_nums, 8);
  ASSERT_THAT(route->brokers, SizeIs(2));
  EXPECT_EQ(route->brokers[1].broker, names_.Intern("b"));
  EXPECT_EQ(route->brokers[1].cluster, names_.Intern("c"));
  EXPECT_EQ(route->brokers[1].addresses.at(0), names_.Intern("b:1"));
  EXPECT_EQ(Route("nothing"), nullptr);
}

TEST_F(RouteTableTest, ARouteIsTheSameObjectUntilSomethingChanges) {
  Register(Registration("a", "a:1", {Topic("t"), Topic("u")}));
  const TopicRoutePtr route = Route("t");
  Register(Registration("a", "a:1", {Topic("t"), Topic("u")}));
  EXPECT_EQ(Route("t"), route);
  Register(Registration("a", "a:1", {Topic("t"), Topic("u", 5)}, 2));
  EXPECT_EQ(Route("t"), route);
  Register(Registration("b", "b:1", {Topic("u"), Topic("v")}));
  EXPECT_EQ(Route("t"), route);
  Register(Registration("a", "a:1", {Topic("t", 5), Topic("u", 5)}, 3));
  EXPECT_NE(Route("t"), route);
}

TEST_F(RouteTableTest, OneTopicOfAnUnknownBrokerIsRefused) {
  EXPECT_EQ(Register(Registration("a", "a:1", {Topic("t")})),
            RegisterOutcome::kRefused);
  EXPECT_EQ(Route("t"), nullptr);
  EXPECT_THAT(table_.FindSilent(1'000'000), IsEmpty());
  EXPECT_EQ(Register(Registration("a", "a:1", {Topic("t"), Topic("u")})),
            RegisterOutcome::kRegistered);
  EXPECT_EQ(Register(Registration("a", "a:1", {Topic("w")}, 2)),
            RegisterOutcome::kRegistered);
  EXPECT_NE(Route("w"), nullptr);
}

TEST_F(RouteTableTest, TopicsNotMentionedStay) {
  Register(Registration("a", "a:1", {Topic("t"), Topic("u")}));
  Register(Registration("a", "a:1", {Topic("u"), Topic("v")}, 2));
  EXPECT_NE(Route("t"), nullptr);
}

TEST_F(RouteTableTest, AnEqualVersionAddsTopicsButReplacesNone) {
  Register(Registration("a", "a:1", {Topic("t", 4), Topic("u")}));
  Register(Registration("a", "a:1", {Topic("t", 9), Topic("v")}));
  EXPECT_EQ(Route("t")->queues[0].read_queue_nums, 4);
  EXPECT_NE(Route("v"), nullptr);
  Register(Registration("a", "a:1", {Topic("t", 9), Topic("v")}, 2));
  EXPECT_EQ(Route("t")->queues[0].read_queue_nums, 9);
}

TEST_F(RouteTableTest, AnotherAddressTakesTheIdUnlessItsStateIsOlder) {
  RegisterBrokerRequest old =
      Registration("a", "a:1", {Topic("t"), Topic("u")});
  old.data_version.state_version = 5;
  Register(old);
  RegisterBrokerRequest other =
      Registration("a", "a:2", {Topic("t"), Topic("u")});
  other.data_version.state_version = 4;
  EXPECT_EQ(Register(other), RegisterOutcome::kIgnored);
  EXPECT_EQ(Route("t")->brokers[0].addresses.at(0), names_.Intern("a:1"));
  other.data_version.state_version = 5;
  EXPECT_EQ(Register(other), RegisterOutcome::kRegistered);
  EXPECT_EQ(Route("t")->brokers[0].addresses.at(0), names_.Intern("a:2"));
}

TEST_F(RouteTableTest, AnAddressHasOneIdOnly) {
  RegisterBrokerRequest request =
      Registration("a", "a:1", {Topic("t"), Topic("u")});
  Register(request);
  request.broker_id = 1;
  EXPECT_EQ(Register(request), RegisterOutcome::kRegistered);
  const auto addresses = Route("t")->brokers[0].addresses;
  EXPECT_THAT(addresses, SizeIs(1));
  EXPECT_EQ(addresses.begin()->first, 1);
}

TEST_F(RouteTableTest, OnlyTheMastersTopicsCount) {
  RegisterBrokerRequest slave =
      Registration("a", "a:2", {Topic("t"), Topic("u")});
  slave.broker_id = 1;
  Register(slave);
  EXPECT_EQ(Route("t"), nullptr);
}

TEST_F(RouteTableTest, UnregistrationRemovesTheNameWithItsLastAddress) {
  Register(Registration("a", "a:1", {Topic("t"), Topic("u")}));
  Register(Registration("b", "b:1", {Topic("t"), Topic("v")}));
  EXPECT_THAT(table_.Unregister(
                  {Leave("a", "a:1"), Leave("a", "a:1"), Leave("x", "x:1")}),
              ElementsAre(true, false, false));
  EXPECT_EQ(Route("u"), nullptr);
  ASSERT_NE(Route("t"), nullptr);
  EXPECT_THAT(Route("t")->queues, SizeIs(1));
  EXPECT_THAT(table_.Unregister({Leave("b", "b:1")}), ElementsAre(true));
  EXPECT_EQ(Route("t"), nullptr);
}

TEST_F(RouteTableTest, QueuesStayWhileASlaveIsLeft) {
  Register(Registration("a", "a:1", {Topic("t"), Topic("u")}));
  RegisterBrokerRequest slave =
      Registration("a", "a:2", {Topic("t"), Topic("u")});
  slave.broker_id = 1;
  Register(slave);
  table_.Unregister({Leave("a", "a:1")});
  ASSERT_NE(Route("t"), nullptr);
  EXPECT_THAT(Route("t")->brokers[0].addresses, SizeIs(1));
  EXPECT_EQ(Route("t")->queues[0].perm, kPermRead | kPermWrite);
}

TEST_F(RouteTableTest, ARegistrationIsSilentStrictlyAfterItsTimeout) {
  Register(Registration("a", "a:1", {Topic("t"), Topic("u")}), 1'000);
  RegisterBrokerRequest hasty =
      Registration("b", "b:1", {Topic("t"), Topic("u")});
  hasty.heartbeat_timeout = 10s;
  Register(hasty, 1'000, 2);
  EXPECT_THAT(table_.FindSilent(11'000), IsEmpty());
  const auto silent = table_.FindSilent(11'001);
  ASSERT_THAT(silent, SizeIs(1));
  EXPECT_EQ(silent[0].broker, Leave("b", "b:1"));
  EXPECT_EQ(silent[0].channel, 2u);
  EXPECT_THAT(table_.FindSilent(121'000), SizeIs(1));
  EXPECT_THAT(table_.FindSilent(121'001), SizeIs(2));
}

TEST_F(RouteTableTest, OnlyTheChannelOfTheLastRegistrationCounts) {
  Register(Registration("a", "a:1", {Topic("t"), Topic("u")}), 0, 7);
  Register(Registration("a", "a:1", {Topic("t"), Topic("u")}), 0, 8);
  EXPECT_FALSE(table_.FindByChannel(7).has_value());
  EXPECT_EQ(table_.FindByChannel(8), Leave("a", "a:1"));
}

}  // namespace
}  // namespace groupsim
