// groupsim allocate and list strategies as a user meets them.
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/tools/cli/groupsim_process.h"

namespace groupsim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

nlohmann::json Json(const std::string& words) {
  const Ended ended = Groupsim(words + " --format=json");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  return nlohmann::json::parse(ended.out, nullptr, false);
}

TEST(AllocateTest, OneStrategyIsShownWithBarsAndMeasures) {
  const Ended ended = Groupsim(
      "allocate --strategy=averagely --queues=8 --consumers=3 --join=1 "
      "--leave=pod-0 --rolling-restart");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.err, IsEmpty());
  EXPECT_EQ(
      ended.out,
      "averagely   8 queues of 1 topic on 1 broker, 3 consumers\n"
      "\n"
      "  consumer  queues\n"
      "  pod-0          3  ###  broker-a#0..2\n"
      "  pod-1          3  ###  broker-a#3..5\n"
      "  pod-2          2  ##   broker-a#6..7\n"
      "\n"
      "  balance          Jain 0.970   max/mean 1.12   max-min 1   Gini 0.083"
      "   idle 0\n"
      "  join 1           moved 5 of 8 queues (62.5 %)   even needs 2\n"
      "  leave pod-0      moved 5 of 8 queues (62.5 %)   even needs 3\n"
      "  rolling restart  moved 22 in 6 changes, 2.75 per queue"
      "   even needs 14, 1.75 per queue\n");
}

TEST(AllocateTest, AveragelyIsTheDefault) {
  EXPECT_EQ(
      Groupsim("allocate --queues=8 --consumers=3").out,
      Groupsim("allocate --queues=8 --consumers=3 --strategy=averagely").out);
}

TEST(AllocateTest, QueuesAndConsumersCanBeNamed) {
  const auto json = Json(
      "allocate --queues='broker-a#0..1,broker-b#7' --consumers=zoe,adam "
      "--strategy=averagely_by_circle");
  EXPECT_EQ(json["queues"], 3);
  ASSERT_EQ(json["shares"].size(), 2u);
  EXPECT_EQ(json["shares"][0]["consumer"], "adam");
  EXPECT_EQ(json["shares"][0]["queues"][1]["broker"], "broker-b");
  EXPECT_EQ(json["shares"][0]["queues"][1]["queue_id"], 7);
  EXPECT_EQ(json["shares"][1]["queues"].size(), 1u);
  EXPECT_EQ(json["balance"]["max_minus_min"], 1);
}

TEST(AllocateTest, JsonHasItsVersionAndTheMovesThatCouldNotBeAvoided) {
  const std::string changes = " --join=1 --leave=pod-0 --rolling-restart";
  const auto one =
      Json("allocate --strategy=averagely --queues=8 --consumers=3" + changes);
  EXPECT_EQ(one["schema_version"], 1);
  EXPECT_EQ(one["join"]["moved"], 5);
  EXPECT_EQ(one["join"]["necessary"], 2);
  EXPECT_EQ(one["leave"]["necessary"], 3);
  EXPECT_EQ(one["rolling_restart"]["moved"], 22);
  EXPECT_EQ(one["rolling_restart"]["necessary"], 14);
  const auto table =
      Json("allocate --strategies=averagely,sticky --queues=8 --consumers=3" +
           changes);
  EXPECT_EQ(table["schema_version"], 1);
  for (const auto& row : table["strategies"]) {
    EXPECT_EQ(row["join"]["necessary_per_queue"]["mean"], 0.25) << row;
    EXPECT_EQ(row["leave"]["necessary_per_queue"]["mean"], 0.375) << row;
  }
  ASSERT_EQ(table["strategies"].size(), 2u);
  const auto& restart = table["strategies"][0]["rolling_restart"];
  EXPECT_EQ(restart["necessary_per_queue"]["mean"], 1.75);
}

TEST(AllocateTest, CsvHasALinePerQueue) {
  EXPECT_EQ(
      Groupsim("allocate --topics=T:2,U:1 --consumers='a\"b' --format=csv").out,
      "consumer,topic,broker,queue_id\n"
      "\"a\"\"b\",T,broker-a,0\n"
      "\"a\"\"b\",T,broker-a,1\n"
      "\"a\"\"b\",U,broker-a,0\n");
}

TEST(AllocateTest, TopicsAreCountedApart) {
  const Ended ended =
      Groupsim("allocate --topics=4 --queues=5 --consumers=c1,c2");
  EXPECT_THAT(ended.out,
              HasSubstr("  c1            12  ############  3 3 3 3"));
  EXPECT_THAT(ended.out,
              HasSubstr("  c2             8  ########      2 2 2 2"));
}

TEST(AllocateTest, AllStrategiesMakeATableAndSayWhatTheyLack) {
  const Ended ended =
      Groupsim("allocate --strategies=all --queues=16 --consumers=4 --join=1");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\n  sticky "));
  EXPECT_THAT(ended.out, HasSubstr("needs loads: give --lags\n"));
  EXPECT_THAT(ended.out, HasSubstr("needs rooms: give --rooms\n"));
  EXPECT_THAT(ended.out, HasSubstr("needs configuration: give --config\n"));
  const Ended more = Groupsim(
      "allocate --strategies=all --queues=16 --consumers=4 --join=1 "
      "--brokers=2 --rooms=2 --lags=5,1 --weights=20,20,20,20 "
      "--config='pod-0:room-0@broker-a#0..3'");
  EXPECT_EQ(more.exit_code, 0) << more.err;
  EXPECT_THAT(more.out, Not(HasSubstr("not run")));
  EXPECT_THAT(more.out,
              AllOf(HasSubstr("cross-room"), HasSubstr("by lag"),
                    HasSubstr("by weight"), HasSubstr("without owner")));
}

TEST(AllocateTest, TrialsAreMeansAndRepeat) {
  const std::string words =
      "allocate --strategies=consistent_hash,sticky --queues=16 --consumers=4 "
      "--leave=any --rolling-restart --trials=3";
  const Ended ended = Groupsim(words);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("means over 3 groups with drawn client"));
  EXPECT_EQ(Groupsim(words).out, ended.out);
  EXPECT_NE(Groupsim(words + " --seed=2").out, ended.out);
  const auto json = Json(words);
  EXPECT_EQ(json["trials"], 3);
  ASSERT_EQ(json["strategies"].size(), 2u);
  EXPECT_EQ(json["strategies"][1]["strategy"], "sticky");
  EXPECT_EQ(json["strategies"][1]["leave"]["moved_per_queue"]["mean"],
            json["strategies"][1]["leave"]["necessary_per_queue"]["mean"]);
  const Ended csv = Groupsim(words + " --format=csv");
  EXPECT_THAT(csv.out, StartsWith("strategy,jain,max_over_mean,"));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 3);
}

TEST(AllocateTest, ASharesArithmeticIsExplained) {
  const Ended ended =
      Groupsim("allocate --queues=64 --consumers=10 --explain=pod-3");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out,
              HasSubstr("64 = 10 * 6 + 4: the first 4 get 7, the others 6"));
  EXPECT_THAT(ended.out, HasSubstr("positions 21 = 3 * 7 to 27"));
  EXPECT_THAT(ended.out, HasSubstr("so pod-3 gets 7 queues: broker-a#21..27"));
}

TEST(AllocateTest, AScenariosGroupCanBeTaken) {
  const std::string path = testing::TempDir() + "/group.textproto";
  std::ofstream(path) << R"(
    broker { name: "broker-a" }
    broker { name: "broker-b" }
    topic { name: "orders" queues_per_broker: 4 }
    group { name: "readers" consumer { name: "pod" count: 3 } }
  )";
  const Ended ended = Groupsim(
      absl::StrCat("allocate --scenario=", path, " --group=readers --join=1"));
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("8 queues of 1 topic on 2 brokers, 3 "));
  EXPECT_THAT(ended.out, HasSubstr("pod-1          3"));
  const Ended wrong =
      Groupsim(absl::StrCat("allocate --scenario=", path, " --group=reader"));
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"readers\"?"));
  EXPECT_EQ(Groupsim("allocate --scenario=/no/such/file").exit_code, 4);
  EXPECT_EQ(
      Groupsim(absl::StrCat("allocate --queues=3 --scenario=", path)).exit_code,
      2);
}

// "topic/broker/queue" to the consumer that has it.
using Owners = std::map<std::string, std::string>;

Owners OwnersInARun(const std::string& path) {
  const auto report = Json(absl::StrCat("run --quiet ", path));
  Owners owners;
  for (const auto& queue : report["groups"][0]["queue"]) {
    if (queue["owners"].empty()) continue;
    EXPECT_EQ(queue["owners"].size(), 1u);
    owners[absl::StrCat(std::string(queue["topic"]), "/",
                        std::string(queue["broker"]), "/",
                        queue["queue"].get<int>())] = queue["owners"][0];
  }
  return owners;
}

Owners OwnersWithoutAClock(const std::string& path) {
  const auto plan = Json(absl::StrCat("allocate --scenario=", path));
  Owners owners;
  for (const auto& share : plan["shares"]) {
    for (const auto& queue : share["queues"]) {
      owners[absl::StrCat(std::string(queue["topic"]), "/",
                          std::string(queue["broker"]), "/",
                          queue["queue_id"].get<int>())] = share["consumer"];
    }
  }
  return owners;
}

TEST(AllocateTest, AScenariosSharesAreThoseOfARun) {
  constexpr char kCluster[] =
      "duration: '60s' broker { name: 'b' room: 'r1' } "
      "broker { name: 'a' room: 'r2' } ";
  const std::vector<std::string> rests = {
      // Fewer queues may be read than written; the eleventh consumer is not the
      // second one.
      "topic { name: 't' write_queues: 9 read_queues: 6 } "
      "group { name: 'g' consumer { name: 'z' count: 11 stagger: '1s' } "
      "consumer { name: 'y' } }",
      // Two topics, each shared out alone, by the group's own strategy.
      "topic { name: 't' queues_per_broker: 3 } "
      "topic { name: 's' queues_per_broker: 2 } "
      "group { name: 'g' subscribe { topic: 's' } subscribe { topic: 't' } "
      "strategy { round_robin {} } consumer { name: 'c' count: 3 } }",
      // Hashes of client ids.
      "topic { name: 't' queues_per_broker: 20 } "
      "group { name: 'g' strategy { consistent_hash { virtual_nodes: 7 } } "
      "consumer { name: 'c' count: 3 stagger: '1500ms' start_at: '2s' } "
      "consumer { name: 'd' client_id: '10.1.100.100@x' } }",
      // Rooms.
      "topic { name: 't' queues_per_broker: 5 } "
      "group { name: 'g' strategy { machine_room_nearby { within { "
      "averagely_by_circle {} } } } consumer { name: 'c' count: 2 room: 'r1' } "
      "consumer { name: 'd' count: 2 room: 'r2' } }",
      // Lists.
      "topic { name: 't' queues_per_broker: 3 } "
      "group { name: 'g' "
      "consumer { name: 'c' strategy { by_config { queues: 'a#0..1' } } } "
      "consumer { name: 'd' strategy { by_config { queues: 'b#*' } } } }",
  };
  for (size_t i = 0; i < rests.size(); ++i) {
    const std::string path = WriteScenario(
        absl::StrCat("shares-", i, ".textproto"), kCluster + rests[i]);
    const Owners owners = OwnersInARun(path);
    EXPECT_THAT(owners, Not(IsEmpty())) << rests[i];
    EXPECT_EQ(OwnersWithoutAClock(path), owners) << rests[i];
  }
}

TEST(AllocateTest, AScenariosJoinersGoOnAsItsConsumersDo) {
  const std::string path = WriteScenario("rooms.textproto", R"(
    broker { name: "a" room: "r1" }
    broker { name: "b" room: "r2" }
    topic { name: "t" queues_per_broker: 4 }
    group {
      name: "g"
      strategy { machine_room_nearby { within { averagely {} } } }
      consumer { name: "c" room: "r1" }
      consumer { name: "d" room: "r2" }
    }
  )");
  const auto json = Json(absl::StrCat("allocate --join=1 --scenario=", path));
  // The joiner is in the first room and takes half of its queues.
  EXPECT_EQ(json["join"]["moved"], 2);
  const Ended explained =
      Groupsim(absl::StrCat("allocate --explain=d --scenario=", path));
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_THAT(explained.out, HasSubstr("so d gets 4 queues: b#0..3"));
  EXPECT_THAT(explained.out, HasSubstr("d has the client id 10.1.100.101@1#0"));
  EXPECT_EQ(
      Groupsim(absl::StrCat("allocate --leave=c --scenario=", path)).exit_code,
      0);
}

TEST(AllocateTest, ConsumersOfAScenarioThatDisagreeHaveNoOneAllocation) {
  const std::string path = WriteScenario("two.textproto", R"(
    topic { name: "t" queues_per_broker: 4 }
    group {
      name: "g"
      consumer { name: "c" }
      consumer { name: "d" strategy { averagely_by_circle {} } }
    }
  )");
  const Ended ended = Groupsim(absl::StrCat("allocate --scenario=", path));
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("c and d do not run the same strategy"));
  EXPECT_EQ(
      Groupsim(absl::StrCat("allocate --strategy=range --scenario=", path))
          .exit_code,
      0);
}

struct BadCase {
  int exit_code;
  std::string words;
  std::string message;
};

TEST(AllocateTest, WrongInputIsRefusedInWords) {
  const std::string group = "--queues=8 --consumers=3 ";
  const std::vector<BadCase> cases = {
      {2, group + "--strategy=avergely",
       "no strategy is called \"avergely\"; did you mean \"averagely\"?"},
      {2, group + "--strategies=sticky,xxxxxxxxx",
       "groupsim list strategies shows all"},
      {2, group + "--strategies=sticky,sticky",
       "the strategy sticky is named twice"},
      {2, group + "--strategy=sticky --strategies=all", "exclude each other"},
      {2, "--consumers=3", "--queues is missing"},
      {2, "--queues=3", "--consumers is missing"},
      {2, group + "--strategy=largest_lag_first",
       "largest_lag_first needs loads: give --lags"},
      {2, group + "--strategy=worst_fit_packing", "give --lags and --weights"},
      {2, group + "--strategies=sticky,machine_room_nearby",
       "machine_room_nearby needs rooms: give --rooms"},
      {2, group + "--strategy=by_config", "give --config"},
      {2, group + "--lags=1,2,3", "--lags has 3 numbers"},
      {2, group + "--lags=1,x", "--lags must be a whole number, not \"x\""},
      {2, group + "--weights=1", "--weights has 1 numbers for 3 consumers"},
      {2, group + "--rooms=pod-9:east",
       "no broker or consumer is called \"pod-9\""},
      {2, group + "--join=0", "--join must be at least 1"},
      {2, group + "--brokers=0", "--brokers must be at least 1"},
      {2, group + "--brokers=-2",
       "--brokers must be a whole number from 1 on, or names, not \"-2\""},
      {2, "--queues=8 --consumers=-2",
       "--consumers must be a whole number from 1 on, or client ids, not "
       "\"-2\""},
      {2, "--queues=8 --consumers=3.5", "or client ids, not \"3.5\""},
      {2, "--queues=8 --consumers=+3", "or client ids, not \"+3\""},
      {2, "--queues=8 --consumers=1e3", "or client ids, not \"1e3\""},
      {2, group + "--trials=0", "--trials must be at least 1"},
      {2, "--queues=8 --consumers=a,b --trials=3", "--consumers as a number"},
      {2, group + "--trials=3 --leave=pod-1", "only --leave=any can leave"},
      {2, group + "--trials=3 --explain=pod-1", "--explain is about one"},
      {2, group + "--inner=sticky --strategy=machine_room_nearby --rooms=2",
       "--inner must be a strategy that needs nothing"},
      {2, "--queues=broker-a --consumers=3", "queues are written as"},
      {2, "--queues=broker-a#3..1 --consumers=3", "queues are written as"},
      {2, "--queues=8 --consumers=$(printf 'a\\377') --format=json",
       "--consumers must be UTF-8 without control characters"},
      {2, "--queues=8 --consumers=\"$(printf 'a\\tb')\"",
       "--consumers must be UTF-8 without control characters"},
      {2, group + "surplus", "allocate takes flags only"},
      {2, group + "--group=g", "--group needs --scenario"},
      {3, "--queues=0 --consumers=3", "there are no queues"},
      {3, "--queues=8 --consumers=0", "there are no consumers"},
      {3, "--queues=8 --consumers=a,b,a", "\"a\" occurs twice"},
      {3, "--queues=8 --consumers=a,,b", "a consumer has no name"},
      {3, "--queues='b#0,b#0' --consumers=3", "\"b#0\" occurs twice"},
      {3, "--topics=T:1,T:1 --consumers=3", "\"T\" occurs twice"},
      {3, "--queues=100001 --consumers=3", "--queues may be at most 100000"},
      {3, "--queues=99999999999999999999 --consumers=3", "at most 100000"},
      {3, "--queues='b#0..2000000000' --consumers=3", "at most 100000"},
      {3, "--topics=1000 --queues=101 --consumers=3", "at most 100000"},
      {3, "--queues=8 --consumers=10001", "at most 10000"},
      {3, group + "--trials=1001", "--trials may be at most 1000"},
      {3, group + "--leave=pod-7", "no consumer is called \"pod-7\""},
      {3, group + "--leave=pod-0,pod-1,pod-2", "nobody is left"},
      {3, group + "--explain=pod-33", "no consumer is called \"pod-33\""},
      {3, group + "--strategy=consistent_hash --virtual-nodes=0",
       "0 virtual nodes"},
  };
  for (const BadCase& bad : cases) {
    const Ended ended = Groupsim(absl::StrCat("allocate ", bad.words));
    EXPECT_EQ(ended.exit_code, bad.exit_code) << bad.words << ended.err;
    EXPECT_THAT(ended.err, StartsWith("groupsim: ")) << bad.words;
    EXPECT_THAT(ended.err, HasSubstr(bad.message)) << bad.words;
    EXPECT_THAT(ended.out, IsEmpty()) << bad.words;
  }
}

// Whoever changes what is printed brings the page up to date with
// tools/docs/refresh_examples.py docs/strategies.md.
TEST(AllocateTest, ThePageAboutStrategiesShowsWhatIsPrinted) {
  constexpr absl::string_view kPrompt = "    $ groupsim ";
  const std::string page = ReadFile("docs/strategies.md");
  const std::vector<std::string> lines = absl::StrSplit(page, '\n');
  int examples = 0;
  for (size_t i = 0; i < lines.size();) {
    absl::string_view words = lines[i++];
    if (!absl::ConsumePrefix(&words, kPrompt)) continue;
    ++examples;
    std::string shown;
    while (i < lines.size() &&
           (lines[i].empty() || absl::StartsWith(lines[i], "    ")) &&
           !absl::StartsWith(lines[i], kPrompt)) {
      absl::StrAppend(&shown, absl::StripPrefix(lines[i++], "    "), "\n");
    }
    const Ended ended = Groupsim(std::string(words));
    EXPECT_EQ(ended.exit_code, 0) << words;
    EXPECT_EQ(absl::StripTrailingAsciiWhitespace(shown),
              absl::StripTrailingAsciiWhitespace(ended.out))
        << words;
  }
  EXPECT_GE(examples, 5);
}

TEST(AllocateTest, HelpShowsEveryFlag) {
  const Ended ended = Groupsim("allocate --help");
  EXPECT_EQ(ended.exit_code, 0);
  for (const char* flag :
       {"--strategy=",       "--strategies=",    "--queues=", "--consumers=",
        "--topics=",         "--brokers=",       "--rooms=",  "--weights=",
        "--lags=",           "--virtual-nodes=", "--inner=",  "--config=",
        "--scenario=",       "--group=",         "--join=",   "--leave=",
        "--rolling-restart", "--trials=",        "--seed=",   "--explain=",
        "--format="}) {
    EXPECT_THAT(ended.out, HasSubstr(flag));
  }
}

TEST(AllocateTest, StrategiesAreListed) {
  const Ended text = Groupsim("list strategies");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, StartsWith("averagely "));
  const auto json = Json("list strategies");
  ASSERT_GE(json["strategies"].size(), 20u);
  EXPECT_EQ(json["strategies"][0]["name"], "averagely");
  EXPECT_EQ(json["strategies"][0]["needs"], "nothing");
  for (const auto& strategy : json["strategies"]) {
    for (const char* key :
         {"name", "origin", "needs", "balance", "stickiness", "does"}) {
      EXPECT_FALSE(strategy[key].get<std::string>().empty()) << strategy;
    }
  }
}

}  // namespace
}  // namespace groupsim
