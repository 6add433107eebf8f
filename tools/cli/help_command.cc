// groupsim help: commands and topics.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "scenarios/reader/finding.h"
#include "tools/cli/command.h"
#include "tools/cli/console.h"
#include "tools/cli/help_topics.h"

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

std::string TopicList() {
  std::string text;
  for (const HelpTopic& topic : AllHelpTopics()) {
    absl::StrAppendFormat(&text, "  %-16s %s\n", topic.name, topic.about);
  }
  return text;
}

std::string Overview() {
  return absl::StrCat(
      "groupsim rehearses what a consumer group of Apache RocketMQ will do.\n\n"
      "  groupsim COMMAND [--flag=value...] [FILE...]\n\nCommands:\n",
      CommandList(), "\nTopics:\n", TopicList(),
      "\ngroupsim help COMMAND lists its flags, groupsim help TOPIC "
      "explains.\n");
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
  for (const HelpTopic& topic : AllHelpTopics()) {
    if (topic.name == topics[0]) return PrintResult(topic.text());
    names.push_back(topic.name);
  }
  const std::string hint = DidYouMean(NearestName(topics[0], names));
  return PrintUsageError("", absl::StrCat("no help about ", Quote(topics[0]),
                                          hint.empty() ? "" : "; ", hint));
}

}  // namespace groupsim
