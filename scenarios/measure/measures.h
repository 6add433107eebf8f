// All measures of one run, or of a window of it, fed from one stream of facts.
#ifndef GROUPSIM_SCENARIOS_MEASURE_MEASURES_H_
#define GROUPSIM_SCENARIOS_MEASURE_MEASURES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/audit.h"
#include "scenarios/measure/delivery.h"
#include "scenarios/measure/locking.h"
#include "scenarios/measure/losses.h"
#include "scenarios/measure/occurrence.h"
#include "scenarios/measure/ownership.h"
#include "scenarios/measure/pulling.h"
#include "scenarios/measure/retrying.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"
#include "sim/trace/trace.h"

namespace groupsim {

struct MeasureOptions {
  Duration total;    // Length of the run; > 0.
  int columns = 40;  // Of series over time.
  Window window;     // What is measured; state is followed all the time.
};

class Measures final : public FactObserver {
 public:
  // `subjects` must be complete and outlive the measures.
  Measures(const Subjects& subjects, const MeasureOptions& options);

  // Registers with a trace for the kinds that matter.
  void ObserveWith(Trace& trace);

  void OnFact(const Fact& fact) override;

  // From the next fact on this is what is measured, instead of the window so
  // far, which must not have begun. `window` begins now or later.
  void SetWindow(const Window& window);

  // The run ended at `end`. Completes the results.
  void Finish(Instant end);

  const Subjects& subjects() const { return subjects_; }
  const Window& window() const { return window_; }
  // What is counted, one by one. Observers register before the first fact.
  Occurrences& occurrences(GroupIndex group) {
    return occurrences_[static_cast<size_t>(group)];
  }
  OwnershipMeasure& ownership(GroupIndex group) {
    return *ownership_[static_cast<size_t>(group)];
  }
  DeliveryMeasure& delivery() { return delivery_; }
  PullingMeasure& pulling() { return pulling_; }
  RetryMeasure& retrying() { return retrying_; }
  LockingMeasure& locking() { return locking_; }
  Audit& audit() { return audit_; }

 private:
  void CheckAlive(const SeenFact& seen);
  void Route(const Fact& fact);
  // The window is over: takes down what is said of its end.
  void Close();

  const Subjects& subjects_;
  Window window_;
  bool closed_ = false;
  std::vector<Occurrences> occurrences_;  // By group.
  Audit audit_;
  Instant last_time_ = Instant::FromNanos(INT64_MIN);
  std::vector<std::unique_ptr<OwnershipMeasure>> ownership_;  // By group.
  DeliveryMeasure delivery_;
  PullingMeasure pulling_;
  RetryMeasure retrying_;
  LossMeasure losses_;
  LockingMeasure locking_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_MEASURES_H_
