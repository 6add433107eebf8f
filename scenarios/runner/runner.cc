#include "scenarios/runner/runner.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "model/client/owned_queues.h"
#include "model/client/push_consumer.h"
#include "scenarios/expect/expectations.h"
#include "scenarios/measure/measures.h"
#include "scenarios/measure/producing.h"
#include "scenarios/reader/values.h"
#include "scenarios/runner/report_builder.h"
#include "scenarios/runner/stage.h"
#include "sim/host/world.h"
#include "sim/trace/event_log.h"

namespace groupsim {
namespace {

constexpr int kColumns = 40;

// Simulated time between two calls of the progress callback.
constexpr Duration kSlice = 1s;

// Whether the measures follow a queue. They do not follow those of a topic that
// a broker made by itself.
bool IsFollowed(const MessageQueue& queue, const Subjects& subjects) {
  return subjects.QueueOf(QueueFact(FactKind::QUEUE_ADDED, Name(), queue)) !=
         kNoSubject;
}

// What facts say of owners and caches against what the clients' own tables
// say.
void CompareWithTables(const Stage& stage, Measures& measures, Instant now) {
  const Subjects& subjects = stage.subjects();
  for (size_t i = 0; i < subjects.consumers().size(); ++i) {
    const auto index = static_cast<ConsumerIndex>(i);
    const OwnedQueues* const tables = stage.tables(index);
    std::vector<MessageQueue> table;
    int64_t cached = stage.at_work(index);
    if (tables != nullptr) {
      for (const auto& [queue, owned] : tables->all()) {
        if (owned->process_queue.dropped()) continue;
        cached += owned->process_queue.msg_count();
        if (IsFollowed(queue, subjects)) table.push_back(queue);
      }
    }
    const GroupIndex group = subjects.consumers()[i].group;
    std::vector<MessageQueue> by_facts;
    for (const QueueIndex queue : measures.ownership(group).OwnedBy(index)) {
      by_facts.push_back(subjects.queues()[static_cast<size_t>(queue)].queue);
    }
    std::sort(by_facts.begin(), by_facts.end());
    measures.audit().Count(AuditLaw::kOwnersMatchTheTables);
    const std::string& name = subjects.consumers()[i].process.text();
    if (table != by_facts) {
      measures.audit().Fail(
          AuditLaw::kOwnersMatchTheTables, now,
          absl::StrCat(name, " owns ", table.size(), " queues by its table, ",
                       by_facts.size(), " by the facts"));
    }
    if (cached != measures.pulling().cached(index)) {
      measures.audit().Fail(
          AuditLaw::kCacheIsConserved, now,
          absl::StrCat(name, " caches ", cached, " messages by its table, ",
                       measures.pulling().cached(index), " by the facts"));
    }
  }
}

}  // namespace

RunResult RunScenario(const Scenario& scenario, const RunOptions& options) {
  const absl::StatusOr<Duration> total = ParseDuration(scenario.duration());
  CHECK(total.ok()) << total.status().ToString();
  const Instant end = Instant::Start() + *total;

  WorldOptions world_options;
  world_options.seed = options.seed != 0 ? options.seed : scenario.seed();
  world_options.reproduce = options.reproduce;
  world_options.shuffle_ties = options.shuffle_ties;
  world_options.start = Instant::Start() - Stage::kSettling;
  World world(world_options);
  std::unique_ptr<EventLog> log;
  if (options.event_log != nullptr) {
    log = std::make_unique<EventLog>(world.names(), *options.event_log);
    world.trace().ObserveAll(log.get());
  }

  Stage stage(scenario, world);
  MeasureOptions measure_options;
  measure_options.total = *total;
  measure_options.columns = kColumns;
  measure_options.window.to = end;
  Measures measures(stage.subjects(), measure_options);
  measures.ObserveWith(world.trace());
  if (!options.keep_going) {
    measures.audit().OnViolation([](const Audit::Violation& violation) {
      CHECK(false) << "audit \"" << NameOf(violation.law) << "\" at "
                   << ToString(violation.time) << ": " << violation.what;
    });
  }
  ProducingMeasure producing;
  for (const Cast::ProducerPart& producer : stage.cast().producers()) {
    producing.AddProducer(producer.host->name());
  }
  producing.ObserveWith(world.trace());
  Expectations expectations(scenario, stage.subjects(), world.names(), measures,
                            *total);
  expectations.ObserveWith(world.trace());
  for (const Instant look : expectations.looks()) {
    world.At(look, [&expectations, look] { expectations.Look(look); });
  }
  for (const std::string& event : expectations.events()) {
    stage.timeline().WhenFirst(event, [&expectations, event](Instant when) {
      expectations.OnEvent(event, when);
    });
  }
  stage.Begin();

  RunResult result;
  RunOutcome outcome = RunOutcome::kTimeReached;
  Instant now = Instant::Start();
  for (;;) {
    outcome = world.RunUntil(now);
    if (outcome == RunOutcome::kLivelock || now >= end) break;
    if (options.progress) {
      RunProgress progress;
      progress.simulated = now.since_start();
      progress.total = *total;
      progress.events = world.engine().fired();
      progress.violated = expectations.violated();
      if (!options.progress(progress)) {
        result.interrupted = true;
        break;
      }
    }
    now = std::min(end, now + kSlice);
  }
  result.events = world.engine().fired();
  result.simulated = world.now().since_start();
  if (result.interrupted) return result;

  CompareWithTables(stage, measures, world.now());
  measures.Finish(world.now());
  producing.Close(world.now());
  ReportParts parts{scenario, options,   world,       stage,
                    measures, producing, expectations};
  if (outcome == RunOutcome::kLivelock) {
    parts.livelock = world.engine().DescribeLivelock();
  }
  result.report = BuildReport(parts);
  return result;
}

}  // namespace groupsim
