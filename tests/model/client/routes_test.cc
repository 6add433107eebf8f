#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/client/broker_addresses.h"
#include "model/client/name_server_choice.h"
#include "model/client/topic_routes.h"
#include "model/runtime/random.h"
#include "model/wire/route.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RoutesTest : public ::testing::Test {
 protected:
  Name N(const std::string& text) { return names_.Intern(text); }

  NameTable names_;
};

TEST_F(RoutesTest, AnAddressIsFoundByBrokerAndId) {
  BrokerAddresses brokers;
  brokers.Put(N("b"), {{0, N("b0")}, {1, N("b1")}});
  EXPECT_EQ(brokers.FindAny(N("b"), 0).address, N("b0"));
  EXPECT_FALSE(brokers.FindAny(N("b"), 0).slave);
  EXPECT_EQ(brokers.FindAny(N("b"), 1).address, N("b1"));
  EXPECT_TRUE(brokers.FindAny(N("b"), 1).slave);
  EXPECT_TRUE(brokers.FindAny(N("c"), 0).empty());
  EXPECT_EQ(brokers.BrokerAt(N("b1")), N("b"));
  EXPECT_TRUE(brokers.BrokerAt(N("c0")).empty());
}

TEST_F(RoutesTest, AMissingSlaveIsReplacedByTheNextOneThenByAny) {
  BrokerAddresses brokers;
  brokers.Put(N("b"), {{0, N("b0")}, {2, N("b2")}});
  EXPECT_EQ(brokers.FindAny(N("b"), 1).address, N("b2"));
  EXPECT_EQ(brokers.FindAny(N("b"), 5).address, N("b0"));
}

TEST_F(RoutesTest, WithoutMasterAnyAddressServesButNotAsMaster) {
  BrokerAddresses brokers;
  brokers.Put(N("b"), {{1, N("b1")}});
  EXPECT_TRUE(brokers.FindMaster(N("b")).empty());
  EXPECT_EQ(brokers.FindAny(N("b"), 0).address, N("b1"));
  EXPECT_TRUE(brokers.FindAny(N("b"), 0).slave);
}

TEST_F(RoutesTest, AddressesAreListedByBrokerAndId) {
  BrokerAddresses brokers;
  brokers.Put(N("b"), {{0, N("b0")}, {1, N("b1")}});
  brokers.Put(N("a"), {{0, N("a0")}});
  EXPECT_THAT(brokers.All(false), ElementsAre(N("a0"), N("b0"), N("b1")));
  EXPECT_THAT(brokers.All(true), ElementsAre(N("a0"), N("b0")));
}

TEST_F(RoutesTest, AddressesThatNobodyMentionsAreForgotten) {
  BrokerAddresses brokers;
  brokers.Put(N("a"), {{0, N("a0")}});
  brokers.Put(N("b"), {{0, N("b0")}, {1, N("b1")}});
  const uint64_t version = brokers.version();
  brokers.RemoveUnless([&](Name address) { return address == N("b1"); });
  EXPECT_NE(brokers.version(), version);
  EXPECT_THAT(brokers.All(false), ElementsAre(N("b1")));
  brokers.RemoveUnless([](Name) { return false; });
  EXPECT_TRUE(brokers.empty());
}

TEST_F(RoutesTest, QueuesToReadNeedNoMasterButQueuesToWriteDo) {
  TopicRoute route;
  route.queues = {{N("a"), 1, 2, kPermRead | kPermWrite},
                  {N("b"), 2, 1, kPermRead | kPermWrite},
                  {N("c"), 1, 1, kPermWrite},
                  {N("d"), 1, 1, kPermRead}};
  route.brokers = {{Name(), N("a"), {{0, N("a0")}}},
                   {Name(), N("b"), {{1, N("b1")}}},
                   {Name(), N("c"), {{0, N("c0")}}},
                   {Name(), N("d"), {{0, N("d0")}}}};
  const Name t = N("t");
  EXPECT_THAT(
      ReadableQueues(t, route),
      ElementsAre(MessageQueue{t, N("a"), 0}, MessageQueue{t, N("b"), 0},
                  MessageQueue{t, N("b"), 1}, MessageQueue{t, N("d"), 0}));
  EXPECT_THAT(
      WritableQueues(t, route),
      ElementsAre(MessageQueue{t, N("a"), 0}, MessageQueue{t, N("a"), 1},
                  MessageQueue{t, N("c"), 0}));
}

TEST_F(RoutesTest, ARouteStaysUntilAnotherOneComes) {
  TopicRoutes routes;
  EXPECT_EQ(routes.Find(N("t")), nullptr);
  auto route = std::make_shared<TopicRoute>();
  route->brokers = {{Name(), N("a"), {{0, N("a0")}}}};
  routes.Put(N("t"), route);
  EXPECT_EQ(routes.Find(N("t")), route.get());
  EXPECT_TRUE(routes.Mentions(N("a0")));
  EXPECT_FALSE(routes.Mentions(N("b0")));
}

// Counts up from a number.
class Counting final : public RandomStream {
 public:
  uint64_t Next() override { return next_++ << 40; }

 private:
  uint64_t next_ = 1;
};

TEST_F(RoutesTest, ANameServerIsKeptAsLongAsItsChannelIsOpen) {
  Counting random;
  NameServerChoice choice({N("n1"), N("n2"), N("n3")}, random);
  const auto closed = [](Name) { return false; };
  const auto open = [](Name) { return true; };
  const Name first = choice.Choose(closed);
  EXPECT_EQ(choice.Choose(open), first);
  const Name second = choice.Choose(closed);
  const Name third = choice.Choose(closed);
  EXPECT_NE(first, second);
  EXPECT_NE(second, third);
  EXPECT_NE(first, third);
  EXPECT_EQ(choice.Choose(closed), first);  // Round and round.
}

}  // namespace
}  // namespace groupsim
