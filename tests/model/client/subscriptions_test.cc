#include "model/client/subscriptions.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/wire/message.h"
#include "model/wire/subscription.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SubscriptionsTest : public ::testing::Test {
 protected:
  Name N(const std::string& text) { return names_.Intern(text); }
  SubscriptionData Build(const std::string& expression) {
    return BuildSubscription(N("t"), expression, 5, names_);
  }
  Message Tagged(const std::string& tag) {
    Message message;
    message.tag = N(tag);
    return message;
  }

  NameTable names_;
};

TEST_F(SubscriptionsTest, NoExpressionAndTheStarStandForAll) {
  for (const char* expression : {"", "*"}) {
    const SubscriptionData data = Build(expression);
    EXPECT_EQ(data.expression, "*");
    EXPECT_THAT(data.tags, IsEmpty());
    EXPECT_EQ(data.sub_version, 5);
    EXPECT_TRUE(Wants(data, Tagged("x")));
    EXPECT_TRUE(Wants(data, Message()));
  }
}

TEST_F(SubscriptionsTest, TagsAreSplitAndTrimmed) {
  const SubscriptionData data = Build(" red ||blue|| || red");
  EXPECT_THAT(data.tags, ElementsAre(N("blue"), N("red")));
  EXPECT_TRUE(Wants(data, Tagged("red")));
  EXPECT_FALSE(Wants(data, Tagged("green")));
  EXPECT_FALSE(Wants(data, Message()));  // Without a tag.
}

TEST_F(SubscriptionsTest, AreWalkedAsAHashTableOfJavaAndReplacedByTopic) {
  Subscriptions subscriptions;
  subscriptions.Put(BuildSubscription(N("t2"), "*", 1, names_));
  subscriptions.Put(BuildSubscription(N("%RETRY%g"), "*", 1, names_));
  subscriptions.Put(BuildSubscription(N("t5"), "*", 1, names_));
  subscriptions.Put(BuildSubscription(N("t2"), "a", 2, names_));
  EXPECT_THAT(subscriptions.Topics(),
              ElementsAre(N("t5"), N("%RETRY%g"), N("t2")));
  EXPECT_EQ(subscriptions.Find(N("t2"))->expression, "a");
  EXPECT_EQ(subscriptions.Find(N("t3")), nullptr);
  subscriptions.SetVersion(N("t5"), 9);
  EXPECT_EQ(subscriptions.Find(N("t5"))->sub_version, 9);
  EXPECT_EQ(subscriptions.Find(N("t2"))->sub_version, 2);
}

TEST_F(SubscriptionsTest, AreWalkedAsBeforeWhenOneHasGone) {
  Subscriptions subscriptions;
  subscriptions.Remove(N("t2"));
  subscriptions.Put(BuildSubscription(N("t2"), "*", 1, names_));
  subscriptions.Put(BuildSubscription(N("%RETRY%g"), "*", 1, names_));
  subscriptions.Put(BuildSubscription(N("t5"), "*", 1, names_));
  subscriptions.Remove(N("%RETRY%g"));
  subscriptions.Remove(N("t3"));
  EXPECT_THAT(subscriptions.Topics(), ElementsAre(N("t5"), N("t2")));
  EXPECT_EQ(subscriptions.Find(N("%RETRY%g")), nullptr);
  EXPECT_EQ(subscriptions.all().size(), 2u);
  subscriptions.Put(BuildSubscription(N("%RETRY%g"), "*", 1, names_));
  EXPECT_THAT(subscriptions.Topics(),
              ElementsAre(N("t5"), N("%RETRY%g"), N("t2")));
}

}  // namespace
}  // namespace groupsim
