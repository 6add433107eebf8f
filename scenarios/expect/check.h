// One expectation about one group, or about facts, and its verdict.
#ifndef GROUPSIM_SCENARIOS_EXPECT_CHECK_H_
#define GROUPSIM_SCENARIOS_EXPECT_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "scenarios/expect/causes.h"
#include "scenarios/expect/scope.h"
#include "scenarios/expect/words.h"
#include "scenarios/measure/measures.h"
#include "scenarios/measure/occurrence.h"
#include "scenarios/schema/expectation.pb.h"
#include "scenarios/schema/report.pb.h"
#include "sim/trace/trace.h"

namespace groupsim {

// What a check works with; all of it outlives the check.
struct CheckContext {
  const schema::Expectation& expectation;
  const Subjects& subjects;
  const Causes& causes;
  const ExpectedWindow& window;
  Measures& measures;  // Of the window.
  Measures& whole;     // Of the whole run.
  Scope scope;
};

// The end of a run.
struct RunEnd {
  Instant time;
  uint64_t fact_fingerprint = 0;
};

class ExpectationCheck : public OccurrenceObserver {
 public:
  explicit ExpectationCheck(const CheckContext& context) : context_(context) {}

  // Registers for the facts that it must see one by one.
  virtual void ObserveWith(Trace& trace);
  // A named event of the timeline takes place the first time.
  virtual void OnEvent(const std::string& name, Instant now);
  // When Look() is to be called, if at all.
  virtual std::optional<Instant> look() const { return std::nullopt; }
  virtual void Look() {}
  void OnOccurrence(OccurrenceKind kind, const Occurrence& what) override;

  // What is expected, such as "lost at most 0".
  virtual std::string InWords() const = 0;
  // Fills verdict, actual value, time, subject and cause. Once, with the
  // measures finished.
  virtual void Judge(const RunEnd& end, Report::ExpectationReport& report) = 0;

  // Nothing to judge: passes only if the expectation says that it may.
  void Vacuous(absl::string_view why, Report::ExpectationReport& report) const;

  // Since when it is known that it cannot hold any more.
  const std::optional<Occurrence>& violation() const { return violation_; }
  bool violated_for_good() const { return for_good_; }

 protected:
  // The first call counts. `for_good`: whatever follows, the verdict is known.
  void Violate(const Occurrence& what, bool for_good);
  // A number against its bounds.
  void JudgeNumber(double value, const Bounds& bounds, absl::string_view unit,
                   Report::ExpectationReport& report) const;
  // Adds time, subject and cause of the first violation to a failure.
  void Blame(Report::ExpectationReport& report) const;

  const schema::Expectation& expectation() const {
    return context_.expectation;
  }
  const Scope& scope() const { return context_.scope; }
  const Window& window() const { return context_.window.window; }
  DeliveryMeasure& delivery() const { return context_.measures.delivery(); }
  OwnershipMeasure& ownership() const {
    return context_.measures.ownership(context_.scope.group);
  }
  Occurrences& occurrences() const {
    return context_.measures.occurrences(context_.scope.group);
  }

  const CheckContext context_;

 private:
  std::optional<Occurrence> violation_;
  bool for_good_ = false;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_CHECK_H_
