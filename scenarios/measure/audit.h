// Conservation: what must hold in every run, whatever the scenario.
#ifndef GROUPSIM_SCENARIOS_MEASURE_AUDIT_H_
#define GROUPSIM_SCENARIOS_MEASURE_AUDIT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/base/time.h"

namespace groupsim {

// The laws that facts are audited against. Each is caught failing by a forged
// stream of facts of its own.
enum class AuditLaw {
  kStoredWithoutGaps,     // Offsets of a queue are stored one after another.
  kDeliveredIsStored,     // Nothing is delivered that was not stored.
  kFinishedIsDelivered,   // Nothing is finished that was not delivered.
  kCommittedWithinQueue,  // No committed offset lies above the maximum.
  kSentIsStored,          // What a producer got acknowledged was stored.
  kMessagesAreConserved,  // stored = delivered + skipped + filtered +
                          // consumed before + not yet delivered.
  kCacheIsConserved,      // pulled = finished + abandoned + still cached.
  kOwnersAreAlive,        // Only live members own, pull and deliver.
  kTimeNeverGoesBack,     // Facts come in order of time.
  kOwnersMatchTheTables,  // Owners by facts are owners by the clients' tables.
  kCopiesHaveOrigins,     // Each copy is of a message that was stored before.
};
absl::string_view NameOf(AuditLaw law);
absl::Span<const AuditLaw> AllAuditLaws();

// Collects violations, or hands the first one to a handler that does not come
// back (as `run` does, which stops with an internal error).
class Audit {
 public:
  struct Violation {
    AuditLaw law;
    Instant time;
    std::string what;
  };

  void OnViolation(absl::AnyInvocable<void(const Violation&)> handler) {
    handler_ = std::move(handler);
  }

  void Fail(AuditLaw law, Instant time, std::string what);

  // One more look at a law; cheap.
  void Count(AuditLaw law) { ++checks_[static_cast<size_t>(law)]; }
  int64_t checks(AuditLaw law) const {
    return checks_[static_cast<size_t>(law)];
  }

  const std::vector<Violation>& violations() const { return violations_; }

 private:
  absl::AnyInvocable<void(const Violation&)> handler_;
  std::vector<Violation> violations_;
  std::array<int64_t, 11> checks_{};
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_AUDIT_H_
