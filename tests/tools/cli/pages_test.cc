// The front page and the walk show what groupsim prints now.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <set>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "scenarios/runner/runner.h"
#include "tests/tools/cli/groupsim_process.h"
#include "tools/cli/scenario_files.h"

namespace groupsim {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

constexpr absl::string_view kProgramOfPages = "tools/groupsim ";

// Lines of a page from the heading to the next one of its kind.
Lines SectionOf(const std::string& page, const std::string& heading) {
  Lines lines;
  bool inside = false;
  for (const absl::string_view line : absl::StrSplit(page, '\n')) {
    if (absl::StartsWith(line, "## ")) inside = line == heading;
    if (inside) lines.emplace_back(line);
  }
  EXPECT_FALSE(lines.empty()) << heading;
  return lines;
}

// Texts set in by four columns, with the empty lines inside them.
std::vector<Lines> BlocksOf(const Lines& section) {
  std::vector<Lines> blocks;
  bool inside = false;
  for (const std::string& line : section) {
    const bool in = absl::StartsWith(line, "    ");
    if (in && !inside) blocks.emplace_back();
    if (in || line.empty()) {
      if (!blocks.empty() && (in || inside)) {
        blocks.back().push_back(in ? line.substr(4) : "");
      }
    }
    inside = in || (inside && line.empty());
  }
  return blocks;
}

std::string TextOf(const Lines& lines) {
  std::string text = absl::StrJoin(lines, "\n");
  absl::StripTrailingAsciiWhitespace(&text);
  return text;
}

// What groupsim prints for the words behind "tools/groupsim".
std::string Printed(absl::string_view words) {
  const Ended ended = Groupsim(std::string(words));
  EXPECT_EQ(ended.exit_code, 0) << words << ended.err;
  return std::string(absl::StripTrailingAsciiWhitespace(ended.out));
}

TEST(ReadmeTest, TheFirstRunPrintsWhatIsShown) {
  const std::string page = ReadFile("README.md");
  std::string command;
  for (const Lines& block : BlocksOf(SectionOf(page, "## Two commands"))) {
    if (absl::StartsWith(block[0], kProgramOfPages)) command = block[0];
  }
  const std::vector<Lines> shown =
      BlocksOf(SectionOf(page, "## What the first one prints"));
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(Printed(absl::StripPrefix(command, kProgramOfPages)),
            TextOf(shown[0]));
}

TEST(ReadmeTest, TheScenariosShownAreValid) {
  const std::string page = ReadFile("README.md");
  int scenarios = 0;
  for (const Lines& block :
       BlocksOf(SectionOf(page, "## A scenario of your own"))) {
    if (absl::StartsWith(block[0], kProgramOfPages)) continue;
    const std::string path = WriteScenario(
        absl::StrCat(++scenarios, ".textproto"), TextOf(block) + "\n");
    Printed(absl::StrCat("check --strict ", path));
    Printed(absl::StrCat("run ", path));
  }
  EXPECT_EQ(scenarios, 2);
}

TEST(ReadmeTest, EveryCommandShownCanBeRun) {
  const std::string page = ReadFile("README.md");
  const std::string path = WriteScenario("small.textproto", kScenario);
  const std::string folder = absl::StrCat(path, ".out");
  int commands = 0;
  for (const Lines& block :
       BlocksOf(SectionOf(page, "## A scenario of your own"))) {
    for (absl::string_view line : block) {
      if (!absl::ConsumePrefix(&line, kProgramOfPages)) continue;
      ++commands;
      // Words of the page behind two blanks explain.
      const absl::string_view words = line.substr(0, line.find("  "));
      Printed(absl::StrReplaceAll(
          absl::StripSuffix(words, " the report as JSON, and every fact"),
          {{"FILE", path},
           {"PATH=VALUE", "duration=5s"},
           {"--out=out", absl::StrCat("--out=", folder)}}));
    }
  }
  EXPECT_GE(commands, 8);
}

TEST(ReadmeTest, TheComparisonOfStrategiesPrintsWhatIsShown) {
  const std::vector<Lines> blocks = BlocksOf(
      SectionOf(ReadFile("README.md"), "## Comparing allocation strategies"));
  ASSERT_EQ(blocks.size(), 1u);
  Lines shown = blocks[0];
  std::string command = shown[0];
  shown.erase(shown.begin());
  while (absl::EndsWith(command, "\\")) {
    command.pop_back();
    absl::StrAppend(&command, absl::StripLeadingAsciiWhitespace(shown[0]));
    shown.erase(shown.begin());
  }
  while (shown[0].empty()) shown.erase(shown.begin());
  EXPECT_EQ(Printed(absl::StripPrefix(command, kProgramOfPages)),
            TextOf(shown));
}

// ---- The walk ----

constexpr int64_t kMicro = 1'000;

// "120.000250  MEMBER_REMOVED    broker-b   unregistered".
struct ShownFact {
  std::string line;
  int64_t micros = 0;
  std::string kind;
  std::string host;
  std::optional<std::string> broker;
  std::optional<int64_t> queue;
  std::optional<int64_t> offset;
};

std::optional<ShownFact> FactOf(const std::string& line) {
  const Lines words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  ShownFact fact;
  double seconds = 0;
  if (words.size() < 3 || words[0].find('.') == std::string::npos ||
      !absl::SimpleAtod(words[0], &seconds) || words[1] == "...") {
    return std::nullopt;
  }
  fact.line = line;
  fact.micros = static_cast<int64_t>(seconds * 1e6 + 0.5);
  fact.kind = words[1];
  fact.host = words[2];
  for (size_t i = 3; i + 1 < words.size(); ++i) {
    int64_t number = 0;
    const absl::string_view digits = absl::StripSuffix(words[i + 1], ",");
    if (!absl::SimpleAtoi(absl::StripSuffix(digits, ";"), &number)) continue;
    if (absl::StartsWith(words[i], "broker-")) {
      fact.broker = words[i];
      fact.queue = number;
    }
    if (words[i] == "offset") fact.offset = number;
  }
  return fact;
}

bool IsThat(const json& event, const ShownFact& shown) {
  return event["time"].get<int64_t>() / kMicro == shown.micros &&
         event["kind"] == shown.kind && event["host"] == shown.host &&
         (!shown.broker || event.value("broker", "") == *shown.broker) &&
         (!shown.queue || event.value("queue", int64_t{0}) == *shown.queue) &&
         (!shown.offset || event.value("offset", int64_t{0}) == *shown.offset);
}

// Keeps the events at some times.
class EventsAt final : public std::streambuf {
 public:
  explicit EventsAt(std::set<int64_t> micros) : micros_(std::move(micros)) {}

  const std::vector<json>& events() const { return events_; }

 protected:
  int overflow(int c) override {
    if (c != '\n') {
      line_ += static_cast<char>(c);
      return c;
    }
    absl::string_view rest = line_;
    int64_t nanos = 0;
    if (absl::ConsumePrefix(&rest, "{\"time\":") &&
        absl::SimpleAtoi(rest.substr(0, rest.find(',')), &nanos) &&
        micros_.contains(nanos / kMicro)) {
      events_.push_back(json::parse(line_));
    }
    line_.clear();
    return c;
  }

 private:
  const std::set<int64_t> micros_;
  std::string line_;
  std::vector<json> events_;
};

// How many facts there are, each of which must happen in a run of the scenario.
size_t CheckFacts(const std::string& path,
                  const std::vector<ShownFact>& facts) {
  std::set<int64_t> micros;
  for (const ShownFact& fact : facts) micros.insert(fact.micros);
  if (micros.empty()) return 0;
  // What comes later changes nothing before.
  const absl::StatusOr<Reading> reading = ReadScenarioFile(
      path, {absl::StrCat("duration=", *micros.rbegin() / 1'000'000 + 1, "s")});
  EXPECT_TRUE(reading.ok() && reading->ok()) << path;
  if (!reading.ok() || !reading->ok()) return 0;
  EventsAt found(std::move(micros));
  std::ostream log(&found);
  RunOptions options;
  options.event_log = &log;
  RunScenario(reading->scenario, options);
  for (const ShownFact& fact : facts) {
    bool happened = false;
    for (const json& event : found.events()) {
      happened = happened || IsThat(event, fact);
    }
    EXPECT_TRUE(happened) << path << ": " << fact.line;
  }
  return facts.size();
}

TEST(WalkTest, TheFactsShownHappen) {
  constexpr absl::string_view kRun = "tools/groupsim run --events --out=out ";
  std::string path;
  std::vector<ShownFact> facts;
  size_t shown = 0;
  int runs = 0;
  const std::string page = ReadFile("docs/walk.md");
  for (absl::string_view line : absl::StrSplit(page, '\n')) {
    if (!absl::ConsumePrefix(&line, "    ")) continue;
    if (absl::ConsumePrefix(&line, kRun)) {
      shown += CheckFacts(path, facts);
      facts.clear();
      path = std::string(line);
      ++runs;
    } else if (std::optional<ShownFact> fact = FactOf(std::string(line))) {
      facts.push_back(*std::move(fact));
    }
  }
  shown += CheckFacts(path, facts);
  EXPECT_EQ(runs, 2);
  EXPECT_GE(shown, 20u);
}

}  // namespace
}  // namespace groupsim
