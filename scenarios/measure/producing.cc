#include "scenarios/measure/producing.h"

#include <algorithm>
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
  for (const FactKind kind :
       {FactKind::SENT, FactKind::SEND_FAILED, FactKind::SENT_ONEWAY,
        FactKind::BROKER_ISOLATED}) {
    trace.Observe(kind, this);
  }
}

void ProducingMeasure::OnFact(const Fact& fact) {
  if (fact.host >= by_id_.size() || by_id_[fact.host] < 0) return;
  const auto index = static_cast<size_t>(by_id_[fact.host]);
  Result& result = results_[index];
  switch (fact.kind) {
    case FactKind::SEND_FAILED:
      ++result.failed;
      result.retries += std::max<int64_t>(fact.count - 1, 0);
      ++result.failures[fact.offset];
      return;
    case FactKind::SENT_ONEWAY:
      ++result.sent_oneway;
      return;
    case FactKind::BROKER_ISOLATED:
      OnIsolated(fact, index);
      return;
    default:
      ++result.sent;
      result.retries += fact.count - 1;
      result.latency.Add(fact.time - Instant::FromNanos(fact.value));
  }
}

// Isolations of one broker overlap where a later one ends later.
void ProducingMeasure::OnIsolated(const Fact& fact, size_t producer) {
  const Instant until = fact.time + Duration::Nanos(fact.value);
  Isolation& last = isolations_[{producer, fact.broker}];
  if (fact.time > last.until) {
    results_[producer].isolated += last.until - last.since;
    last.since = fact.time;
  }
  last.until = std::max(last.until, until);
}

void ProducingMeasure::Close(Instant end) {
  for (auto& [key, isolation] : isolations_) {
    const Instant until = std::min(isolation.until, end);
    if (until > isolation.since) {
      results_[key.first].isolated += until - isolation.since;
    }
    isolation.since = isolation.until = end;
  }
}

}  // namespace groupsim
