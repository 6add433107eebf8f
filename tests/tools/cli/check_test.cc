// groupsim check.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/tools/cli/groupsim_process.h"

namespace groupsim {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

// One queue for two consumers, over several lines.
constexpr char kCrowd[] =
    "topic { name: 't' queues_per_broker: 1 }\n"
    "group {\n"
    "  name: 'g'\n"
    "  consumer { name: 'c' count: 2 }\n"
    "}\n";

TEST(CheckTest, AValidScenarioGetsAnEstimate) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const Ended ended = Groupsim("check " + path);
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.err, IsEmpty());
  EXPECT_THAT(ended.out,
              testing::MatchesRegex(
                  ".*/small.textproto: valid, no warnings\n"
                  "  about 500 messages, [0-9,]+ events, [0-9.]+ MiB of "
                  "memory, less than a second\n"));
}

TEST(CheckTest, AWarningIsShownAsACompilerShowsIt) {
  const std::string path = WriteScenario("crowd.textproto", kCrowd);
  const Ended ended = Groupsim("check " + path);
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.err, HasSubstr(absl::StrCat(path, ":4:")));
  EXPECT_THAT(ended.err,
              HasSubstr("warning: group \"g\" has 2 consumers and 1 queue: 1 "
                        "will own none"));
  EXPECT_THAT(ended.err, HasSubstr("more-consumers-than-queues"));
  EXPECT_THAT(ended.err,
              HasSubstr("  at group[0].consumer[0]\n"
                        "  4 |   consumer { name: 'c' count: 2 }\n"));
  EXPECT_THAT(ended.err, HasSubstr("add queues, or run fewer consumers\n"));
  EXPECT_THAT(ended.out, HasSubstr(": valid, 1 warning\n"));
  EXPECT_EQ(Groupsim("check --strict " + path).exit_code, 3);
  // A run is no place for it.
  EXPECT_THAT(Groupsim("run " + path).err, IsEmpty());
}

TEST(CheckTest, ACommentSilencesAWarning) {
  const std::string comment = "# groupsim: allow(more-consumers-than-queues)\n";
  std::string above = kCrowd;
  above.insert(above.find("  consumer"), "  " + comment);
  std::string behind = kCrowd;
  behind.insert(behind.find("\n}\n"),
                " " + comment.substr(0, comment.size() - 1));
  for (const std::string& text : {above, behind, comment + "\n" + kCrowd}) {
    const std::string path = WriteScenario("crowd.textproto", text);
    const Ended ended = Groupsim("check --strict " + path);
    EXPECT_EQ(ended.exit_code, 0) << text;
    EXPECT_THAT(ended.err, IsEmpty()) << text;
  }
  std::string elsewhere = kCrowd;
  elsewhere.insert(elsewhere.find("  name: 'g'"), "  " + comment);
  EXPECT_EQ(
      Groupsim("check --strict " + WriteScenario("crowd.textproto", elsewhere))
          .exit_code,
      3);
}

TEST(CheckTest, ACommentForALintThatThereIsNotIsAWarning) {
  const std::string path = WriteScenario(
      "typo.textproto",
      absl::StrCat("# groupsim: allow(fault-after-ends)\n", kScenario));
  const Ended ended = Groupsim("check " + path);
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.err, HasSubstr(":1:"));
  EXPECT_THAT(ended.err, HasSubstr("warning: "));
  EXPECT_THAT(ended.err, HasSubstr("did you mean \"fault-after-end\"?"));
}

TEST(CheckTest, JsonHasEveryFindingWithItsPlace) {
  const std::string wrong = WriteScenario(
      "wrong.textproto", "duration: '1m'\ngroup { naem: 'g' }\nseed: x\n");
  const std::string crowd = WriteScenario("crowd.textproto", kCrowd);
  const Ended ended = Groupsim(absl::StrCat("check --format=json ", wrong, " ",
                                            crowd, " /nowhere.textproto"));
  EXPECT_EQ(ended.exit_code, 4);
  const json all = json::parse(ended.out);
  EXPECT_EQ(all["schema_version"], 1);
  ASSERT_EQ(all["files"].size(), 3u);
  const json& first = all["files"][0];
  EXPECT_EQ(first["file"], wrong);
  EXPECT_EQ(first["valid"], false);
  EXPECT_FALSE(first.contains("estimate"));
  EXPECT_GE(first["errors"], 2);
  const auto finding_of_name = std::find_if(
      first["findings"].begin(), first["findings"].end(), [](const json& item) {
        return item["message"].get<std::string>().find("naem") !=
               std::string::npos;
      });
  ASSERT_NE(finding_of_name, first["findings"].end());
  const json& finding = *finding_of_name;
  EXPECT_EQ(finding["file"], wrong);
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["line"], 2);
  EXPECT_EQ(finding["column"], 9);
  EXPECT_EQ(finding["end_line"], 2);
  EXPECT_EQ(finding["end_column"], 13);
  EXPECT_EQ(finding["path"], "group[0]");
  EXPECT_EQ(finding["hint"], "did you mean \"name\"?");

  const json& second = all["files"][1];
  EXPECT_EQ(second["valid"], true);
  EXPECT_EQ(second["errors"], 0);
  EXPECT_EQ(second["warnings"], 1);
  EXPECT_EQ(second["findings"][0]["severity"], "warning");
  EXPECT_EQ(second["findings"][0]["lint"], "more-consumers-than-queues");
  EXPECT_GT(second["estimate"]["events"], 0);

  EXPECT_EQ(all["files"][2]["valid"], false);
  EXPECT_THAT(all["files"][2]["unreadable"].get<std::string>(),
              HasSubstr("cannot read /nowhere.textproto"));
  EXPECT_EQ(Groupsim("check --format=json " + wrong).exit_code, 3);
}

TEST(CheckTest, SettingsAreCheckedToo) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  EXPECT_THAT(Groupsim("check --set=duration=20s " + path).out,
              HasSubstr("about 1,000 messages"));
  const Ended wrong = Groupsim("check --set=duraton=20s " + path);
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("--set"));
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"duration\"?"));
}

std::vector<std::string> CatalogFiles() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator("scenarios/catalog")) {
    if (entry.path().extension() == ".textproto") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(CheckTest, TheCatalogIsFreeOfWarnings) {
  std::string words = "check --strict";
  for (const std::string& file : CatalogFiles()) {
    absl::StrAppend(&words, " ", file);
  }
  const Ended ended = Groupsim(words);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.err, IsEmpty());
}

// Neither less than half nor more than twice.
void ExpectAbout(double estimate, double real, const std::string& what) {
  EXPECT_GE(estimate, real / 2) << what;
  EXPECT_LE(estimate, real * 2) << what;
}

TEST(CheckTest, EstimatesAreRightWithinAFactorOfTwo) {
  for (const std::string& file : CatalogFiles()) {
    const Ended checked = Groupsim("check --format=json " + file);
    const Ended ran = Groupsim("run --quiet --format=json " + file);
    ASSERT_EQ(ran.exit_code, 0) << file;
    const json estimate = json::parse(checked.out)["files"][0]["estimate"];
    const json report = json::parse(ran.out);
    double stored = 0;
    for (const json& topic : report["topics"]) {
      // 64-bit numbers are texts in protobuf's JSON.
      stored += std::stod(topic["stored"].get<std::string>());
    }
    ExpectAbout(estimate["messages"], stored, file + ": messages");
    ExpectAbout(
        estimate["events"],
        std::stod(report["fingerprints"]["event_count"].get<std::string>()),
        file + ": events");
    ExpectAbout(estimate["memory_bytes"],
                static_cast<double>(ran.peak_memory_bytes), file + ": memory");
  }
}

TEST(CheckTest, EstimatesKnowOfCrowdsAndOfWhatGrows) {
  const std::string crowd =
      WriteScenario("many.textproto",
                    "duration: '2s' topic { name: 't' queues_per_broker: 100 } "
                    "group { name: 'g' consumer { name: 'c' count: 700 } }");
  const std::string growing = WriteScenario(
      "growing.textproto",
      "duration: '20s' topic { name: 't' queues_per_broker: 1 } "
      "producer { rate { per_second: 10 } } "
      "group { name: 'g' consumer { name: 'c' count: 1 } } "
      "at { time: '5s' scale { consumer: 'c' to: 600 } } "
      "at { time: '6s' add_queues { topic: 't' queues: 4000 } } "
      "at { time: '10s' change_rate { rate { per_second: 20000 } } }");
  for (const std::string& file : {crowd, growing}) {
    const Ended checked = Groupsim("check --format=json " + file);
    const Ended ran = Groupsim("run --quiet --format=json " + file);
    ASSERT_EQ(ran.exit_code, 0) << file;
    const json estimate = json::parse(checked.out)["files"][0]["estimate"];
    const json report = json::parse(ran.out);
    double stored = 0;
    for (const json& topic : report["topics"]) {
      stored += std::stod(topic["stored"].get<std::string>());
    }
    ExpectAbout(estimate["messages"], stored, file + ": messages");
    ExpectAbout(estimate["memory_bytes"],
                static_cast<double>(ran.peak_memory_bytes), file + ": memory");
  }
}

// Listeners that fail, hang, or hold an orderly queue up.
TEST(CheckTest, EstimatesKnowOfWhatFails) {
  const std::string traffic =
      "duration: '2m' topic { name: 't' queues_per_broker: 4 } "
      "producer { rate { per_second: 500 } until: '1m' } ";
  int number = 0;
  for (const std::string group :
       {"listener { fails { times: 1 } } consumer { name: 'c' count: 4 }",
        "listener { fails { delay_level: -1 } } consumer { name: 'c' }",
        "listener { fails { how: HANG lasts: '1ms' } } consumer { name: 'c' }",
        "listener { fails { how: HANG } } consumer { name: 'c' }",
        "consumer { name: 'c' count: 2 listener { fails { times: 2 } } }",
        "listener { fails {} } consumer { name: 'c' count: 4 }",
        "consume { mode: ORDERLY } listener { service_time { constant: '10ms' "
        "} } consumer { name: 'c' }",
        "consume { mode: ORDERLY } listener { fails { per_mille_of_messages: "
        "10 } } consumer { name: 'c' }",
        "consume { mode: ORDERLY } listener { fails { times: 1 } } consumer { "
        "name: 'c' }"}) {
    const std::string file =
        WriteScenario(absl::StrCat("failing", number++, ".textproto"),
                      absl::StrCat(traffic, "group { name: 'g' ", group, " }"));
    const Ended checked = Groupsim("check --format=json " + file);
    const Ended ran = Groupsim("run --quiet --format=json " + file);
    ASSERT_EQ(ran.exit_code, 0) << group;
    const json estimate = json::parse(checked.out)["files"][0]["estimate"];
    const json report = json::parse(ran.out);
    ExpectAbout(
        estimate["events"],
        std::stod(report["fingerprints"]["event_count"].get<std::string>()),
        group + ": events");
    ExpectAbout(estimate["memory_bytes"],
                static_cast<double>(ran.peak_memory_bytes), group + ": memory");
    ExpectAbout(
        estimate["deliveries"],
        std::stod(
            report["groups"][0]["metrics"]["deliveries"].get<std::string>()),
        group + ": deliveries");
  }
}

TEST(CheckTest, ACommentThatSilencesNothingIsAWarning) {
  const std::string path = WriteScenario(
      "idle.textproto",
      absl::StrCat("# groupsim: allow(fault-after-end)\n", kScenario));
  const Ended ended = Groupsim("check --strict " + path);
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_THAT(ended.err, HasSubstr(":1:19: warning: there is nothing to allow: "
                                   "\"fault-after-end\" does not warn here "
                                   "[unused-allow]\n"));
}

}  // namespace
}  // namespace groupsim
