// groupsim as a user meets it: another process, its output, its exit code.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/json_util.h"
#include "gtest/gtest.h"
#include "scenarios/schema/report.pb.h"
#include "scenarios/schema/scenario.pb.h"
#include "tests/tools/cli/groupsim_process.h"

namespace groupsim {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(CliTest, AloneItLeadsToAFirstRun) {
  const Ended ended = Groupsim("");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 5);
  EXPECT_THAT(ended.out,
              HasSubstr("groupsim run scenarios/catalog/rolling_restart"));
  EXPECT_THAT(ended.err, IsEmpty());
}

TEST(CliTest, HelpOfACommandListsOnlyItsFlags) {
  for (const std::string words :
       {"help run", "run --help", "run -h", "run --help none.textproto"}) {
    const Ended ended = Groupsim(words);
    EXPECT_EQ(ended.exit_code, 0) << words;
    EXPECT_THAT(ended.out, HasSubstr("--seeds=A..B")) << words;
    EXPECT_THAT(ended.out, Not(HasSubstr("--update"))) << words;
  }
  EXPECT_THAT(Groupsim("help").out, HasSubstr("verify FILE..."));
  EXPECT_THAT(Groupsim("help exit-codes").out, HasSubstr("130  interrupted"));
  EXPECT_THAT(Groupsim("help concepts").out, HasSubstr("fingerprints"));
}

TEST(CliTest, WrongUsageNamesTheNearestRightOne) {
  struct Case {
    std::string words;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"rnu", "groupsim: no command \"rnu\"; did you mean \"run\"?\n"},
      {"run --sede=1 x",
       "groupsim: no flag \"--sede\"; did you mean "
       "\"--seed\"?\n"},
      {"--seed=1 run x",
       "groupsim: flags come after the command, not before "
       "it: \"--seed=1\"\n"},
      {"run", "groupsim: run needs the file of a scenario\n"},
      {"run --seed=1 --seeds=1..2 x",
       "groupsim: --seed and --seeds exclude each other\n"},
      {"run --events x", "groupsim: --events needs --out"},
      {"list metric",
       "groupsim: there is no list of \"metric\"; did you mean "
       "\"metrics\"?\n"},
      {"list", "groupsim: list needs one of scenarios, "},
      {"help rum", "groupsim: no help about \"rum\"; did you mean \"run\"?\n"},
      {"verify", "groupsim: verify needs the file of a scenario\n"},
  };
  for (const Case& wrong : cases) {
    const Ended ended = Groupsim(wrong.words);
    EXPECT_EQ(ended.exit_code, 2) << wrong.words;
    EXPECT_THAT(ended.err, StartsWith(wrong.message)) << wrong.words;
    EXPECT_THAT(ended.out, IsEmpty()) << wrong.words;
  }
}

TEST(CliTest, WhatCannotBeReadIsAFileError) {
  EXPECT_EQ(Groupsim("run /nowhere.textproto").exit_code, 4);
  EXPECT_EQ(Groupsim("run /nowhere.textproto").err,
            "groupsim: cannot read /nowhere.textproto: No such file or "
            "directory\n");
  EXPECT_EQ(Groupsim("run " + testing::TempDir()).exit_code, 4);
  if (geteuid() != 0) {
    const std::string path = WriteScenario("secret.textproto", kScenario);
    std::filesystem::permissions(path, std::filesystem::perms::none);
    EXPECT_EQ(Groupsim("run " + path).exit_code, 4);
  }
}

TEST(CliTest, InvalidInputIsRefusedAndNothingIsWritten) {
  std::string nested;
  for (int i = 0; i < 10'000'000; i += 6) nested += "group{";
  const std::vector<std::string> texts = {
      "",
      std::string("\0\1\2\3\xff", 5),
      "{ \"seed\": 1 }",
      nested,
      "group { name: 'g' consumer { name: 'c' count: 1000000000 } }",
      "duration: '0s' group { name: 'g' consumer { name: 'c' } }",
      "topic { name: 't' queues_per_broker: 0 } producer { rate { per_second: "
      "1 } }",
      "duration: '-5s' producer { rate { per_second: 1 } }",
      "producer { rate { per_second: 99999999999999999999 } }",
      "prodcuer { }",
  };
  const std::string out = testing::TempDir() + "/must_not_exist";
  for (const std::string& text : texts) {
    const std::string path = WriteScenario("wrong.textproto", text);
    const auto begin = std::chrono::steady_clock::now();
    const Ended ended = Groupsim(absl::StrCat("run --out=", out, " ", path));
    EXPECT_EQ(ended.exit_code, 3) << text.substr(0, 80);
    EXPECT_THAT(ended.out, IsEmpty());
    EXPECT_THAT(ended.err, StartsWith(path));
    EXPECT_THAT(ended.err, HasSubstr("error: "));
    EXPECT_FALSE(std::filesystem::exists(out));
    // A second on a quiet machine.
    EXPECT_LT(std::chrono::steady_clock::now() - begin,
              std::chrono::seconds(30));
  }
}

TEST(CliTest, ARunPrintsTheSameEveryTime) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const Ended first = Groupsim("run " + path);
  EXPECT_EQ(first.exit_code, 0) << first.err << first.out;
  EXPECT_THAT(first.err, IsEmpty());
  EXPECT_THAT(first.out, StartsWith("small.textproto   seed 1"));
  EXPECT_THAT(first.out,
              EndsWith(absl::StrCat("groupsim run --seed=1 ", path, "\n")));
  EXPECT_EQ(Groupsim("run " + path).out, first.out);
  EXPECT_EQ(Groupsim("run --seed=1 " + path).out, first.out);
  EXPECT_NE(Groupsim("run --seed=2 " + path).out, first.out);
}

TEST(CliTest, TheVerdictIsTheExitCode) {
  const std::string failed =
      WriteScenario("failed.textproto",
                    absl::StrCat(kScenario, "expect { lost { at_least: 1 } }"));
  EXPECT_EQ(Groupsim("run " + failed).exit_code, 1);
  const std::string vacuous = WriteScenario(
      "vacuous.textproto",
      absl::StrCat(kScenario, "at { time: '5s' start { consumer: 'c-0' } }"));
  EXPECT_EQ(Groupsim("run " + vacuous).exit_code, 6);
  const Ended both = Groupsim(absl::StrCat("run ", failed, " ", vacuous));
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_THAT(both.out, HasSubstr("failed.textproto   seed 1"));
  EXPECT_THAT(both.out, HasSubstr("\nvacuous.textproto   seed 1"));
}

TEST(CliTest, JsonIsTheReport) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const Ended one = Groupsim("run --format=json " + path);
  Report report;
  ASSERT_TRUE(
      google::protobuf::util::JsonStringToMessage(one.out, &report).ok());
  EXPECT_EQ(report.schema_version(), 1);
  EXPECT_EQ(report.run().seed(), 1);
  EXPECT_EQ(report.verdict(), Report::PASSED);
  EXPECT_EQ(report.groups(0).name(), "g");
  const Ended several = Groupsim("run --format=json --seeds=1..2 " + path);
  EXPECT_THAT(several.out, StartsWith("[\n{\n"));
  EXPECT_THAT(several.out, EndsWith("}\n]\n"));
}

TEST(CliTest, SeveralSeedsGiveOneTable) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const Ended ended = Groupsim("run --seeds=3..5 " + path);
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, StartsWith("small.textproto   seeds 3 to 5\n"));
  EXPECT_THAT(ended.out, Not(HasSubstr("timeline")));
}

TEST(CliTest, FilesOfOneRunLieInTheFolderAndOfSeveralInTheirOwn) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const std::string folder =
      std::filesystem::path(path).parent_path().string() + "/out";
  ASSERT_EQ(Groupsim(absl::StrCat("run --events --out=", folder, " ", path))
                .exit_code,
            0);
  Report report;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(
                  ReadFile(folder + "/result.json"), &report)
                  .ok());
  Report binary;
  ASSERT_TRUE(binary.ParseFromString(ReadFile(folder + "/result.binpb")));
  EXPECT_EQ(report.SerializeAsString(), binary.SerializeAsString());
  const std::string events = ReadFile(folder + "/events.jsonl");
  EXPECT_EQ(std::count(events.begin(), events.end(), '\n'),
            report.fingerprints().fact_count());
  EXPECT_THAT(events, StartsWith("{\"time\":"));
  // Nothing of the writing is left.
  int files = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(folder)) {
    ++files;
  }
  EXPECT_EQ(files, 4);

  ASSERT_EQ(Groupsim(absl::StrCat("run --seeds=4..5 --out=", folder, " ", path))
                .exit_code,
            0);
  EXPECT_TRUE(std::filesystem::exists(folder + "/small/seed-4/result.json"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/small/seed-5/result.binpb"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/small/seed-5/junit.xml"));
}

TEST(CliTest, WhatCannotBeWrittenIsAFileError) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const Ended in_the_way =
      Groupsim(absl::StrCat("run --out=", path, " ", path));
  EXPECT_EQ(in_the_way.exit_code, 4);
  EXPECT_THAT(in_the_way.err, HasSubstr("cannot make the folder"));
  const int status = system(
      absl::StrCat(kProgram, " run ", path, " >/dev/full 2>/dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 4);
}

TEST(CliTest, InterruptedItEndsWith130AndLeavesNothing) {
  const std::string path =
      WriteScenario("long.textproto",
                    "duration: '30d' producer { rate { every: '20ms' } } "
                    "group { name: 'g' consumer { name: 'c' count: 50 } }");
  const std::string folder =
      std::filesystem::path(path).parent_path().string() + "/out";
  const pid_t process = fork();
  if (process == 0) {
    const std::string out = "--out=" + folder;
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execl(kProgram, kProgram, "run", "--events", out.c_str(), path.c_str(),
          nullptr);
    _exit(127);
  }
  while (!std::filesystem::exists(folder)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(waitpid(process, nullptr, WNOHANG), 0);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(process, SIGINT);
  int status = 0;
  waitpid(process, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(CliTest, VerifyComparesTwoRunsAndTheGoldenFile) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const std::string golden =
      std::filesystem::path(path).parent_path().string() + "/golden";
  std::filesystem::create_directories(golden);
  const std::string verify =
      absl::StrCat("verify --golden=", golden, " ", path);
  const Ended without = Groupsim(verify);
  EXPECT_EQ(without.exit_code, 0) << without.err;
  EXPECT_THAT(without.out, HasSubstr("two runs are the same"));
  EXPECT_THAT(without.out, HasSubstr("no golden file"));

  EXPECT_THAT(Groupsim(verify + " --update").out, HasSubstr("written"));
  const Ended same = Groupsim(verify);
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_THAT(same.out, HasSubstr("as in " + golden + "/small.txt"));

  WriteScenario("small.textproto",
                absl::StrCat("title: 'the same' cpus: 4", kScenario));
  EXPECT_EQ(Groupsim(verify).exit_code, 0);
  std::string other = kScenario;
  other.replace(other.find("50"), 2, "40");
  WriteScenario("small.textproto", other);
  const Ended differs = Groupsim(verify);
  EXPECT_EQ(differs.exit_code, 5);
  EXPECT_THAT(differs.out, HasSubstr("not as in"));
  EXPECT_THAT(differs.out, HasSubstr("metric g stored 500 -> 400"));

  const Ended updated = Groupsim(verify + " --update");
  EXPECT_EQ(updated.exit_code, 0);
  EXPECT_THAT(updated.out, HasSubstr("updated"));
  EXPECT_THAT(updated.out, HasSubstr("fact STORED 500 -> 400"));
  EXPECT_EQ(Groupsim(verify).exit_code, 0);
}

TEST(CliTest, VerifyPassesOnWhatIsWrongWithAFile) {
  EXPECT_EQ(Groupsim("verify /nowhere.textproto").exit_code, 4);
  const std::string path = WriteScenario("wrong.textproto", "seed: x");
  EXPECT_EQ(Groupsim("verify " + path).exit_code, 3);
}

TEST(CliTest, ListsNameWhatThereIs) {
  EXPECT_THAT(Groupsim("list scenarios").out, HasSubstr("rolling_restart"));
  EXPECT_THAT(Groupsim("list metrics").out, HasSubstr("unowned_queue_seconds"));
  EXPECT_THAT(Groupsim("list facts").out, HasSubstr("QUEUE_ADDED"));
  EXPECT_THAT(Groupsim("list facts --format=json").out,
              StartsWith("{\n  \"schema_version\": 1,\n  \"facts\": ["));
}

}  // namespace
}  // namespace groupsim
