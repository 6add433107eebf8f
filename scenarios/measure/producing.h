// What producers sent and how long it took.
#ifndef GROUPSIM_SCENARIOS_MEASURE_PRODUCING_H_
#define GROUPSIM_SCENARIOS_MEASURE_PRODUCING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/name.h"
#include "model/facts/fact.h"
#include "scenarios/measure/histogram.h"
#include "sim/trace/trace.h"

namespace groupsim {

class ProducingMeasure final : public FactObserver {
 public:
  struct Result {
    int64_t sent = 0;
    int64_t failed = 0;
    // From the scheduled arrival to the acknowledgement.
    Histogram latency;
  };

  // Returns the producer's number, from 0 in the order added.
  size_t AddProducer(Name process);
  void ObserveWith(Trace& trace);

  void OnFact(const Fact& fact) override;

  const Result& producer(size_t index) const { return results_[index]; }

 private:
  std::vector<int32_t> by_id_;  // By name id; -1 for others.
  std::vector<Result> results_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_PRODUCING_H_
