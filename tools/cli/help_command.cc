// groupsim help: commands, exit codes, concepts.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "scenarios/reader/finding.h"
#include "tools/cli/command.h"
#include "tools/cli/console.h"

namespace groupsim {
namespace {

std::string CommandList() {
  std::string text;
  for (const Command& command : AllCommands()) {
    absl::StrAppendFormat(
        &text, "  %-16s %s\n",
        absl::StrCat(command.name, command.arguments.empty() ? "" : " ",
                     command.arguments),
        command.summary);
  }
  return text;
}

std::string ExitCodesText() {
  std::string text;
  for (const ExitCodeInfo& info : AllExitCodes()) {
    absl::StrAppendFormat(&text, "%3d  %s\n", static_cast<int>(info.code),
                          info.meaning);
  }
  absl::StrAppend(&text,
                  "\nOf several runs the first of these counts: 70, 130, 4, 3, "
                  "5, 1, 6, 0.\n");
  return text;
}

std::string ConceptsText() {
  return R"(A scenario is a file that says which brokers, name servers, topics, producers
and consumers there are, what traffic flows, what goes wrong when, and what must
hold then. Its fields, with units, defaults and limits, are those of
scenarios/schema/scenario.proto.

A run plays it on a virtual clock. The same scenario, seed and version give the
same facts in the same order, on any machine.

A fact is one thing that happened: a message was delivered, a queue changed its
owner (groupsim list facts). Every number of a report is counted from facts.

Two fingerprints stand for a run: of its facts, and of its schedule, the events
inside the simulator. Equal fingerprints mean equal runs.

A run passes if every expectation holds. It is vacuous if something that should
have been tested did not happen, such as the crash of a consumer that did not
run.
)";
}

struct Topic {
  absl::string_view name;
  std::string (*text)();
};

constexpr Topic kTopics[] = {{"concepts", &ConceptsText},
                             {"exit-codes", &ExitCodesText}};

std::string Overview() {
  return absl::StrCat(
      "groupsim rehearses what a consumer group of Apache RocketMQ will do.\n\n"
      "  groupsim COMMAND [--flag=value...] [FILE...]\n\nCommands:\n",
      CommandList(),
      "\ngroupsim help COMMAND lists its flags. Further topics: help concepts, "
      "help exit-codes.\n");
}

}  // namespace

std::string HelpOf(const Command& command) {
  std::string text =
      absl::StrCat("groupsim ", command.name, " [--flag=value...]",
                   command.arguments.empty() ? "" : " ", command.arguments,
                   "\n\n", command.summary, ".\n");
  if (!command.details.empty()) {
    absl::StrAppend(&text, "\n", command.details, "\n");
  }
  absl::StrAppend(&text, "\nFlags:\n");
  const Flags flags(command.flags());
  for (const FlagInfo& flag : flags.known()) {
    absl::StrAppendFormat(
        &text, "  %-16s %s\n",
        absl::StrCat("--", flag.name, flag.value.empty() ? "" : "=",
                     flag.value),
        flag.help);
  }
  return text;
}

std::vector<FlagInfo> HelpFlags() { return {}; }

ExitCode RunHelp(const Flags&, const std::vector<std::string>& topics) {
  if (topics.empty()) return PrintResult(Overview());
  if (topics.size() > 1) {
    return PrintUsageError("", "help explains one topic at a time");
  }
  std::vector<absl::string_view> names;
  for (const Command& command : AllCommands()) {
    if (command.name == topics[0]) return PrintResult(HelpOf(command));
    names.push_back(command.name);
  }
  for (const Topic& topic : kTopics) {
    if (topic.name == topics[0]) return PrintResult(topic.text());
    names.push_back(topic.name);
  }
  const std::string hint = DidYouMean(NearestName(topics[0], names));
  return PrintUsageError("", absl::StrCat("no help about ", Quote(topics[0]),
                                          hint.empty() ? "" : "; ", hint));
}

}  // namespace groupsim
