#include "model/broker/consumer_table.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ConsumerTableTest : public ::testing::Test {
 protected:
  struct Topic {
    std::string name;
    int64_t version = 1;
    std::vector<std::string> tags = {};
  };
  ConsumerData Data(const std::vector<Topic>& topics) {
    ConsumerData data;
    data.group = group_;
    for (const Topic& topic : topics) {
      SubscriptionData subscription;
      subscription.topic = names_.Intern(topic.name);
      subscription.sub_version = topic.version;
      for (const std::string& tag : topic.tags) {
        subscription.tags.push_back(names_.Intern(tag));
      }
      data.subscriptions.push_back(subscription);
    }
    return data;
  }
  ConsumerTable::Registration Register(const std::string& client,
                                       ConnectionId connection,
                                       const std::vector<Topic>& topics,
                                       int64_t now = 0) {
    return table_.Register(Data(topics), names_.Intern(client), connection,
                           now);
  }
  const GroupSubscription* Subscription(const std::string& topic) {
    return table_.Find(group_)->FindSubscription(names_.Intern(topic));
  }

  NameTable names_;
  const Name group_ = names_.Intern("g");
  ConsumerTable table_;
};

TEST_F(ConsumerTableTest, AGroupIsKnownWhileItHasMembers) {
  EXPECT_EQ(table_.Find(group_), nullptr);
  Register("a", 1, {{"t"}});
  ASSERT_NE(table_.Find(group_), nullptr);
  EXPECT_EQ(table_.Unregister(group_, 1), names_.Intern("a"));
  EXPECT_EQ(table_.Find(group_), nullptr);
  EXPECT_TRUE(table_.Unregister(group_, 1).empty());
  // It comes back as a new one.
  EXPECT_TRUE(Register("a", 2, {}).changed());
  EXPECT_EQ(Subscription("t"), nullptr);
}

TEST_F(ConsumerTableTest, ANewConnectionIsAChangeAndARepetitionIsNone) {
  EXPECT_TRUE(Register("a", 1, {{"t"}}).new_connection);
  EXPECT_FALSE(Register("a", 1, {{"t"}}).changed());
  EXPECT_TRUE(Register("b", 2, {{"t"}}).new_connection);
  EXPECT_FALSE(Register("b", 2, {{"t"}}).subscriptions_changed);
}

TEST_F(ConsumerTableTest, AnotherClientIdOnAKnownConnectionIsNoChange) {
  Register("a", 1, {{"t"}});
  EXPECT_FALSE(Register("b", 1, {{"t"}}).changed());
  EXPECT_THAT(*table_.Find(group_)->ClientIds(),
              ElementsAre(names_.Intern("b")));
}

TEST_F(ConsumerTableTest, ANewTopicAndAMissingOneAreChanges) {
  Register("a", 1, {{"t"}});
  EXPECT_TRUE(Register("a", 1, {{"t"}, {"u"}}).subscriptions_changed);
  EXPECT_TRUE(Register("a", 1, {{"u"}}).subscriptions_changed);
  EXPECT_EQ(Subscription("t"), nullptr);
  EXPECT_NE(Subscription("u"), nullptr);
}

TEST_F(ConsumerTableTest, AHigherVersionReplacesTheFilterWithoutAChange) {
  Register("a", 1, {{"t", 5, {"red"}}});
  EXPECT_FALSE(Register("a", 1, {{"t", 6, {"blue"}}}).changed());
  EXPECT_EQ(Subscription("t")->sub_version, 6);
  EXPECT_TRUE(Subscription("t")->filter->Matches(JavaStringHash("blue")));
  EXPECT_FALSE(Subscription("t")->filter->Matches(JavaStringHash("red")));
  // An equal or lower one keeps the old filter.
  Register("b", 2, {{"t", 6, {"red"}}});
  Register("c", 3, {{"t", 4}});
  EXPECT_EQ(Subscription("t")->sub_version, 6);
  EXPECT_TRUE(Subscription("t")->filter->Matches(JavaStringHash("blue")));
  // All messages: no filter.
  Register("c", 3, {{"t", 7}});
  EXPECT_EQ(Subscription("t")->filter, nullptr);
}

TEST_F(ConsumerTableTest, TwoMembersWithDifferentTopicsFlipTheTable) {
  Register("a", 1, {{"t"}});
  EXPECT_TRUE(Register("b", 2, {{"u"}}).subscriptions_changed);
  EXPECT_EQ(Subscription("t"), nullptr);
  EXPECT_TRUE(Register("a", 1, {{"t"}}).subscriptions_changed);
  EXPECT_EQ(Subscription("u"), nullptr);
  EXPECT_TRUE(Register("b", 2, {{"u"}}).subscriptions_changed);
}

TEST_F(ConsumerTableTest, TheLastWriterDecidesTheModel) {
  Register("a", 1, {{"t"}});
  ConsumerData data = Data({{"t"}});
  data.model = MessageModel::kBroadcasting;
  data.consume_from_where = ConsumeFromWhere::kTimestamp;
  table_.Register(data, names_.Intern("b"), 2, 0);
  EXPECT_EQ(table_.Find(group_)->model(), MessageModel::kBroadcasting);
  EXPECT_EQ(table_.Find(group_)->consume_from_where(),
            ConsumeFromWhere::kTimestamp);
}

TEST_F(ConsumerTableTest, TheListHasOneSortedEntryForEachConnection) {
  Register("c", 1, {});
  Register("a", 2, {});
  Register("c", 3, {});
  Register("b", 4, {});
  const auto ids = table_.Find(group_)->ClientIds();
  EXPECT_THAT(*ids, ElementsAre(names_.Intern("a"), names_.Intern("b"),
                                names_.Intern("c"), names_.Intern("c")));
  EXPECT_THAT(table_.Find(group_)->Connections(), ElementsAre(1, 2, 3, 4));
  // The same list until something changes.
  Register("b", 4, {});
  EXPECT_EQ(table_.Find(group_)->ClientIds(), ids);
  table_.Unregister(group_, 3);
  EXPECT_NE(table_.Find(group_)->ClientIds(), ids);
  EXPECT_THAT(*table_.Find(group_)->ClientIds(), SizeIs(3));
}

TEST_F(ConsumerTableTest, AConnectionThatEndsLeavesAllItsGroups) {
  ConsumerData other;
  other.group = names_.Intern("h");
  Register("a", 1, {{"t"}});
  table_.Register(other, names_.Intern("a"), 1, 0);
  Register("b", 2, {{"t"}});
  const auto leaving = table_.RemoveConnection(1);
  ASSERT_THAT(leaving, SizeIs(2));
  EXPECT_EQ(leaving[0].group, group_);
  EXPECT_EQ(leaving[1].group, other.group);
  EXPECT_EQ(leaving[1].client_id, names_.Intern("a"));
  EXPECT_EQ(table_.Find(other.group), nullptr);
  EXPECT_THAT(table_.Find(group_)->Connections(), ElementsAre(2));
  EXPECT_THAT(table_.RemoveConnection(1), IsEmpty());
}

TEST_F(ConsumerTableTest, MembersExpireStrictlyAfterTheTimeout) {
  Register("a", 1, {}, 0);
  Register("b", 2, {}, 500);
  EXPECT_THAT(table_.RemoveExpired(1'000, 1s), IsEmpty());
  const auto expired = table_.RemoveExpired(1'001, 1s);
  ASSERT_THAT(expired, SizeIs(1));
  EXPECT_EQ(expired[0].connection, 1u);
  EXPECT_EQ(expired[0].group, group_);
  EXPECT_EQ(expired[0].client_id, names_.Intern("a"));
  // A heartbeat renews.
  Register("b", 2, {}, 1'400);
  EXPECT_THAT(table_.RemoveExpired(2'000, 1s), IsEmpty());
  EXPECT_THAT(table_.RemoveExpired(2'401, 1s), SizeIs(1));
  EXPECT_EQ(table_.Find(group_), nullptr);
  EXPECT_THAT(table_.RemoveExpired(9'000, 1s), IsEmpty());
}

TEST(ProducerTableTest, ProducersExpireStrictlyAfterTheTimeout) {
  ProducerTable table;
  table.Register(1, 0);
  table.Register(2, 500);
  table.Register(3, 0);
  table.Remove(3);
  EXPECT_THAT(table.RemoveExpired(1'000, 1s), IsEmpty());
  EXPECT_THAT(table.RemoveExpired(1'001, 1s), ElementsAre(1));
  EXPECT_EQ(table.size(), 1u);
}

}  // namespace
}  // namespace groupsim
