#include "model/wire/topics.h"

#include "gtest/gtest.h"
#include "model/base/name.h"

namespace groupsim {
namespace {

TEST(TopicsTest, EachGroupHasARetryTopicAndOneOfDeadLetters) {
  NameTable names;
  const Name group = names.Intern("orders");
  EXPECT_EQ(RetryTopicOf(group, names).text(), "%RETRY%orders");
  EXPECT_EQ(DeadLetterTopicOf(group, names).text(), "%DLQ%orders");
}

TEST(TopicsTest, RetryTopicsAreKnownByTheirNames) {
  EXPECT_TRUE(IsRetryTopic("%RETRY%orders"));
  EXPECT_FALSE(IsRetryTopic("%DLQ%orders"));
  EXPECT_FALSE(IsRetryTopic("orders%RETRY%"));
  EXPECT_FALSE(IsRetryTopic("orders"));
}

}  // namespace
}  // namespace groupsim
