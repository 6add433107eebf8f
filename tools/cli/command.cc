#include "tools/cli/command.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "scenarios/reader/finding.h"
#include "scenarios/runner/runner.h"
#include "tools/cli/console.h"

namespace groupsim {
namespace {

constexpr Command kCommands[] = {
    {.name = "run",
     .arguments = "FILE...",
     .summary = "Simulate scenarios, judge what they expect, print a summary",
     .details = "With one run, --format=json prints one report; with several, "
                "a list of them.\n"
                "Files of --out are there all or none; groupsim help events "
                "explains events.jsonl.",
     .flags = &RunFlags,
     .run = &RunRun},
    {.name = "check",
     .arguments = "FILE...",
     .summary = "Tell what is wrong with scenarios, and what a run will cost",
     .details =
         "Simulates nothing. Errors and warnings go to standard error, or "
         "with\n"
         "--format=json to standard output; groupsim help lints explains the "
         "warnings.\nThe time is that of one core of an ordinary machine.",
     .flags = &CheckFlags,
     .run = &RunCheck},
    {.name = "compare",
     .arguments = "FILE",
     .summary = "Run a scenario under several strategies or settings",
     .details =
         "  groupsim compare --strategies=averagely,consistent_hash FILE\n"
         "  groupsim compare --vary=group[0].consumer[0].count=4,8,16 FILE\n\n"
         "Each variant runs with the same seeds. A strategy is given to "
         "every\nconsumer of all groups, also to one that the scenario gives "
         "another; with\n--strategies=all those that cannot be run are left "
         "out, with the reason. The\ncolumn \"passed\" counts the runs whose "
         "expectations held, which does not\nconcern the exit code.",
     .flags = &CompareFlags,
     .run = &RunCompare},
    {.name = "verify",
     .arguments = "FILE...",
     .summary = "Run twice in separate processes and compare, also with the "
                "golden file",
     .details =
         "The golden file of a scenario is tests/golden/NAME.txt under the "
         "nearest\nfolder around it that has a tests/golden, else "
         "NAME.golden.txt beside it.",
     .flags = &VerifyFlags,
     .run = &RunVerify},
    {.name = "allocate",
     .arguments = "",
     .summary = "Share out queues by allocation strategies, without a clock",
     .details =
         "  groupsim allocate --strategy=averagely --queues=64 --consumers=10\n"
         "  groupsim allocate --strategies=all --queues=64 --consumers=10 "
         "--join=1\n\n"
         "Strategies sort consumers by client id. Those given by number have "
         "the ids pod-0,\npod-1 and so on, and so have those who join them; "
         "who joins named ones is called\njoiner-0 and so on and sorted in. "
         "Those who restart keep their ids. With --trials\neach group has "
         "client ids as RocketMQ's clients make them, and a new one after\n"
         "each restart. With --scenario, queues, consumers, rooms and the "
         "strategy are those\nthat a run has once all consumers of the "
         "scenario have started; joiners have the\naddresses behind "
         "theirs.\nBrokers called ROOM@NAME are in "
         "that room, as by_machine_room wants it.\ngroupsim list strategies "
         "shows all strategies and what they need.",
     .flags = &AllocateFlags,
     .run = &RunAllocate},
    {.name = "list",
     .arguments = "WHAT",
     .summary = "List scenarios (of the catalog), strategies, actions, faults, "
                "metrics, lints or facts",
     .details = "",
     .flags = &ListFlags,
     .run = &RunList},
    {.name = "help",
     .arguments = "[TOPIC]",
     .summary = "Explain a command or a topic",
     .details = "",
     .flags = &HelpFlags,
     .run = &RunHelp},
};

constexpr absl::string_view kFirstLines =
    "groupsim rehearses what a consumer group of Apache RocketMQ will do.\n"
    "\n"
    "  groupsim run scenarios/catalog/rolling_restart.textproto\n"
    "  groupsim list scenarios   more of them, one question each\n"
    "  groupsim help             all commands\n";

}  // namespace

absl::Span<const Command> AllCommands() { return kCommands; }

ExitCode RunCommandLine(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return PrintResult(kFirstLines);
  const std::string& first = arguments[0];
  if (first == "--help" || first == "-h") return RunHelp(Flags({}), {});
  if (first == "--version") {
    return PrintResult(absl::StrCat("groupsim ", kVersion, "\n"));
  }
  if (absl::StartsWith(first, "-")) {
    return PrintUsageError("", absl::StrCat("flags come after the command, not "
                                            "before it: ",
                                            Quote(first)));
  }
  std::vector<absl::string_view> names;
  for (const Command& command : kCommands) {
    names.push_back(command.name);
    if (command.name != first) continue;
    Flags flags(command.flags());
    const absl::StatusOr<std::vector<std::string>> rest =
        flags.Parse(absl::MakeConstSpan(arguments).subspan(1));
    if (flags.Has("help")) return PrintResult(HelpOf(command));
    if (!rest.ok()) {
      return PrintUsageError(command.name, rest.status().message());
    }
    return command.run(flags, *rest);
  }
  const std::string hint = DidYouMean(NearestName(first, names));
  return PrintUsageError("", absl::StrCat("no command ", Quote(first),
                                          hint.empty() ? "" : "; ", hint));
}

}  // namespace groupsim
