#include "scenarios/measure/producing.h"

#include <cstddef>
#include <cstdint>

#include "model/base/time.h"

namespace groupsim {

size_t ProducingMeasure::AddProducer(Name process) {
  if (process.id() >= by_id_.size()) by_id_.resize(process.id() + 1, -1);
  by_id_[process.id()] = static_cast<int32_t>(results_.size());
  results_.emplace_back();
  return results_.size() - 1;
}

void ProducingMeasure::ObserveWith(Trace& trace) {
  trace.Observe(FactKind::SENT, this);
  trace.Observe(FactKind::SEND_FAILED, this);
}

void ProducingMeasure::OnFact(const Fact& fact) {
  if (fact.host >= by_id_.size() || by_id_[fact.host] < 0) return;
  Result& result = results_[static_cast<size_t>(by_id_[fact.host])];
  if (fact.kind == FactKind::SEND_FAILED) {
    ++result.failed;
    return;
  }
  ++result.sent;
  result.latency.Add(fact.time - Instant::FromNanos(fact.value));
}

}  // namespace groupsim
