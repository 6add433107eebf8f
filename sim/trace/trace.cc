#include "sim/trace/trace.h"

#include <cstddef>

#include "model/base/check.h"
#include "model/facts/fact.h"
#include "sim/engine/engine.h"
#include "sim/trace/checkpoint.h"

namespace groupsim {

Trace::Trace(Engine& engine) : engine_(engine) {
  engine.AtEachCheckpoint(
      [](void* context) {
        auto* self = static_cast<Trace*>(context);
        self->checkpoints_.push_back(self->CheckpointNow());
      },
      this);
}

Trace::~Trace() { engine_.AtEachCheckpoint(nullptr, nullptr); }

void Trace::Observe(FactKind kind, FactObserver* observer) {
  CHECK(observer != nullptr);
  const auto number = static_cast<size_t>(InfoOf(kind).kind);
  CHECK_LT(number, kKinds);
  kinds_[number].observers.push_back(observer);
}

void Trace::ObserveAll(FactObserver* observer) {
  for (const FactKindInfo& info : AllFactKinds()) Observe(info.kind, observer);
}

void Trace::Emit(const Fact& fact) {
  const auto number = static_cast<size_t>(fact.kind);
  CHECK(number < kKinds && number > 0) << "fact of kind " << number;
  Fact told = fact;
  told.time = engine_.now();
  fingerprint_.Fold(told);
  ++facts_;
  KindRow& row = kinds_[number];
  ++row.count;
  for (FactObserver* observer : row.observers) observer->OnFact(told);
}

const Trace::KindRow& Trace::Row(FactKind kind) const {
  return kinds_[static_cast<size_t>(InfoOf(kind).kind)];
}

Checkpoint Trace::CheckpointNow() const {
  return {engine_.fired(), engine_.schedule_fingerprint(), fact_fingerprint()};
}

}  // namespace groupsim
