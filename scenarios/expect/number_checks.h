// Expectations about numbers of messages, queues and queue-seconds.
#ifndef GROUPSIM_SCENARIOS_EXPECT_NUMBER_CHECKS_H_
#define GROUPSIM_SCENARIOS_EXPECT_NUMBER_CHECKS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "model/base/time.h"
#include "model/facts/causes.h"
#include "scenarios/expect/check.h"

namespace groupsim {

// lost, duplicates, skipped, out_of_order, dead_letters, moves: things that are
// counted one by one.
class CountCheck final : public ExpectationCheck {
 public:
  explicit CountCheck(const CheckContext& context);

  void OnOccurrence(OccurrenceKind kind, const Occurrence& what) override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  // What the count is, as the measures say.
  int64_t Value() const;
  // Whether there was anything that could have been counted.
  bool Possible() const;

  const char* words_ = "";
  Bounds bounds_;
  OccurrenceKind kind_{};
  // Of the messages; null for moves.
  int64_t DeliveryMeasure::Counts::*member_ = nullptr;
  // Which of them must not be none, or there is nothing to judge.
  int64_t DeliveryMeasure::Counts::*base_ = nullptr;
  int64_t seen_ = 0;
};

// unowned_queue_seconds, double_owned_queue_seconds.
class QueueSecondsCheck final : public ExpectationCheck {
 public:
  explicit QueueSecondsCheck(const CheckContext& context);

  void OnOccurrence(OccurrenceKind kind, const Occurrence& what) override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  // The sum grows up to `now`.
  void Advance(Instant now);

  const bool unowned_;
  const Bounds bounds_;
  OwnershipMeasure::QueueTime sum_ = 0;  // Queue-nanoseconds.
  int64_t queues_ = 0;                   // In that state now.
  Occurrence last_;                      // That made them more.
  Instant since_;
};

// lag: the most at one time.
class LagCheck final : public ExpectationCheck {
 public:
  explicit LagCheck(const CheckContext& context);

  void OnOccurrence(OccurrenceKind kind, const Occurrence& what) override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  // The lag was `lag_` from `since_` to `now`.
  void Advance(Instant now);
  void Raise(Instant when, QueueIndex queue);

  const Bounds bounds_;
  int64_t lag_ = 0;  // Of the scope.
  Instant since_;
  int64_t peak_ = 0;
};

// flow_control.
class FlowControlCheck final : public ExpectationCheck {
 public:
  explicit FlowControlCheck(const CheckContext& context);

  void OnOccurrence(OccurrenceKind kind, const Occurrence& what) override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  bool Counts(PostponeReason reason) const;

  const Bounds bounds_;
  Duration sum_;
};

// jain and max_over_mean.
class FairnessCheck final : public ExpectationCheck {
 public:
  explicit FairnessCheck(const CheckContext& context);

  void OnOccurrence(OccurrenceKind kind, const Occurrence& what) override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  const bool lowest_;  // Jain at its lowest; else a mean.
  const Bounds bounds_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_NUMBER_CHECKS_H_
