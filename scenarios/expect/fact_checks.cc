#include "scenarios/expect/fact_checks.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/facts/fact.h"
#include "scenarios/measure/metrics.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

// "DELIVERED at pod-2, orders broker-a#3, offset 17".
std::string FactInWords(const NameTable& names, const Fact& fact) {
  std::string text(InfoOf(fact.kind).name);
  if (fact.host != 0) {
    absl::StrAppend(&text, " at ", names.FromId(fact.host).text());
  }
  if (fact.topic != 0) {
    absl::StrAppend(&text, ", ", names.FromId(fact.topic).text());
  }
  if (fact.topic != 0 && fact.broker != 0) {
    absl::StrAppend(&text, " ", names.FromId(fact.broker).text(), "#",
                    fact.queue, ", offset ", fact.offset);
  }
  return text;
}

const schema::FactPattern& PatternOf(const schema::Expectation& expectation) {
  return expectation.has_never() ? expectation.never()
                                 : expectation.sometimes().seen();
}

}  // namespace

// ---- FactCountCheck ----

FactCountCheck::FactCountCheck(const CheckContext& context, NameTable& names)
    : ExpectationCheck(context),
      names_(names),
      filter_(PatternOf(context.expectation), names) {
  if (expectation().has_never()) {
    bounds_.at_most = 0;
    return;
  }
  bounds_ = Bounds::Of(expectation().sometimes());
  if (!bounds_.at_least.has_value() && !bounds_.at_most.has_value()) {
    bounds_.at_least = 1;
  }
}

void FactCountCheck::ObserveWith(Trace& trace) {
  trace.Observe(filter_.kind(), this);
}

void FactCountCheck::OnFact(const Fact& fact) {
  if (!window().Contains(fact.time) || !filter_.Matches(fact)) return;
  ++seen_;
  if (!bounds_.at_most.has_value() || first_over_.has_value() ||
      static_cast<double>(seen_) <= *bounds_.at_most) {
    return;
  }
  first_over_ = fact;
  Occurrence what;
  what.time = fact.time;
  Violate(what, true);
}

std::string FactCountCheck::InWords() const {
  if (expectation().has_never()) {
    return absl::StrCat("never ", filter_.text());
  }
  return absl::StrCat("sometimes ", filter_.text(), ", ",
                      bounds_.InWords(" times"));
}

void FactCountCheck::Judge(const RunEnd& /*end*/,
                           Report::ExpectationReport& report) {
  JudgeNumber(static_cast<double>(seen_), bounds_, "", report);
  report.set_actual(absl::StrCat("seen ", report.actual(), " times"));
  Blame(report);
  if (report.verdict() == Report::FAILED && first_over_.has_value()) {
    report.set_subject(FactInWords(names_, *first_over_));
  }
}

// ---- EventuallyCheck ----

EventuallyCheck::EventuallyCheck(const CheckContext& context, NameTable& names)
    : ExpectationCheck(context),
      filter_(context.expectation.eventually().seen(), names) {
  const schema::EventuallyBound& bound = expectation().eventually();
  if (bound.has_after()) after_.emplace(bound.after(), names);
  if (bound.has_within()) within_ = Parsed(bound.within());
}

void EventuallyCheck::ObserveWith(Trace& trace) {
  trace.Observe(filter_.kind(), this);
  if (after_.has_value() && after_->kind() != filter_.kind()) {
    trace.Observe(after_->kind(), this);
  }
}

Instant EventuallyCheck::DeadlineOf(Instant begin) const {
  return within_.has_value() ? begin + *within_ : Instant::Max();
}

void EventuallyCheck::Miss() {
  Occurrence what;
  what.time = DeadlineOf(*waiting_);
  Violate(what, true);
}

void EventuallyCheck::OnFact(const Fact& fact) {
  if (!window().Contains(fact.time)) return;
  if (!after_.has_value()) {
    if (answered_ > 0 || !filter_.Matches(fact)) return;
    ++answered_;
    waiting_ = window().from;
    slowest_ = fact.time - *waiting_;
    if (fact.time > DeadlineOf(*waiting_)) Miss();
    return;
  }
  if (fact.kind == filter_.kind() && waiting_.has_value() &&
      filter_.Matches(fact)) {
    const Duration took = fact.time - *waiting_;
    slowest_ = std::max(slowest_.value_or(took), took);
    if (fact.time > DeadlineOf(*waiting_)) Miss();
    answered_ += open_;
    open_ = 0;
    waiting_.reset();
  }
  if (fact.kind == after_->kind() && after_->Matches(fact)) {
    ++begun_;
    ++open_;
    if (!waiting_.has_value()) waiting_ = fact.time;
  }
}

std::string EventuallyCheck::InWords() const {
  const schema::EventuallyBound& bound = expectation().eventually();
  std::string words = absl::StrCat("eventually ", filter_.text());
  if (after_.has_value()) {
    absl::StrAppend(&words, " after each ", after_->text());
  }
  if (bound.has_within()) absl::StrAppend(&words, " within ", bound.within());
  return words;
}

void EventuallyCheck::Judge(const RunEnd& end,
                            Report::ExpectationReport& report) {
  const Instant last = std::min(end.time, window().to);
  if (after_.has_value()) {
    // What may still be answered in time after the end does not count.
    if (waiting_.has_value() &&
        (!within_.has_value() || DeadlineOf(*waiting_) <= last)) {
      Occurrence what;
      what.time = within_.has_value() ? DeadlineOf(*waiting_) : last;
      Violate(what, true);
    }
    if (begun_ == 0 || (answered_ == 0 && !violation().has_value())) {
      Vacuous(absl::StrCat("no ", after_->text(),
                           begun_ == 0 ? "" : " early enough to be judged"),
              report);
      return;
    }
  } else if (answered_ == 0) {
    Occurrence what;
    what.time = std::min(DeadlineOf(window().from), last);
    Violate(what, true);
  }
  report.set_verdict(violation().has_value() ? Report::FAILED : Report::PASSED);
  if (slowest_.has_value()) {
    report.set_actual(absl::StrCat(after_.has_value() ? "at the latest " : "",
                                   ToString(*slowest_), " later"));
    report.set_actual_value(Seconds(*slowest_));
  } else {
    report.set_actual("not seen");
  }
  if (after_.has_value() && open_ > 0 && violation().has_value() &&
      waiting_.has_value()) {
    report.set_actual(
        absl::StrCat("not seen after that at ", ToString(*waiting_)));
    report.clear_actual_value();
  }
  Blame(report);
}

// ---- FingerprintCheck ----

std::string FingerprintCheck::InWords() const {
  return absl::StrCat("fact fingerprint equals ",
                      expectation().fact_fingerprint().equals());
}

void FingerprintCheck::Judge(const RunEnd& end,
                             Report::ExpectationReport& report) {
  const std::string actual = absl::StrFormat("%016x", end.fact_fingerprint);
  report.set_actual(actual);
  report.set_verdict(
      absl::AsciiStrToLower(expectation().fact_fingerprint().equals()) == actual
          ? Report::PASSED
          : Report::FAILED);
}

}  // namespace groupsim
