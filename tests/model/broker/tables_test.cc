// The small tables of a broker.
#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/broker/name_indexed.h"
#include "model/broker/offset_table.h"
#include "model/broker/subscription_group_table.h"
#include "model/broker/topic_config_table.h"
#include "model/broker/valid_name.h"

namespace groupsim {
namespace {

TEST(NameIndexedTest, FindsWhatWasAddedAndNothingElse) {
  NameTable names;
  const Name a = names.Intern("a");
  const Name b = names.Intern("b");
  NameIndexed<int> table;
  EXPECT_EQ(table.Find(a), nullptr);
  EXPECT_EQ(table.Find(Name()), nullptr);
  int& entry = table.Add(b, 7);
  EXPECT_EQ(table.Find(b), &entry);
  EXPECT_EQ(table.Find(a), nullptr);
  EXPECT_EQ(table.size(), 1u);
}

TEST(OffsetTableTest, OffsetsMayGoBackAndTheOneBeforeIsReturned) {
  NameTable names;
  const Name g = names.Intern("g");
  const Name h = names.Intern("h");
  OffsetTable table;
  EXPECT_EQ(table.Query(3, g), -1);
  EXPECT_EQ(table.Commit(3, g, 10), -1);
  EXPECT_EQ(table.Commit(3, g, 4), 10);
  EXPECT_EQ(table.Commit(3, g, 4), 4);
  EXPECT_EQ(table.Commit(3, h, 0), -1);
  EXPECT_EQ(table.Query(3, g), 4);
  EXPECT_EQ(table.Query(3, h), 0);
  EXPECT_EQ(table.Query(2, g), -1);
}

TEST(OffsetTableTest, AnImageHasWhatWasThereWhenItWasMade) {
  NameTable names;
  const Name g = names.Intern("g");
  OffsetTable table;
  OffsetTable image;
  table.Commit(0, g, 1);
  table.Commit(5, g, 2);
  table.CopyTo(image);
  table.Commit(0, g, 9);
  EXPECT_EQ(image.Query(0, g), 1);
  EXPECT_EQ(image.Query(5, g), 2);
  table.CopyTo(image);
  EXPECT_EQ(image.Query(0, g), 9);

  OffsetTable restarted;
  restarted.LoadFrom(image);
  restarted.Commit(5, g, 3);
  restarted.CopyTo(image);
  EXPECT_EQ(image.Query(0, g), 9);
  EXPECT_EQ(image.Query(5, g), 3);
}

TEST(OffsetTableTest, AnErasedOffsetIsGoneFromTheNextImageToo) {
  NameTable names;
  const Name g = names.Intern("g");
  const Name h = names.Intern("h");
  OffsetTable table;
  OffsetTable image;
  table.Erase(7, g);  // Of a queue that nobody knows.
  table.Commit(2, g, 5);
  table.Commit(2, h, 6);
  table.CopyTo(image);
  table.Erase(2, names.Intern("i"));
  table.Erase(2, g);
  EXPECT_EQ(table.Query(2, g), -1);
  EXPECT_EQ(table.Query(2, h), 6);
  EXPECT_EQ(image.Query(2, g), 5);
  table.CopyTo(image);
  EXPECT_EQ(image.Query(2, g), -1);
  EXPECT_EQ(image.Query(2, h), 6);
  EXPECT_EQ(table.Commit(2, g, 1), -1);
}

TEST(SubscriptionGroupTableTest, CreatesLegalGroupsWhereItMay) {
  NameTable names;
  SubscriptionGroupTable table;
  const Name g = names.Intern("g");
  EXPECT_EQ(table.FindOrCreate(g, false), nullptr);
  EXPECT_EQ(table.FindOrCreate(names.Intern("a b"), true), nullptr);
  ASSERT_NE(table.FindOrCreate(g, true), nullptr);
  EXPECT_EQ(table.Find(g)->retry_queue_nums, 1);
  EXPECT_TRUE(table.Find(g)->consume_enable);
  SubscriptionGroupConfig config;
  config.group_name = g;
  config.consume_enable = false;
  table.Put(config);
  EXPECT_FALSE(table.FindOrCreate(g, true)->consume_enable);
}

TEST(ValidNameTest, HasOnlyLegalCharactersAndIsNotTooLong) {
  EXPECT_TRUE(IsValidTopicOrGroup("%RETRY%order-Processing_7|x", 127));
  EXPECT_FALSE(IsValidTopicOrGroup("", 127));
  EXPECT_FALSE(IsValidTopicOrGroup("a.b", 127));
  EXPECT_FALSE(IsValidTopicOrGroup("a b", 127));
  EXPECT_TRUE(IsValidTopicOrGroup("abc", 3));
  EXPECT_FALSE(IsValidTopicOrGroup("abcd", 3));
}

TEST(TopicConfigTableTest, EveryBrokerHasMoreThanOneTopic) {
  NameTable names;
  TopicConfigTable table;
  table.AddSystemTopics(names, names.Intern("c"), names.Intern("b"),
                        /*auto_create_topic=*/true);
  EXPECT_GE(table.Registration(kPermRead | kPermWrite)->size(), 2u);
  EXPECT_FALSE(table.Find(names.Intern("SELF_TEST_TOPIC"))->may_be_sent_to);
  EXPECT_EQ(table.Find(names.Intern("TBW102"))->config.perm,
            kPermRead | kPermWrite | kPermInherit);
}

TEST(TopicConfigTableTest, TheTemplateIsThereOnlyIfTopicsAreMade) {
  NameTable names;
  TopicConfigTable table;
  table.AddSystemTopics(names, names.Intern("c"), names.Intern("b"),
                        /*auto_create_topic=*/false);
  EXPECT_EQ(table.Find(names.Intern("TBW102")), nullptr);
  EXPECT_NE(table.Find(names.Intern("SELF_TEST_TOPIC")), nullptr);
}

TEST(TopicConfigTableTest, EachChangeMakesAVersionAndANewRegistration) {
  NameTable names;
  TopicConfigTable table;
  TopicConfig topic;
  topic.topic = names.Intern("t");
  table.Put(topic, 1'000);
  const DataVersion first = table.version();
  EXPECT_EQ(first.timestamp, 1'000);
  const auto registration = table.Registration(6);
  EXPECT_EQ(table.Registration(6), registration);
  table.SetOrder(topic.topic, true, 1'000);
  EXPECT_NE(table.version(), first);
  ASSERT_NE(table.Registration(6), registration);
  EXPECT_TRUE(table.Registration(6)->at(0).order);
}

TEST(TopicConfigTableTest, TheBrokersPermissionMasksThoseOfItsTopics) {
  NameTable names;
  TopicConfigTable table;
  TopicConfig topic;
  topic.topic = names.Intern("t");
  topic.perm = kPermRead | kPermWrite | kPermInherit;
  table.Put(topic, 0);
  EXPECT_EQ(table.Registration(6)->at(0).perm, 7);
  EXPECT_EQ(table.Registration(kPermRead)->at(0).perm, kPermRead);
}

}  // namespace
}  // namespace groupsim
