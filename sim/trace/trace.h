// Where the facts of a simulated run go.
#ifndef GROUPSIM_SIM_TRACE_TRACE_H_
#define GROUPSIM_SIM_TRACE_TRACE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "model/facts/fact.h"
#include "sim/engine/engine.h"
#include "sim/engine/fingerprint.h"
#include "sim/trace/checkpoint.h"

namespace groupsim {

// Somebody who looks at facts: a measure, an expectation, a log.
class FactObserver {
 public:
  virtual ~FactObserver() = default;
  virtual void OnFact(const Fact& fact) = 0;
};

// Gives each fact the virtual time, folds it into the fact fingerprint, counts
// it, and hands it to the observers of its kind in the order in which they
// registered.
//
// Keeps a checkpoint of both fingerprints every Engine::kCheckpointEvents
// events, so that the first difference between two runs can be found without
// keeping either of them.
class Trace final : public FactSink {
 public:
  // Takes the engine's checkpoint hook. `engine` must outlive the trace.
  explicit Trace(Engine& engine);
  ~Trace() override;
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // Calls `observer` for each later fact of a kind; it must outlive the trace,
  // or the last fact. An observer may emit facts of its own, which everybody
  // sees before the rest of the observers see the one being told.
  void Observe(FactKind kind, FactObserver* observer);

  // The same for every kind.
  void ObserveAll(FactObserver* observer);

  void Emit(const Fact& fact) override;

  // How many facts there were, and how many of a kind.
  uint64_t facts() const { return facts_; }
  uint64_t CountOf(FactKind kind) const { return Row(kind).count; }

  // Of all facts so far, their times included.
  uint64_t fact_fingerprint() const { return fingerprint_.value(); }

  // The checkpoints so far.
  absl::Span<const Checkpoint> checkpoints() const { return checkpoints_; }

  // Both fingerprints as they stand: a last checkpoint for a finished run.
  Checkpoint CheckpointNow() const;

 private:
  // Above every number in the table of facts.
  static constexpr size_t kKinds = 128;

  struct KindRow {
    uint64_t count = 0;
    std::vector<FactObserver*> observers;
  };

  const KindRow& Row(FactKind kind) const;

  Engine& engine_;
  Fingerprint fingerprint_;
  uint64_t facts_ = 0;
  std::array<KindRow, kKinds> kinds_;
  std::vector<Checkpoint> checkpoints_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_TRACE_TRACE_H_
