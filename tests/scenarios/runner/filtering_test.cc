// Subscriptions by tags, in runs whose numbers can be counted by hand.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"
#include "scenarios/runner/summary.h"

namespace groupsim {
namespace {

Report Play(const std::string& text) {
  RunOptions options;
  options.scenario_name = "filtering";
  Report report = RunScenario(ScenarioFromTextOrDie(text), options).report;
  for (const Report::AuditReport& audit : report.audits()) {
    EXPECT_TRUE(audit.held()) << audit.name();
  }
  return report;
}
Report::GroupMetrics Group(const std::string& text) {
  return Play(text).groups(0).metrics();
}

// Two queues; each gets 25 messages of each of two tags, in turn.
std::string TwoTags(absl::string_view red, absl::string_view blue) {
  std::string text =
      "duration: '90s' broker { name: 'broker-a' } "
      "topic { name: 't' queues_per_broker: 2 }";
  for (const absl::string_view tag : {red, blue}) {
    absl::StrAppend(&text, " producer { name: 'p-", tag,
                    "' messages: 50 rate { per_second: 5 } from: '",
                    tag == red ? "30s" : "30100ms", "' tag { name: '", tag,
                    "' } }");
  }
  return text;
}

TEST(FilteringTest, AGroupGetsTheTagsThatItSubscribesTo) {
  const std::string producers = TwoTags("red", "blue");
  const auto group = [&](absl::string_view expression) {
    return Group(absl::StrCat(producers,
                              " group { name: 'g' subscribe { topic: 't' "
                              "expression: '",
                              expression, "' } consumer { name: 'c' } }"));
  };
  const auto red = group("red");
  EXPECT_EQ(red.stored(), 100);
  EXPECT_EQ(red.distinct(), 50);
  EXPECT_EQ(red.finished(), 50);
  EXPECT_EQ(red.filtered(), 50);
  EXPECT_EQ(red.skipped(), 0);
  EXPECT_EQ(red.lost(), 0);
  EXPECT_EQ(red.not_yet_delivered(), 0);
  EXPECT_EQ(red.final_lag(), 0);
  EXPECT_EQ(group("red || blue").distinct(), 100);
  EXPECT_EQ(group("red || blue").filtered(), 0);
  EXPECT_EQ(group("green").filtered(), 100);
  EXPECT_EQ(group("green").final_lag(), 0);
  EXPECT_EQ(group("").distinct(), 100);
  EXPECT_FALSE(group("*").has_filtered());
}

TEST(FilteringTest, MessagesWithoutATagAreForThoseWhoWantAll) {
  const std::string past =
      "duration: '60s' broker { name: 'broker-a' } topic { name: 't' "
      "queues_per_broker: 1 stored { queues: 'broker-a#0' messages: 100 } } "
      "group { name: 'g' consume_from_where: CONSUME_FROM_FIRST_OFFSET "
      "consumer { name: 'c' } subscribe { topic: 't' expression: '";
  EXPECT_EQ(Group(past + "*' } }").distinct(), 100);
  const auto red = Group(past + "red' } }");
  EXPECT_EQ(red.distinct(), 0);
  EXPECT_EQ(red.filtered(), 100);
  EXPECT_EQ(red.not_yet_delivered(), 0);
  EXPECT_EQ(red.final_lag(), 0);
}

// "Aa" and "BB" have one hash: the broker lets them pass, the client does not.
TEST(FilteringTest, AClientSiftsWhatTheBrokerLetsPass) {
  const auto metrics =
      Group(TwoTags("Aa", "BB") +
            " group { name: 'g' consumer { name: 'c' } subscribe { topic: 't' "
            "expression: 'Aa' } }");
  EXPECT_EQ(metrics.distinct(), 50);
  EXPECT_EQ(metrics.filtered(), 50);
  EXPECT_EQ(metrics.skipped(), 0);
  EXPECT_EQ(metrics.final_lag(), 0);
}

// A held pull is woken by what it wants, and looked at every 5 s; offsets are
// sent every 5 s.
TEST(FilteringTest, ForeignTagsMakeTheLagFallInSteps) {
  const auto metrics = Group(
      "duration: '120s' broker { name: 'broker-a' } topic { name: 't' "
      "queues_per_broker: 1 } producer { name: 'p' rate { per_second: 1 } "
      "from: '40s' messages: 60 tag { name: 'blue' } } group { name: 'g' "
      "consumer { name: 'c' } subscribe { topic: 't' expression: 'red' } }");
  EXPECT_EQ(metrics.filtered(), 60);
  EXPECT_GE(metrics.peak_lag(), 5);
  EXPECT_LE(metrics.peak_lag(), 10);
  EXPECT_EQ(metrics.final_lag(), 0);
}

// Each owns a queue; the broker sifts both by one subscription, and the client
// that wants the other tag drops all that it gets.
TEST(FilteringTest, MembersWithDifferentTagsLoseMessagesWithoutLag) {
  const Report report =
      Play(TwoTags("red", "blue") +
           " group { name: 'g' subscribe { topic: 't' expression: 'red' } "
           "consumer { name: 'c1' } consumer { name: 'c2' start_at: '5s' "
           "subscribe { topic: 't' expression: 'blue' } } }");
  const auto& metrics = report.groups(0).metrics();
  EXPECT_EQ(metrics.stored(), 100);
  EXPECT_EQ(metrics.distinct(), 25);
  EXPECT_EQ(metrics.skipped(), 75);
  EXPECT_EQ(metrics.filtered(), 0);
  EXPECT_EQ(metrics.duplicates(), 0);
  EXPECT_EQ(metrics.lost(), 0);
  EXPECT_EQ(metrics.final_lag(), 0);
  EXPECT_NE(FormatSummary(report).find("skipped 75   filtered 0   lost 0"),
            std::string::npos)
      << FormatSummary(report);
}

// Of a topic that one of two members subscribes to, half of the queues are
// given to the other one, which never pulls them.
TEST(FilteringTest, MembersWithDifferentTopicsLeaveQueuesAlone) {
  const auto metrics = Group(
      "duration: '120s' broker { name: 'broker-a' } topic { name: 't' "
      "queues_per_broker: 2 } topic { name: 'u' queues_per_broker: 2 } "
      "producer { name: 'p' topic: 't' rate { per_second: 10 } messages: 100 "
      "from: '30s' } group { name: 'g' subscribe { topic: 't' } subscribe { "
      "topic: 'u' } consumer { name: 'c1' subscribe { topic: 't' } } "
      "consumer { name: 'c2' subscribe { topic: 'u' } } }");
  EXPECT_EQ(metrics.stored(), 100);
  EXPECT_EQ(metrics.distinct(), 50);
  EXPECT_EQ(metrics.not_yet_delivered(), 50);
  EXPECT_FALSE(metrics.has_filtered());
}

TEST(FilteringTest, TheTimelineChangesTheTags) {
  const auto metrics =
      Group(TwoTags("red", "blue") +
            " group { name: 'g' consumer { name: 'c' } subscribe { topic: 't' "
            "expression: 'red' } } at { time: '35s' change_subscription { "
            "consumer: 'c' subscribe { topic: 't' expression: 'blue' } } }");
  // Each sends one every 200 ms for 10 s: half of either is consumed.
  EXPECT_NEAR(metrics.distinct(), 50, 4);
  EXPECT_EQ(metrics.filtered(), 0);
  EXPECT_EQ(metrics.skipped(), 100 - metrics.distinct());
}

}  // namespace
}  // namespace groupsim
