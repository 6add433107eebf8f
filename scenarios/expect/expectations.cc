#include "scenarios/expect/expectations.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "model/facts/fact.h"
#include "scenarios/expect/allocation_check.h"
#include "scenarios/expect/duration_checks.h"
#include "scenarios/expect/fact_checks.h"
#include "scenarios/expect/metric_check.h"
#include "scenarios/expect/number_checks.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

using schema::Expectation;

bool IsAboutFacts(const Expectation& expectation) {
  switch (expectation.what_case()) {
    case Expectation::kSometimes:
    case Expectation::kNever:
    case Expectation::kEventually:
    case Expectation::kFactFingerprint:
      return true;
    default:
      return false;
  }
}

bool HasWindow(const Expectation& expectation) {
  return expectation.has_from() || expectation.has_to() ||
         expectation.has_after_event();
}

bool Reads(const Subjects& subjects, GroupIndex group,
           const std::string& topic) {
  const std::vector<QueueIndex>& queues =
      subjects.groups()[static_cast<size_t>(group)].queues;
  return std::any_of(queues.begin(), queues.end(), [&](QueueIndex queue) {
    return subjects.queues()[static_cast<size_t>(queue)].queue.topic.text() ==
           topic;
  });
}

// How the window is written behind an expectation.
std::string WindowInWords(const Expectation& expectation) {
  if (expectation.has_after_event()) {
    return absl::StrCat(expectation.has_lasts()
                            ? absl::StrCat(" in the ", expectation.lasts())
                            : std::string(),
                        " after event \"", expectation.after_event(), "\"");
  }
  return absl::StrCat(
      " from ", expectation.has_from() ? expectation.from() : "0s", " to ",
      expectation.has_to() ? expectation.to() : "the end");
}

std::unique_ptr<ExpectationCheck> MakeCheck(const CheckContext& context,
                                            NameTable& names) {
  switch (context.expectation.what_case()) {
    case Expectation::kLost:
    case Expectation::kDuplicates:
    case Expectation::kSkipped:
    case Expectation::kOutOfOrder:
    case Expectation::kDeadLetters:
    case Expectation::kMoves:
      return std::make_unique<CountCheck>(context);
    case Expectation::kUnownedQueueSeconds:
    case Expectation::kDoubleOwnedQueueSeconds:
      return std::make_unique<QueueSecondsCheck>(context);
    case Expectation::kLag:
      return std::make_unique<LagCheck>(context);
    case Expectation::kFlowControl:
      return std::make_unique<FlowControlCheck>(context);
    case Expectation::kJain:
    case Expectation::kMaxOverMean:
      return std::make_unique<FairnessCheck>(context);
    case Expectation::kConvergence:
    case Expectation::kTakeover:
    case Expectation::kLatency:
      return std::make_unique<PercentileCheck>(context);
    case Expectation::kLagRecovery:
      return std::make_unique<LagRecoveryCheck>(context);
    case Expectation::kAllocation:
      return std::make_unique<AllocationCheck>(context);
    case Expectation::kMetric:
      return std::make_unique<MetricCheck>(context);
    case Expectation::kSometimes:
    case Expectation::kNever:
      return std::make_unique<FactCountCheck>(context, names);
    case Expectation::kEventually:
      return std::make_unique<EventuallyCheck>(context, names);
    case Expectation::kFactFingerprint:
      return std::make_unique<FingerprintCheck>(context);
    default:
      break;
  }
  CHECK(false) << "an expectation of nothing passed validation";
  return nullptr;
}

}  // namespace

struct Expectations::Watched {
  ExpectedWindow window;
  std::optional<Duration> lasts;       // Of one that begins with an event.
  std::unique_ptr<Measures> measures;  // Null: those of the whole run.
};

struct Expectations::Item {
  int index = 0;
  std::unique_ptr<ExpectationCheck> check;
  const Expectation* expectation = nullptr;
  const Watched* watched = nullptr;
  GroupIndex group = kNoSubject;
};

Expectations::Expectations(const Scenario& scenario, const Subjects& subjects,
                           NameTable& names, Measures& whole, Duration total)
    : scenario_(scenario),
      subjects_(subjects),
      names_(names),
      whole_(whole),
      total_(total),
      causes_(scenario, whole) {
  for (int i = 0; i < scenario.expect_size(); ++i) {
    const Expectation& expectation = scenario.expect(i);
    if (IsAboutFacts(expectation)) {
      AddItem(i, kNoSubject);
      continue;
    }
    // An allocation, or a metric of a consumer, is about that one's group.
    const std::string& consumer = expectation.has_allocation()
                                      ? expectation.allocation().consumer()
                                      : expectation.consumer();
    if (!consumer.empty()) {
      const ConsumerIndex index = FindConsumer(subjects, consumer);
      CHECK(index != kNoSubject) << consumer;
      AddItem(i, subjects.consumers()[static_cast<size_t>(index)].group);
      continue;
    }
    for (size_t g = 0; g < subjects.groups().size(); ++g) {
      const auto group = static_cast<GroupIndex>(g);
      if (expectation.has_group() &&
          subjects.groups()[g].name.text() != expectation.group()) {
        continue;
      }
      if (expectation.has_topic() &&
          !Reads(subjects, group, expectation.topic())) {
        continue;
      }
      AddItem(i, group);
    }
  }
}

Expectations::~Expectations() = default;

Expectations::Watched& Expectations::WindowOf(const Expectation& expectation) {
  auto made = std::make_unique<Watched>();
  Window& window = made->window.window;
  window.to = Instant::Start() + total_;
  if (expectation.has_after_event()) {
    made->window.event = expectation.after_event();
    made->window.opened = false;
    window.from = window.to = Instant::Max();
    if (expectation.has_lasts()) {
      made->lasts = Parsed(expectation.lasts());
    }
  }
  if (expectation.has_from()) {
    window.from = Instant::Start() + Parsed(expectation.from());
  }
  if (expectation.has_to()) {
    window.to = Instant::Start() + Parsed(expectation.to());
  }
  const bool needs_measures =
      HasWindow(expectation) && !IsAboutFacts(expectation);
  for (const std::unique_ptr<Watched>& other : windows_) {
    if (other->window.event == made->window.event &&
        other->lasts == made->lasts &&
        other->window.window.from == window.from &&
        other->window.window.to == window.to &&
        (other->measures != nullptr) == needs_measures) {
      return *other;
    }
  }
  if (needs_measures) {
    MeasureOptions options;
    options.total = total_;
    options.columns = 1;
    options.window = window;
    made->measures = std::make_unique<Measures>(subjects_, options);
  }
  windows_.push_back(std::move(made));
  return *windows_.back();
}

void Expectations::AddItem(int index, GroupIndex group) {
  auto item = std::make_unique<Item>();
  item->index = index;
  item->expectation = &scenario_.expect(index);
  item->group = group;
  const Watched& watched = WindowOf(*item->expectation);
  item->watched = &watched;
  item->check = MakeCheck(
      CheckContext{*item->expectation, subjects_, causes_, watched.window,
                   watched.measures != nullptr ? *watched.measures : whole_,
                   whole_, Scope::Of(*item->expectation, subjects_, group)},
      names_);
  items_.push_back(std::move(item));
}

void Expectations::ObserveWith(Trace& trace) {
  trace.Observe(FactKind::TIMELINE_EVENT, &causes_);
  for (const std::unique_ptr<Watched>& watched : windows_) {
    if (watched->measures != nullptr) watched->measures->ObserveWith(trace);
  }
  for (const std::unique_ptr<Item>& item : items_) {
    item->check->ObserveWith(trace);
  }
}

std::vector<std::string> Expectations::events() const {
  std::vector<std::string> names;
  for (const Expectation& expectation : scenario_.expect()) {
    if (expectation.has_after_event()) {
      names.push_back(expectation.after_event());
    }
    if (expectation.has_lag_recovery()) {
      names.push_back(expectation.lag_recovery().event());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void Expectations::OnEvent(const std::string& name, Instant now) {
  for (const std::unique_ptr<Watched>& watched : windows_) {
    ExpectedWindow& own = watched->window;
    if (own.event != name || own.opened) continue;
    const Instant end = Instant::Start() + total_;
    own.opened = true;
    own.window.from = now;
    own.window.to =
        watched->lasts.has_value() ? std::min(end, now + *watched->lasts) : end;
    if (watched->measures != nullptr) watched->measures->SetWindow(own.window);
  }
  for (const std::unique_ptr<Item>& item : items_) {
    item->check->OnEvent(name, now);
  }
}

std::vector<Instant> Expectations::looks() const {
  std::vector<Instant> times;
  for (const std::unique_ptr<Item>& item : items_) {
    if (const std::optional<Instant> at = item->check->look(); at.has_value()) {
      times.push_back(*at);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void Expectations::Look(Instant now) {
  for (const std::unique_ptr<Item>& item : items_) {
    if (item->check->look() == now) item->check->Look();
  }
}

int Expectations::violated() const {
  int count = 0;
  for (const std::unique_ptr<Item>& item : items_) {
    if (item->check->violated_for_good()) ++count;
  }
  return count;
}

std::vector<Report::ExpectationReport> Expectations::Judge(const RunEnd& end) {
  for (const std::unique_ptr<Watched>& watched : windows_) {
    if (watched->measures != nullptr) watched->measures->Finish(end.time);
  }
  std::vector<Report::ExpectationReport> reports;
  for (const std::unique_ptr<Item>& item : items_) {
    Report::ExpectationReport report;
    report.set_index(item->index);
    if (item->group != kNoSubject) {
      report.set_group(
          subjects_.groups()[static_cast<size_t>(item->group)].name.text());
    }
    report.set_expectation(item->check->InWords());
    if (HasWindow(*item->expectation)) {
      absl::StrAppend(report.mutable_expectation(),
                      WindowInWords(*item->expectation));
    }
    const ExpectedWindow& window = item->watched->window;
    if (window.opened) {
      item->check->Judge(end, report);
    } else {
      item->check->Vacuous(
          absl::StrCat("event \"", window.event, "\" never took place"),
          report);
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace groupsim
