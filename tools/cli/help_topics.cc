#include "tools/cli/help_topics.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "google/protobuf/descriptor.h"
#include "scenarios/lint/lint.h"
#include "scenarios/schema/report.pb.h"
#include "scenarios/schema/rule.pb.h"
#include "tools/cli/exit_codes.h"

namespace groupsim {
namespace {

// Words in lines of 80 columns, each line behind `indent`.
std::string Filled(absl::string_view text, absl::string_view indent) {
  std::string filled;
  std::string line;
  for (const absl::string_view word :
       absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > 80) {
      absl::StrAppend(&filled, indent, line, "\n");
      line.clear();
    }
    absl::StrAppend(&line, line.empty() ? "" : " ", word);
  }
  if (!line.empty()) absl::StrAppend(&filled, indent, line, "\n");
  return filled;
}

std::string ConceptsText() {
  return R"(A scenario is a file that says which brokers, name servers, topics, producers
and consumers there are, what traffic flows, what goes wrong when, and what must
hold then (groupsim help scenario).

A run plays it on a virtual clock. The same scenario, seed and version give the
same facts in the same order, on any machine (groupsim help determinism).

A fact is one thing that happened: a message was delivered, a queue changed its
owner (groupsim list facts). Every number of a report is counted from facts.

A consumer owns a queue while it has it in its table and has not dropped it. A
queue that nobody owns is not read; one that two own is read twice. Both happen
for a while whenever a member comes or goes, until all members have seen the
change and allocated anew: convergence. The time from the loss of a queue's
owner to the first message at the next one is the takeover.

The latency of a message is the time from its store at the broker to the end of
the listener call that finished it.

Every delivery is the first one of its message, a retry or a duplicate. A retry
follows a delivery that failed: the consumer sends the message back, the broker
keeps it for the time of a delay level (10 s, 30 s, 1 min, ...) and then puts it
into the group's retry topic, %RETRY%GROUP. After the last retry it is a dead
letter, in the topic %DLQ%GROUP. An orderly consumer sends nothing back: its
queue rests, and the same message comes again. A duplicate is any other delivery
of a message that the group had been given before.

A run passes if every expectation holds. It is vacuous if something that should
have been tested did not happen, such as the crash of a consumer that did not
run.

Two fingerprints stand for a run: of its facts, and of its schedule, the events
inside the simulator. Equal fingerprints mean equal runs.
)";
}

std::string DeterminismText() {
  return R"(A run depends on the scenario, the seed and the version of groupsim, and on
nothing else: not on the machine, the compiler, the time of day, the
environment, other runs beside it.

- All randomness comes from the seed, by integer arithmetic. Each drawer (a
  producer, a consumer, a link) has a stream of its own, named after it, so that
  one more consumer or fault changes no other draw.
- What goes to standard output or to a file follows from the run only. Progress
  and speed go to standard error.
- The line "reproduce" of a report gives the same report again.

  groupsim verify FILE     runs FILE twice in separate processes and compares
                           fingerprints, then compares with the golden file

Exit code 5 says that two runs, or a run and its golden file, differ. If the
fingerprint of facts differs, something else happened to messages, queues or
members. If only that of the schedule differs, the same happened by another way
inside the simulator.
)";
}

std::string EventsText() {
  return R"(groupsim run --out=DIR --events FILE writes every fact to DIR/events.jsonl, in
the order in which they happened: a JSON object a line, such as

  {"time":20000000,"kind":"QUEUE_ADDED","host":"c-1","group":"orders",
   "topic":"paid","broker":"b-0","queue":3,"offset":117}

(on one line). "time", nanoseconds of simulated time since the start, and "kind"
are always there. It begins before zero: name servers and brokers start first.

  host     the process that it happened to
  group    the consumer group, topic, broker and queue that it is about
  offset   an offset of that queue
  count    how many
  value    what else; each kind says what (groupsim list facts)

A field that is zero or empty is left out, but for the queue of a fact that has
topic and broker. A fact NAMED comes before the first fact about a new name: its
"offset" is the name, its "value" a hash of it.
)";
}

std::string ExitCodesText() {
  std::string text;
  for (const ExitCodeInfo& info : AllExitCodes()) {
    absl::StrAppendFormat(&text, "%3d  %s\n", static_cast<int>(info.code),
                          info.meaning);
  }
  absl::StrAppend(&text,
                  "\nOf several runs the first of these counts: 70, 130, 4, 3, "
                  "5, 1, 6, 0.\n"
                  "Of tools/groupsim, 69 says that groupsim could not be "
                  "built.\n");
  return text;
}

std::string LintsText() {
  std::string text =
      "groupsim check warns of what is right in a scenario but perhaps not "
      "meant. A\n"
      "comment silences a warning: at the end of the line that the warning "
      "points at, or\n"
      "alone on the line above; above everything else, in the whole file:\n\n"
      "  # groupsim: allow(more-consumers-than-queues)\n";
  for (const Lint& lint : AllLints()) {
    absl::StrAppend(&text, "\n", lint.name, "\n", Filled(lint.meaning, "    "),
                    Filled(absl::StrCat("Remedy: ", lint.remedy, "."), "    "));
  }
  return text;
}

void AddMetrics(const google::protobuf::Descriptor& type,
                absl::string_view heading, std::string& text) {
  absl::StrAppend(&text, "\n", heading, "\n");
  for (int i = 0; i < type.field_count(); ++i) {
    const MetricInfo& info = type.field(i)->options().GetExtension(metric);
    if (info.meaning().empty()) continue;
    absl::StrAppend(&text, "\n  ", type.field(i)->name(), " (", info.unit(),
                    ")\n", Filled(info.meaning(), "      "));
  }
}

std::string MetricsText() {
  std::string text =
      "What a report says of each group, consumer, topic, queue and producer, "
      "and\n"
      "what an expectation may ask for:\n"
      "\n"
      "  expect { metric { name: \"duplicates\" at_most: 100 } }\n"
      "  expect { consumer: \"pod-2\" metric { name: \"deliveries\" at_least: "
      "1 "
      "} }\n"
      "\n"
      "\"The same\" refers to the metric above. One about something that did "
      "not happen\n"
      "is absent. Ownership, fairness and moves leave out retry queues.\n";
  AddMetrics(*Report::GroupMetrics::descriptor(), "Of a group", text);
  AddMetrics(*Report::ConsumerMetrics::descriptor(), "Of a consumer", text);
  AddMetrics(*Report::TopicMetrics::descriptor(),
             "Of a topic for a group, asked for with `topic`", text);
  AddMetrics(*Report::QueueMetrics::descriptor(),
             "Of a queue for a group, asked for with `queues`", text);
  AddMetrics(*Report::ProducerReport::descriptor(),
             "Of a producer; no expectation may ask for these", text);
  return text;
}

std::string ScenarioText() {
  return R"(A scenario is a protobuf message groupsim.Scenario, as text (.textproto), JSON
(.json) or in binary form (.binpb). The smallest one is

  group { name: "readers" consumer { name: "pod" count: 4 } }

with one broker, one topic of eight queues, one name server, for one minute.
What is left out has RocketMQ's default. More:

  duration: "10m"
  broker { name: "broker-a" }
  topic { name: "orders" queues_per_broker: 16 }
  producer { name: "shop" rate { per_second: 500 arrivals: POISSON } }
  group {
    name: "readers"
    listener { service_time { lognormal { median: "4ms" p99: "60ms" } } }
    consumer { name: "pod" count: 4 stagger: "2s" }
  }
  at { time: "40s" crash { consumer: "pod-2" } }
  expect { takeover { percentile: 99 within: "2s" } }
  expect { lost { at_most: 0 } }

Durations are texts with a unit ("250us", "1.5s", "1h30m"), sizes numbers or
texts with one (1800, "4KiB"), queues texts such as "broker-a#0..3". With a
count, `name: "pod" count: 4` are the processes pod-0 to pod-3.

docs/scenario.md describes every field, with its unit, default and limits.

  groupsim check FILE        what is wrong, what is perhaps not meant, what a
                             run will cost; --format=json for editors
  groupsim list scenarios    the catalog in scenarios/catalog
  groupsim list actions      what can be done at a time of the timeline
  groupsim list faults       faults of real releases, for the field known_fault
  groupsim run --set=PATH=VALUE FILE
                             the scenario with a field changed:

  --set=duration=5m
  --set=group[0].client.heartbeat_broker_interval=10s
  --set=group[readers].consumer[pod].count=12
  --set='at[+]={ time: "1m" crash { consumer: "pod-2" } }'
)";
}

constexpr HelpTopic kTopics[] = {
    {"concepts", "scenario, run, fact, owner, verdict", &ConceptsText},
    {"determinism", "why runs can be repeated, and how to check",
     &DeterminismText},
    {"events", "the file of all facts", &EventsText},
    {"exit-codes", "how groupsim ends", &ExitCodesText},
    {"lints", "what check warns of", &LintsText},
    {"metrics", "what is measured", &MetricsText},
    {"scenario", "the scenario language", &ScenarioText},
};

}  // namespace

absl::Span<const HelpTopic> AllHelpTopics() { return kTopics; }

}  // namespace groupsim
