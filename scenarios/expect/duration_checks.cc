#include "scenarios/expect/duration_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "scenarios/measure/metrics.h"

namespace groupsim {
namespace {

using schema::Expectation;

OccurrenceKind KindOf(const Expectation& expectation) {
  switch (expectation.what_case()) {
    case Expectation::kConvergence:
      return OccurrenceKind::kConvergence;
    case Expectation::kTakeover:
      return OccurrenceKind::kTakeover;
    default:
      return OccurrenceKind::kLatency;
  }
}

double PercentileOf(const schema::DurationBound& bound) {
  return bound.has_percentile() ? bound.percentile() : 100;
}

}  // namespace

// ---- PercentileCheck ----

PercentileCheck::PercentileCheck(const CheckContext& context)
    : ExpectationCheck(context),
      kind_(KindOf(context.expectation)),
      bounds_(DurationBounds::Of(bound())),
      per_mille_(static_cast<int>(std::lround(PercentileOf(bound()) * 10))) {
  if (bounds_.within.has_value()) occurrences().Observe(kind_, this);
}

const schema::DurationBound& PercentileCheck::bound() const {
  switch (expectation().what_case()) {
    case Expectation::kConvergence:
      return expectation().convergence();
    case Expectation::kTakeover:
      return expectation().takeover();
    default:
      return expectation().latency();
  }
}

void PercentileCheck::OnOccurrence(OccurrenceKind /*kind*/,
                                   const Occurrence& what) {
  if (what.length <= *bounds_.within || violation().has_value()) return;
  if (what.queue != kNoSubject && !scope().Covers(what.queue)) return;
  Violate(what, per_mille_ == 1'000);
}

Histogram PercentileCheck::Samples() const {
  switch (kind_) {
    case OccurrenceKind::kConvergence:
      return ownership().convergence();
    case OccurrenceKind::kTakeover:
      return ownership().takeovers().takeover();
    default:
      return scope().topic.empty()
                 ? delivery().LatenciesOf(scope().group).total
                 : delivery().LatenciesOf(scope().group, scope().topic).total;
  }
}

const char* PercentileCheck::Why() const {
  switch (kind_) {
    case OccurrenceKind::kConvergence:
      return "the group never came to rest after a change";
    case OccurrenceKind::kTakeover:
      return "no queue went from one consumer to another and had a message "
             "there";
    default:
      return "no message was finished";
  }
}

std::string PercentileCheck::InWords() const {
  const char* what = "latency";
  if (kind_ == OccurrenceKind::kConvergence) what = "convergence";
  if (kind_ == OccurrenceKind::kTakeover) what = "takeover";
  const double percentile = PercentileOf(bound());
  return absl::StrCat(what, scope().words,
                      percentile == 100
                          ? " max"
                          : absl::StrCat(" p", NumberInWords(percentile)),
                      bounds_.words);
}

void PercentileCheck::Judge(const RunEnd& end,
                            Report::ExpectationReport& report) {
  if (kind_ == OccurrenceKind::kConvergence && ownership().unconverged() > 0) {
    report.set_actual("not at rest at the end");
    report.set_verdict(bounds_.within.has_value() ? Report::FAILED
                                                  : Report::PASSED);
    report.set_cause(context_.causes.Before(scope().group, end.time));
    return;
  }
  const Histogram samples = Samples();
  if (samples.count() == 0) {
    Vacuous(Why(), report);
    return;
  }
  const Duration value = samples.Percentile(per_mille_);
  report.set_actual(ToString(value));
  report.set_actual_value(Seconds(value));
  report.set_verdict(bounds_.Hold(value) ? Report::PASSED : Report::FAILED);
  Blame(report);
  if (report.verdict() == Report::FAILED && violation().has_value() &&
      kind_ == OccurrenceKind::kConvergence) {
    // The change that it took so long after.
    report.set_cause(context_.causes.Before(
        scope().group, violation()->time - violation()->length));
  }
}

// ---- LagRecoveryCheck ----

LagRecoveryCheck::LagRecoveryCheck(const CheckContext& context)
    : ExpectationCheck(context),
      bounds_(DurationBounds::Of(expectation().lag_recovery())) {
  occurrences().Observe(OccurrenceKind::kLag, this);
}

void LagRecoveryCheck::OnEvent(const std::string& name, Instant now) {
  const schema::LagRecoveryBound& bound = expectation().lag_recovery();
  if (name != bound.event()) return;
  event_ = now;
  LagMeasure& lag = delivery().lag(scope().group);
  recovery_.Begin(now, bound.has_to_lag() ? bound.to_lag() : lag.Before(now));
  recovery_.Update(now, lag.lag());
}

void LagRecoveryCheck::OnOccurrence(OccurrenceKind /*kind*/,
                                    const Occurrence& what) {
  if (!event_.has_value()) return;
  const bool was_back = recovery_.took().has_value();
  recovery_.Update(what.time, delivery().lag(scope().group).lag());
  const std::optional<Duration> took = recovery_.took();
  if (was_back || !bounds_.within.has_value()) return;
  if (took.has_value() ? *took > *bounds_.within
                       : what.time - *event_ > *bounds_.within) {
    Occurrence late;
    late.time = *event_ + *bounds_.within;
    Violate(late, true);
  }
}

std::string LagRecoveryCheck::InWords() const {
  const schema::LagRecoveryBound& bound = expectation().lag_recovery();
  return absl::StrCat(
      "lag recovery after event \"", bound.event(), "\"",
      bound.has_to_lag() ? absl::StrCat(" to ", bound.to_lag()) : std::string(),
      bounds_.words);
}

void LagRecoveryCheck::Judge(const RunEnd& end,
                             Report::ExpectationReport& report) {
  if (!event_.has_value()) {
    Vacuous(absl::StrCat("event \"", expectation().lag_recovery().event(),
                         "\" never took place"),
            report);
    return;
  }
  const std::optional<Duration> took = recovery_.took();
  if (took.has_value()) {
    report.set_actual(ToString(*took));
    report.set_actual_value(Seconds(*took));
    report.set_verdict(bounds_.Hold(*took) ? Report::PASSED : Report::FAILED);
  } else {
    report.set_actual(absl::StrCat("not back to ", recovery_.level(),
                                   " at the end, ",
                                   ToString(end.time - *event_), " later"));
    report.set_verdict(bounds_.within.has_value() ? Report::FAILED
                                                  : Report::PASSED);
    if (bounds_.within.has_value()) {
      Occurrence late;
      late.time = std::min(*event_ + *bounds_.within, end.time);
      Violate(late, true);
    }
  }
  Blame(report);
}

}  // namespace groupsim
