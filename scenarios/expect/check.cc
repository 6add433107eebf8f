#include "scenarios/expect/check.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "scenarios/measure/metrics.h"

namespace groupsim {

void ExpectationCheck::ObserveWith(Trace& /*trace*/) {}
void ExpectationCheck::OnEvent(const std::string& /*name*/, Instant /*now*/) {}
void ExpectationCheck::OnOccurrence(OccurrenceKind /*kind*/,
                                    const Occurrence& /*what*/) {}

void ExpectationCheck::Violate(const Occurrence& what, bool for_good) {
  if (!violation_.has_value()) violation_ = what;
  for_good_ |= for_good;
}

void ExpectationCheck::Vacuous(absl::string_view why,
                               Report::ExpectationReport& report) const {
  report.set_verdict(expectation().may_be_absent() ? Report::PASSED
                                                   : Report::VACUOUS);
  report.set_actual("nothing to judge");
  report.set_cause(std::string(why));
}

void ExpectationCheck::JudgeNumber(double value, const Bounds& bounds,
                                   absl::string_view unit,
                                   Report::ExpectationReport& report) const {
  report.set_actual(absl::StrCat(NumberInWords(value), unit));
  report.set_actual_value(value);
  report.set_verdict(bounds.Hold(value) ? Report::PASSED : Report::FAILED);
}

void ExpectationCheck::Blame(Report::ExpectationReport& report) const {
  if (report.verdict() != Report::FAILED || !violation_.has_value()) return;
  report.set_violated_at_seconds(Seconds(violation_->time.since_start()));
  const std::string subject = SubjectInWords(context_.subjects, *violation_);
  if (!subject.empty()) report.set_subject(subject);
  report.set_cause(context_.causes.Before(scope().group, violation_->time));
}

}  // namespace groupsim
