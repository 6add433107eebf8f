#include "sim/trace/trace.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "model/base/check.h"
#include "model/facts/fact.h"
#include "sim/engine/engine.h"
#include "sim/trace/checkpoint.h"

namespace groupsim {

// The words made in Emit are the bytes of a Fact.
static_assert(std::endian::native == std::endian::little);

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
  // Put together word by word: fields were just written one by one, and a wider
  // load would wait until all of them have left the processor's store buffer.
  const std::array<uint64_t, 6> words = {
      static_cast<uint64_t>(engine_.now().nanos()),
      static_cast<uint64_t>(fact.kind) | uint64_t{fact.group} << 16 |
          uint64_t{fact.host} << 32,
      uint64_t{fact.topic} | uint64_t{fact.broker} << 32 |
          uint64_t{fact.queue} << 48,
      static_cast<uint64_t>(fact.offset),
      static_cast<uint64_t>(fact.count),
      static_cast<uint64_t>(fact.value),
  };
  fingerprint_.Fold(words);
  ++facts_;
  KindRow& row = kinds_[number];
  ++row.count;
  if (row.observers.empty()) return;
  const Fact told = std::bit_cast<Fact>(words);
  for (FactObserver* observer : row.observers) observer->OnFact(told);
}

const Trace::KindRow& Trace::Row(FactKind kind) const {
  return kinds_[static_cast<size_t>(InfoOf(kind).kind)];
}

Checkpoint Trace::CheckpointNow() const {
  return {engine_.fired(), engine_.schedule_fingerprint(), fact_fingerprint()};
}

}  // namespace groupsim
