// Expectations about facts, and about all of them together.
#ifndef GROUPSIM_SCENARIOS_EXPECT_FACT_CHECKS_H_
#define GROUPSIM_SCENARIOS_EXPECT_FACT_CHECKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/expect/check.h"
#include "scenarios/faults/fact_filter.h"
#include "sim/trace/trace.h"

namespace groupsim {

// sometimes and never: how many facts like this there are.
class FactCountCheck final : public ExpectationCheck, public FactObserver {
 public:
  FactCountCheck(const CheckContext& context, NameTable& names);

  void ObserveWith(Trace& trace) override;
  void OnFact(const Fact& fact) override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  NameTable& names_;
  const FactFilter filter_;
  Bounds bounds_;
  int64_t seen_ = 0;
  std::optional<Fact> first_over_;
};

// eventually: a fact like this comes in time, once, or after each of others.
class EventuallyCheck final : public ExpectationCheck, public FactObserver {
 public:
  EventuallyCheck(const CheckContext& context, NameTable& names);

  void ObserveWith(Trace& trace) override;
  void OnFact(const Fact& fact) override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  // What began at `begin` must have been answered by then.
  Instant DeadlineOf(Instant begin) const;
  // The oldest one waiting was not answered by `now`.
  void Miss();

  const FactFilter filter_;
  std::optional<FactFilter> after_;
  std::optional<Duration> within_;
  // The oldest fact that waits for an answer; without `after`, the begin of the
  // window.
  std::optional<Instant> waiting_;
  int64_t begun_ = 0;
  int64_t answered_ = 0;  // Facts of `after`, or 1.
  int64_t open_ = 0;      // Facts that wait.
  std::optional<Duration> slowest_;
};

// fact_fingerprint.
class FingerprintCheck final : public ExpectationCheck {
 public:
  using ExpectationCheck::ExpectationCheck;

  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_FACT_CHECKS_H_
