#include "scenarios/expect/number_checks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "scenarios/measure/metrics.h"

namespace groupsim {
namespace {

using schema::Expectation;
using schema::FlowControlBound;

// Calls `use` with the place in the group's list and the number of each queue
// of the scope.
template <class Use>
void ForQueues(const Subjects& subjects, const Scope& scope, const Use& use) {
  const std::vector<QueueIndex>& queues =
      subjects.groups()[static_cast<size_t>(scope.group)].queues;
  for (size_t i = 0; i < queues.size(); ++i) {
    if (scope.Covers(queues[i])) use(i, queues[i]);
  }
}

}  // namespace

// ---- CountCheck ----

CountCheck::CountCheck(const CheckContext& context)
    : ExpectationCheck(context) {
  using Counts = DeliveryMeasure::Counts;
  const auto read = [this](const char* words, const schema::CountBound& bound,
                           OccurrenceKind kind) {
    words_ = words;
    bounds_ = Bounds::Of(bound);
    kind_ = kind;
  };
  const Expectation& from = expectation();
  switch (from.what_case()) {
    case Expectation::kLost:
      read("lost", from.lost(), OccurrenceKind::kLost);
      member_ = &Counts::lost;
      base_ = &Counts::acknowledged;
      break;
    case Expectation::kDuplicates:
      read("duplicates", from.duplicates(), OccurrenceKind::kDuplicate);
      member_ = &Counts::duplicates;
      base_ = &Counts::deliveries;
      break;
    case Expectation::kSkipped:
      read("skipped", from.skipped(), OccurrenceKind::kSkipped);
      member_ = &Counts::skipped;
      base_ = &Counts::stored;
      break;
    case Expectation::kOutOfOrder:
      read("out of order", from.out_of_order(), OccurrenceKind::kOutOfOrder);
      member_ = &Counts::out_of_order;
      base_ = &Counts::deliveries;
      break;
    case Expectation::kDeadLetters:
      read("dead letters", from.dead_letters(), OccurrenceKind::kDeadLetter);
      member_ = &Counts::dead_letters;
      base_ = &Counts::deliveries;
      break;
    default:
      read("moves", from.moves(), OccurrenceKind::kMove);
      break;
  }
  if (bounds_.most().has_value()) occurrences().Observe(kind_, this);
}

void CountCheck::OnOccurrence(OccurrenceKind kind, const Occurrence& what) {
  if (!scope().Covers(what.queue)) return;
  seen_ += what.change;
  if (static_cast<double>(seen_) > *bounds_.most()) {
    // A message that was skipped may still come.
    Violate(what, kind != OccurrenceKind::kSkipped);
  }
}

int64_t CountCheck::Value() const {
  if (scope().queues.empty()) {
    return member_ == nullptr ? ownership().moves()
                              : delivery().counts(scope().group).*member_;
  }
  const std::vector<DeliveryMeasure::QueueResult> queues =
      delivery().QueueResults(scope().group);
  int64_t sum = 0;
  ForQueues(context_.subjects, scope(), [&](size_t i, QueueIndex /*queue*/) {
    sum += member_ == nullptr ? ownership().queues()[i].moves
                              : queues[i].counts.*member_;
  });
  return sum;
}

bool CountCheck::Possible() const {
  if (base_ == nullptr) return ownership().ever_owned();
  const std::vector<DeliveryMeasure::QueueResult> queues =
      delivery().QueueResults(scope().group);
  bool possible = false;
  ForQueues(context_.subjects, scope(), [&](size_t i, QueueIndex /*queue*/) {
    possible |= queues[i].counts.*base_ > 0;
  });
  return possible;
}

std::string CountCheck::InWords() const {
  return absl::StrCat(words_, scope().words, " ", bounds_.InWords(""));
}

void CountCheck::Judge(const RunEnd& /*end*/,
                       Report::ExpectationReport& report) {
  if (!Possible()) {
    const char* why = "no queue had an owner";
    if (base_ == &DeliveryMeasure::Counts::acknowledged) {
      why = "no message was acknowledged";
    } else if (base_ == &DeliveryMeasure::Counts::stored) {
      why = "no message was stored";
    } else if (base_ != nullptr) {
      why = "no message was delivered";
    }
    Vacuous(why, report);
    return;
  }
  JudgeNumber(static_cast<double>(Value()), bounds_, "", report);
  Blame(report);
}

// ---- QueueSecondsCheck ----

QueueSecondsCheck::QueueSecondsCheck(const CheckContext& context)
    : ExpectationCheck(context),
      unowned_(expectation().has_unowned_queue_seconds()),
      bounds_(Bounds::Of(unowned_
                             ? expectation().unowned_queue_seconds()
                             : expectation().double_owned_queue_seconds())) {
  if (!bounds_.most().has_value()) return;
  occurrences().Observe(
      unowned_ ? OccurrenceKind::kUnowned : OccurrenceKind::kDoubleOwned, this);
}

void QueueSecondsCheck::Advance(Instant now) {
  const Duration held = window().Overlap(since_, now);
  const Instant begin = std::max(since_, window().from);
  since_ = now;
  if (held == Duration::Zero() || queues_ == 0) return;
  sum_ += OwnershipMeasure::QueueTime{queues_} * held.nanos();
  const auto most =
      static_cast<OwnershipMeasure::QueueTime>(*bounds_.most() * 1e9);
  if (sum_ <= most || violation().has_value()) return;
  // When it crossed the bound.
  const auto over = static_cast<int64_t>((sum_ - most) / queues_);
  Occurrence what = last_;
  what.time = std::max(begin, begin + held - Duration::Nanos(over));
  Violate(what, true);
}

void QueueSecondsCheck::OnOccurrence(OccurrenceKind /*kind*/,
                                     const Occurrence& what) {
  if (!scope().Covers(what.queue)) return;
  Advance(what.time);
  queues_ += what.change;
  if (what.change < 0) return;
  last_.queue = what.queue;
}

std::string QueueSecondsCheck::InWords() const {
  return absl::StrCat(unowned_ ? "unowned" : "double-owned", " queue-seconds",
                      scope().words, " ", bounds_.InWords(" s"));
}

void QueueSecondsCheck::Judge(const RunEnd& end,
                              Report::ExpectationReport& report) {
  if (!ownership().ever_owned()) {
    Vacuous("no queue had an owner", report);
    return;
  }
  OwnershipMeasure::QueueTime sum = 0;
  if (scope().queues.empty()) {
    sum =
        unowned_ ? ownership().unowned_time() : ownership().double_owned_time();
  } else {
    ForQueues(context_.subjects, scope(), [&](size_t i, QueueIndex /*queue*/) {
      const OwnershipMeasure::QueueResult& queue = ownership().queues()[i];
      sum += (unowned_ ? queue.unowned : queue.double_owned).nanos();
    });
  }
  if (bounds_.most().has_value()) Advance(end.time);
  JudgeNumber(Seconds(sum), bounds_, " s", report);
  Blame(report);
}

// ---- LagCheck ----

LagCheck::LagCheck(const CheckContext& context)
    : ExpectationCheck(context), bounds_(Bounds::Of(expectation().lag())) {
  occurrences().Observe(OccurrenceKind::kLag, this);
}

void LagCheck::Raise(Instant when, QueueIndex queue) {
  if (lag_ <= peak_) return;
  peak_ = lag_;
  const std::optional<double> most = bounds_.most();
  if (!most.has_value() || static_cast<double>(peak_) <= *most) return;
  Occurrence what;
  what.time = when;
  what.queue = queue;
  Violate(what, true);
}

void LagCheck::Advance(Instant now) {
  const bool held = window().Overlap(since_, now) > Duration::Zero();
  const Instant begin = std::max(since_, window().from);
  since_ = now;
  if (held) Raise(begin, kNoSubject);
}

void LagCheck::OnOccurrence(OccurrenceKind /*kind*/, const Occurrence& what) {
  if (!scope().Covers(what.queue)) return;
  Advance(what.time);
  lag_ += what.change;
  if (window().Contains(what.time)) Raise(what.time, what.queue);
}

std::string LagCheck::InWords() const {
  return absl::StrCat("peak lag", scope().words, " ", bounds_.InWords(""));
}

void LagCheck::Judge(const RunEnd& end, Report::ExpectationReport& report) {
  Advance(end.time);
  int64_t stored = 0;
  const std::vector<DeliveryMeasure::QueueResult> queues =
      delivery().QueueResults(scope().group);
  ForQueues(context_.subjects, scope(), [&](size_t i, QueueIndex /*queue*/) {
    stored += queues[i].max_offset;
  });
  if (stored == 0) {
    Vacuous("no message was stored", report);
    return;
  }
  JudgeNumber(static_cast<double>(peak_), bounds_, "", report);
  Blame(report);
}

// ---- FlowControlCheck ----

FlowControlCheck::FlowControlCheck(const CheckContext& context)
    : ExpectationCheck(context),
      bounds_(Bounds::Of(expectation().flow_control())) {
  if (!bounds_.most().has_value()) return;
  occurrences().Observe(OccurrenceKind::kPostponed, this);
}

bool FlowControlCheck::Counts(PostponeReason reason) const {
  switch (expectation().flow_control().reason()) {
    case FlowControlBound::COUNT:
      return reason == PostponeReason::kCount;
    case FlowControlBound::SIZE:
      return reason == PostponeReason::kSize;
    case FlowControlBound::SPAN:
      return reason == PostponeReason::kSpan;
    case FlowControlBound::LOCK:
      return reason == PostponeReason::kNotLocked;
    default:
      return PullingMeasure::IsFlowControl(reason);
  }
}

void FlowControlCheck::OnOccurrence(OccurrenceKind /*kind*/,
                                    const Occurrence& what) {
  if (!Counts(static_cast<PostponeReason>(what.change)) ||
      (!scope().queues.empty() && !scope().Covers(what.queue))) {
    return;
  }
  sum_ += what.length;
  // The end of a wait may still be taken back.
  if (Seconds(sum_) > *bounds_.most()) Violate(what, false);
}

std::string FlowControlCheck::InWords() const {
  const FlowControlBound& bound = expectation().flow_control();
  std::string words = "flow control";
  if (bound.reason() != FlowControlBound::ANY) {
    std::string reason = FlowControlBound::Reason_Name(bound.reason());
    std::transform(reason.begin(), reason.end(), reason.begin(),
                   [](char c) { return static_cast<char>(c | 0x20); });
    absl::StrAppend(&words, " by ", reason);
  }
  return absl::StrCat(words, scope().words, " ", bounds_.InWords(" queue-s"));
}

void FlowControlCheck::Judge(const RunEnd& /*end*/,
                             Report::ExpectationReport& report) {
  const PullingMeasure& pulling = context_.measures.pulling();
  if (pulling.group(scope().group).pulls == 0) {
    Vacuous("nothing was pulled", report);
    return;
  }
  Duration sum;
  const auto add = [&](const PullingMeasure::Postponed& postponed) {
    for (size_t reason = 0; reason < postponed.size(); ++reason) {
      if (Counts(static_cast<PostponeReason>(reason))) {
        sum += postponed[reason];
      }
    }
  };
  if (scope().queues.empty()) {
    add(pulling.group(scope().group).postponed);
  } else {
    ForQueues(context_.subjects, scope(), [&](size_t /*i*/, QueueIndex queue) {
      add(pulling.queue(scope().group, queue));
    });
  }
  JudgeNumber(Seconds(sum), bounds_, " queue-s", report);
  Blame(report);
}

// ---- FairnessCheck ----

FairnessCheck::FairnessCheck(const CheckContext& context)
    : ExpectationCheck(context),
      lowest_(expectation().has_jain() &&
              !expectation().jain().time_weighted()),
      bounds_(expectation().has_jain()
                  ? Bounds::Of(expectation().jain())
                  : Bounds::Of(expectation().max_over_mean())) {
  if (lowest_ && bounds_.at_least.has_value()) {
    occurrences().Observe(OccurrenceKind::kAtRest, this);
  }
}

void FairnessCheck::OnOccurrence(OccurrenceKind /*kind*/,
                                 const Occurrence& what) {
  if (what.jain < *bounds_.at_least) Violate(what, true);
}

std::string FairnessCheck::InWords() const {
  const char* words = "time-weighted max/mean ";
  if (expectation().has_jain()) {
    words = lowest_ ? "lowest jain " : "time-weighted jain ";
  }
  return absl::StrCat(words, bounds_.InWords(""));
}

void FairnessCheck::Judge(const RunEnd& /*end*/,
                          Report::ExpectationReport& report) {
  const FairnessOverTime& fairness = ownership().fairness();
  std::optional<double> value = fairness.max_over_mean();
  if (expectation().has_jain()) {
    value = lowest_ ? fairness.jain_min() : fairness.jain();
  }
  if (!value.has_value()) {
    Vacuous("there was no moment with every queue owned", report);
    return;
  }
  JudgeNumber(*value, bounds_, "", report);
  Blame(report);
}

}  // namespace groupsim
