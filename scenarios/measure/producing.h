// What producers sent and how long it took.
#ifndef GROUPSIM_SCENARIOS_MEASURE_PRODUCING_H_
#define GROUPSIM_SCENARIOS_MEASURE_PRODUCING_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/histogram.h"
#include "sim/trace/trace.h"

namespace groupsim {

class ProducingMeasure final : public FactObserver {
 public:
  struct Result {
    int64_t sent = 0;
    int64_t failed = 0;
    int64_t sent_oneway = 0;
    // Attempts after the first one.
    int64_t retries = 0;
    // Messages given up, by what their last attempt met: the response code, a
    // negated CallError, or 0 where there was no attempt.
    absl::btree_map<int64_t, int64_t> failures;
    // Times at which a broker was avoided, all brokers together.
    Duration isolated;
    // From the scheduled arrival to the acknowledgement.
    Histogram latency;
  };

  // Returns the producer's number, from 0 in the order added.
  size_t AddProducer(Name process);
  void ObserveWith(Trace& trace);

  void OnFact(const Fact& fact) override;
  // Isolations count up to this time.
  void Close(Instant end);

  const Result& producer(size_t index) const { return results_[index]; }

 private:
  // A broker that a producer avoids.
  struct Isolation {
    Instant since;
    Instant until;
  };
  void OnIsolated(const Fact& fact, size_t producer);

  std::vector<int32_t> by_id_;  // By name id; -1 for others.
  // The last one of each, by producer and name id of the broker.
  absl::btree_map<std::pair<size_t, uint16_t>, Isolation> isolations_;
  std::vector<Result> results_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_PRODUCING_H_
