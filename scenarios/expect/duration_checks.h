// Expectations about how long things take.
#ifndef GROUPSIM_SCENARIOS_EXPECT_DURATION_CHECKS_H_
#define GROUPSIM_SCENARIOS_EXPECT_DURATION_CHECKS_H_

#include <optional>
#include <string>

#include "model/base/time.h"
#include "scenarios/expect/check.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/lag.h"
#include "scenarios/reader/values.h"

namespace groupsim {

// Bounds of a duration, from at_least and within.
struct DurationBounds {
  std::optional<Duration> at_least;
  std::optional<Duration> within;
  std::string words;  // " at least 5s within 10s", as the scenario has it.

  template <class Message>
  static DurationBounds Of(const Message& message) {
    DurationBounds bounds;
    if (message.has_at_least()) {
      bounds.at_least = Parsed(message.at_least());
      bounds.words += " at least " + message.at_least();
    }
    if (message.has_within()) {
      bounds.within = Parsed(message.within());
      bounds.words += " within " + message.within();
    }
    return bounds;
  }

  bool Hold(Duration value) const {
    return !(at_least && value < *at_least) && !(within && value > *within);
  }
};

// convergence, takeover, latency: a percentile of many.
class PercentileCheck final : public ExpectationCheck {
 public:
  explicit PercentileCheck(const CheckContext& context);

  void OnOccurrence(OccurrenceKind kind, const Occurrence& what) override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  const schema::DurationBound& bound() const;
  Histogram Samples() const;
  const char* Why() const;

  const OccurrenceKind kind_;
  const DurationBounds bounds_;
  const int per_mille_;
};

// lag_recovery.
class LagRecoveryCheck final : public ExpectationCheck {
 public:
  explicit LagRecoveryCheck(const CheckContext& context);

  void OnEvent(const std::string& name, Instant now) override;
  void OnOccurrence(OccurrenceKind kind, const Occurrence& what) override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  const DurationBounds bounds_;
  std::optional<Instant> event_;
  LagRecovery recovery_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_DURATION_CHECKS_H_
