#include "scenarios/expect/expectations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "model/base/check.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/metrics.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

using Expectation = schema::Expectation;
using ItemReport = Report::ExpectationReport;

// The notation was validated by the reader.
Duration Parsed(const std::string& text) {
  const absl::StatusOr<Duration> duration = ParseDuration(text);
  CHECK(duration.ok()) << duration.status().ToString();
  return *duration;
}

// A number for people: whole where it is whole, else three decimals.
std::string Number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    return absl::StrFormat("%.0f", value);
  }
  return absl::StrFormat("%.3f", value);
}

struct Bounds {
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::optional<double> equals;
};

template <class Bound>
Bounds BoundsOf(const Bound& bound) {
  Bounds bounds;
  if (bound.has_at_least()) {
    bounds.at_least = static_cast<double>(bound.at_least());
  }
  if (bound.has_at_most()) {
    bounds.at_most = static_cast<double>(bound.at_most());
  }
  if constexpr (requires { bound.has_equals(); }) {
    if (bound.has_equals()) bounds.equals = static_cast<double>(bound.equals());
  }
  return bounds;
}

std::string InWords(const std::string& what, const Bounds& bounds,
                    const std::string& unit) {
  std::vector<std::string> parts;
  if (bounds.equals)
    parts.push_back(absl::StrCat("equals ", Number(*bounds.equals)));
  if (bounds.at_least) {
    parts.push_back(absl::StrCat("at least ", Number(*bounds.at_least)));
  }
  if (bounds.at_most) {
    parts.push_back(absl::StrCat("at most ", Number(*bounds.at_most)));
  }
  return absl::StrCat(what, " ", absl::StrJoin(parts, ", "), unit);
}

bool Holds(double value, const Bounds& bounds) {
  return !(bounds.equals && value != *bounds.equals) &&
         !(bounds.at_least && value < *bounds.at_least) &&
         !(bounds.at_most && value > *bounds.at_most);
}

void Vacuous(const Expectation& expectation, const std::string& why,
             ItemReport& report) {
  report.set_verdict(expectation.may_be_absent() ? Report::PASSED
                                                 : Report::VACUOUS);
  report.set_actual("nothing to judge");
  report.set_cause(why);
}

// A number against its bounds; absent numbers are vacuous.
void JudgeNumber(const Expectation& expectation, std::optional<double> value,
                 const Bounds& bounds, const std::string& unit,
                 const std::string& why_absent, ItemReport& report) {
  if (!value.has_value()) {
    Vacuous(expectation, why_absent, report);
    return;
  }
  report.set_actual(absl::StrCat(Number(*value), unit));
  report.set_actual_value(*value);
  report.set_verdict(Holds(*value, bounds) ? Report::PASSED : Report::FAILED);
}

// A numeric field of a message by name; nothing if absent or unknown.
std::optional<double> FieldByName(const google::protobuf::Message& message,
                                  const std::string& name) {
  const auto* field = message.GetDescriptor()->FindFieldByName(name);
  if (field == nullptr || field->is_repeated()) return std::nullopt;
  const auto* reflection = message.GetReflection();
  if (field->has_presence() && !reflection->HasField(message, field)) {
    return std::nullopt;
  }
  switch (field->cpp_type()) {
    case google::protobuf::FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection->GetDouble(message, field);
    case google::protobuf::FieldDescriptor::CPPTYPE_INT64:
      return static_cast<double>(reflection->GetInt64(message, field));
    case google::protobuf::FieldDescriptor::CPPTYPE_INT32:
      return static_cast<double>(reflection->GetInt32(message, field));
    default:
      return std::nullopt;
  }
}

}  // namespace

Expectations::Expectations(const Scenario& scenario, const Subjects& subjects,
                           Measures& whole, Duration total)
    : scenario_(scenario), subjects_(subjects), whole_(whole), total_(total) {
  for (int i = 0; i < scenario.expect_size(); ++i) {
    const Expectation& expectation = scenario.expect(i);
    std::string group = expectation.group();
    // An allocation, or a metric of a consumer, is about that one's group.
    std::string consumer;
    if (expectation.has_allocation()) {
      consumer = expectation.allocation().consumer();
    } else {
      consumer = expectation.consumer();
    }
    if (!consumer.empty()) {
      const ConsumerIndex index = FindConsumer(consumer);
      CHECK(index != kNoSubject) << consumer;
      AddItem(i, subjects.consumers()[static_cast<size_t>(index)].group);
      continue;
    }
    for (size_t g = 0; g < subjects.groups().size(); ++g) {
      if (group.empty() || subjects.groups()[g].name.text() == group) {
        AddItem(i, static_cast<GroupIndex>(g));
      }
    }
  }
}

void Expectations::AddItem(int index, GroupIndex group) {
  Item item;
  item.index = index;
  item.expectation = &scenario_.expect(index);
  item.group = group;
  item.measures = &whole_;
  const Expectation& expectation = *item.expectation;
  if (expectation.has_from() || expectation.has_to()) {
    WindowKey key{Instant::Start(), Instant::Start() + total_};
    if (expectation.has_from()) key.from += Parsed(expectation.from());
    if (expectation.has_to()) {
      key.to = Instant::Start() + Parsed(expectation.to());
    }
    std::unique_ptr<Measures>& own = windows_[key];
    if (own == nullptr) {
      MeasureOptions options;
      options.total = total_;
      options.columns = 1;
      options.window = Window{key.from, key.to};
      own = std::make_unique<Measures>(subjects_, options);
    }
    item.measures = own.get();
  }
  SetWatch(item);
  items_.push_back(std::move(item));
}

void Expectations::SetWatch(const Item& item) {
  const Expectation& expectation = *item.expectation;
  const auto limit = [](const auto& bound) -> std::optional<double> {
    const Bounds bounds = BoundsOf(bound);
    return bounds.equals ? bounds.equals : bounds.at_most;
  };
  OwnershipMeasure& ownership = item.measures->ownership(item.group);
  std::optional<double> max;
  if (expectation.has_duplicates()) {
    if ((max = limit(expectation.duplicates()))) {
      item.measures->delivery()
          .duplicates_watch(item.group)
          .SetLimit(static_cast<int64_t>(*max));
    }
  } else if (expectation.has_unowned_queue_seconds()) {
    if ((max = limit(expectation.unowned_queue_seconds()))) {
      ownership.unowned_watch().SetLimit(static_cast<int64_t>(*max * 1e9));
    }
  } else if (expectation.has_double_owned_queue_seconds()) {
    if ((max = limit(expectation.double_owned_queue_seconds()))) {
      ownership.double_owned_watch().SetLimit(static_cast<int64_t>(*max * 1e9));
    }
  }
}

void Expectations::ObserveWith(Trace& trace) {
  for (auto& [key, measures] : windows_) measures->ObserveWith(trace);
}

std::vector<Instant> Expectations::looks() const {
  std::vector<Instant> times;
  for (const Item& item : items_) {
    if (item.expectation->has_allocation()) {
      times.push_back(Instant::Start() +
                      Parsed(item.expectation->allocation().at()));
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void Expectations::Look(Instant now) {
  for (Item& item : items_) {
    if (!item.expectation->has_allocation()) continue;
    const auto& allocation = item.expectation->allocation();
    if (Instant::Start() + Parsed(allocation.at()) != now) continue;
    const ConsumerIndex consumer = FindConsumer(allocation.consumer());
    OwnershipMeasure& ownership = whole_.ownership(item.group);
    item.looked = true;
    item.was_alive = ownership.alive(consumer);
    item.owned = ownership.OwnedBy(consumer);
    if (allocation.has_topic()) {
      item.owned.erase(
          std::remove_if(item.owned.begin(), item.owned.end(),
                         [&](QueueIndex queue) {
                           return subjects_.queues()[static_cast<size_t>(queue)]
                                      .queue.topic.text() != allocation.topic();
                         }),
          item.owned.end());
    }
    std::sort(item.owned.begin(), item.owned.end());
  }
}

std::vector<ItemReport> Expectations::Judge(Instant end) {
  for (auto& [key, measures] : windows_) measures->Finish(end);
  std::vector<ItemReport> reports;
  for (const Item& item : items_) {
    ItemReport report;
    report.set_index(item.index);
    report.set_group(
        subjects_.groups()[static_cast<size_t>(item.group)].name.text());
    JudgeItem(item, report);
    const Expectation& expectation = *item.expectation;
    if (expectation.has_from() || expectation.has_to()) {
      report.set_expectation(absl::StrCat(
          report.expectation(), " from ",
          expectation.has_from() ? expectation.from() : "0s", " to ",
          expectation.has_to() ? expectation.to() : "the end"));
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

void Expectations::JudgeItem(const Item& item, ItemReport& report) {
  const Expectation& expectation = *item.expectation;
  DeliveryMeasure& delivery = item.measures->delivery();
  OwnershipMeasure& ownership = item.measures->ownership(item.group);
  const DeliveryMeasure::Counts& counts = delivery.counts(item.group);

  const auto count = [&](const std::string& what, const auto& bound,
                         int64_t value, bool present, const std::string& why) {
    report.set_expectation(InWords(what, BoundsOf(bound), ""));
    JudgeNumber(expectation,
                present ? std::optional<double>(static_cast<double>(value))
                        : std::nullopt,
                BoundsOf(bound), "", why, report);
  };
  const auto amount = [&](const std::string& what, const auto& bound,
                          __int128 nanos, const Watch& watch) {
    report.set_expectation(InWords(what, BoundsOf(bound), " s"));
    const bool owned = ownership.jain_time_weighted().has_value() ||
                       ownership.moves() > 0 || nanos > 0;
    JudgeNumber(expectation,
                owned ? std::optional<double>(Seconds(nanos)) : std::nullopt,
                BoundsOf(bound), " s", "no queue had an owner", report);
    Blame(item, watch, report);
  };

  switch (expectation.what_case()) {
    case Expectation::kLost:
      count("lost", expectation.lost(), delivery.lost(item.group),
            counts.stored > 0, "no message was stored");
      return;
    case Expectation::kDuplicates:
      count("duplicates", expectation.duplicates(), counts.duplicates,
            counts.deliveries > 0, "no message was delivered");
      Blame(item, delivery.duplicates_watch(item.group), report);
      return;
    case Expectation::kSkipped:
      count("skipped", expectation.skipped(), counts.skipped, counts.stored > 0,
            "no message was stored");
      return;
    case Expectation::kUnownedQueueSeconds:
      amount("unowned queue-seconds", expectation.unowned_queue_seconds(),
             ownership.unowned_time(), ownership.unowned_watch());
      return;
    case Expectation::kDoubleOwnedQueueSeconds:
      amount("double-owned queue-seconds",
             expectation.double_owned_queue_seconds(),
             ownership.double_owned_time(), ownership.double_owned_watch());
      return;
    case Expectation::kJain: {
      const bool weighted = expectation.jain().time_weighted();
      const Bounds bounds = BoundsOf(expectation.jain());
      report.set_expectation(
          InWords(weighted ? "time-weighted jain" : "lowest jain", bounds, ""));
      JudgeNumber(
          expectation,
          weighted ? ownership.jain_time_weighted() : ownership.jain_min(),
          bounds, "", "there was no moment with every queue owned", report);
      return;
    }
    case Expectation::kConvergence:
    case Expectation::kTakeover:
      JudgeDuration(item, report);
      return;
    case Expectation::kAllocation:
      JudgeAllocation(item, report);
      return;
    case Expectation::kMetric: {
      const schema::MetricBound& bound = expectation.metric();
      std::optional<double> value;
      if (expectation.has_consumer()) {
        Report::ConsumerMetrics metrics;
        FillConsumerMetrics(*item.measures,
                            FindConsumer(expectation.consumer()), &metrics);
        value = FieldByName(metrics, bound.name());
        report.set_subject(expectation.consumer());
      } else {
        Report::GroupMetrics metrics;
        FillGroupMetrics(*item.measures, item.group, &metrics);
        value = FieldByName(metrics, bound.name());
      }
      report.set_expectation(InWords(
          expectation.has_consumer()
              ? absl::StrCat(bound.name(), " of ", expectation.consumer())
              : bound.name(),
          BoundsOf(bound), ""));
      JudgeNumber(expectation, value, BoundsOf(bound), "",
                  "there was nothing to measure", report);
      return;
    }
    default:
      break;
  }
  CHECK(false) << "an expectation of nothing passed validation";
}

void Expectations::JudgeDuration(const Item& item, ItemReport& report) {
  const Expectation& expectation = *item.expectation;
  OwnershipMeasure& ownership = item.measures->ownership(item.group);
  const bool convergence = expectation.has_convergence();
  const schema::DurationBound& bound =
      convergence ? expectation.convergence() : expectation.takeover();
  const Histogram& histogram =
      convergence ? ownership.convergence() : ownership.takeover();
  const double percentile = bound.has_percentile() ? bound.percentile() : 100;
  const auto per_mille = static_cast<int>(std::lround(percentile * 10));

  std::string words = convergence ? "convergence" : "takeover";
  absl::StrAppend(&words, percentile == 100
                              ? std::string(" max")
                              : absl::StrCat(" p", Number(percentile)));
  if (bound.has_at_least()) {
    absl::StrAppend(&words, " at least ", bound.at_least());
  }
  if (bound.has_within()) absl::StrAppend(&words, " within ", bound.within());
  report.set_expectation(words);

  if (convergence && ownership.unconverged() > 0) {
    report.set_actual("not at rest at the end");
    report.set_verdict(bound.has_within() ? Report::FAILED : Report::PASSED);
    report.set_cause(LastChangeBefore(item, Instant::Start() + total_));
    return;
  }
  if (histogram.count() == 0) {
    Vacuous(expectation,
            convergence ? "the group never came to rest after a change"
                        : "no queue went from one consumer to another and had "
                          "a message there",
            report);
    return;
  }
  const Duration value = histogram.Percentile(per_mille);
  report.set_actual(ToString(value));
  report.set_actual_value(Seconds(value));
  const bool holds =
      !(bound.has_at_least() && value < Parsed(bound.at_least())) &&
      !(bound.has_within() && value > Parsed(bound.within()));
  report.set_verdict(holds ? Report::PASSED : Report::FAILED);
  if (holds) return;
  if (convergence) {
    // The first change that took longer than allowed, or the first at all.
    for (const OwnershipMeasure::Event& event : ownership.events()) {
      if (!event.convergence.has_value()) continue;
      if (bound.has_within() && *event.convergence <= Parsed(bound.within())) {
        continue;
      }
      report.set_violated_at_seconds(
          Seconds((event.time + *event.convergence).since_start()));
      report.set_cause(LastChangeBefore(item, event.time));
      return;
    }
    return;
  }
  report.set_subject(QueueName(ownership.slowest_takeover_queue()));
}

void Expectations::JudgeAllocation(const Item& item, ItemReport& report) {
  const schema::AllocationBound& bound = item.expectation->allocation();
  const std::vector<QueueIndex> expected = ExpectedQueues(item);
  report.set_expectation(
      absl::StrCat(bound.consumer(), " owns ",
                   expected.empty() ? std::string("nothing") : bound.queues(),
                   " at ", bound.at()));
  report.set_subject(bound.consumer());
  if (!item.looked || !item.was_alive) {
    Vacuous(*item.expectation,
            item.looked ? absl::StrCat(bound.consumer(), " did not run then")
                        : std::string("the run ended before"),
            report);
    return;
  }
  report.set_actual(QueueNames(item.owned));
  const bool holds = item.owned == expected;
  report.set_verdict(holds ? Report::PASSED : Report::FAILED);
  if (holds) return;
  const Instant at = Instant::Start() + Parsed(bound.at());
  report.set_violated_at_seconds(Seconds(at.since_start()));
  report.set_cause(LastChangeBefore(item, at));
}

void Expectations::Blame(const Item& item, const Watch& watch,
                         ItemReport& report) {
  if (report.verdict() != Report::FAILED || !watch.exceeded_at().has_value()) {
    return;
  }
  report.set_violated_at_seconds(Seconds(watch.exceeded_at()->since_start()));
  if (watch.subject() != kNoSubject) {
    report.set_subject(QueueName(watch.subject()));
  }
  report.set_cause(LastChangeBefore(item, *watch.exceeded_at()));
}

std::string Expectations::LastChangeBefore(const Item& item,
                                           Instant time) const {
  const OwnershipMeasure::Event* last = nullptr;
  for (const OwnershipMeasure::Event& event :
       whole_.ownership(item.group).events()) {
    if (event.time <= time) last = &event;
  }
  if (last == nullptr) return "";
  return absl::StrCat(
      "after ",
      subjects_.consumers()[static_cast<size_t>(last->consumer)].process.text(),
      " ", DescribeChange(last->cause), " at ", ToString(last->time));
}

ConsumerIndex Expectations::FindConsumer(const std::string& name) const {
  for (size_t i = 0; i < subjects_.consumers().size(); ++i) {
    if (subjects_.consumers()[i].process.text() == name) {
      return static_cast<ConsumerIndex>(i);
    }
  }
  return kNoSubject;
}

std::string Expectations::QueueName(QueueIndex queue) const {
  if (queue == kNoSubject) return "";
  const MessageQueue& q = subjects_.queues()[static_cast<size_t>(queue)].queue;
  return absl::StrCat(q.topic.text(), " ", q.broker.text(), "#", q.queue_id);
}

std::string Expectations::QueueNames(
    const std::vector<QueueIndex>& queues) const {
  if (queues.empty()) return "nothing";
  std::vector<std::string> names;
  for (const QueueIndex index : queues) {
    const MessageQueue& q =
        subjects_.queues()[static_cast<size_t>(index)].queue;
    names.push_back(absl::StrCat(q.broker.text(), "#", q.queue_id));
  }
  return absl::StrJoin(names, ",");
}

std::vector<QueueIndex> Expectations::ExpectedQueues(const Item& item) const {
  const schema::AllocationBound& bound = item.expectation->allocation();
  const absl::StatusOr<std::vector<QueueRange>> ranges =
      ParseQueues(bound.queues());
  CHECK(ranges.ok()) << ranges.status().ToString();
  std::vector<QueueIndex> expected;
  for (const QueueIndex index :
       subjects_.groups()[static_cast<size_t>(item.group)].queues) {
    const MessageQueue& q =
        subjects_.queues()[static_cast<size_t>(index)].queue;
    if (bound.has_topic() && q.topic.text() != bound.topic()) continue;
    for (const QueueRange& range : *ranges) {
      const bool all = range.last == QueueRange::kAllQueues;
      if (range.broker == q.broker.text() &&
          (all || (q.queue_id >= range.first && q.queue_id <= range.last))) {
        expected.push_back(index);
        break;
      }
    }
  }
  std::sort(expected.begin(), expected.end());
  return expected;
}

}  // namespace groupsim
