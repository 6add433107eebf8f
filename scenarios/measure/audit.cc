#include "scenarios/measure/audit.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace groupsim {
namespace {

// Enough to understand a broken run; more would only repeat it.
constexpr size_t kMaxViolations = 100;

constexpr AuditLaw kAllLaws[] = {
    AuditLaw::kStoredWithoutGaps,   AuditLaw::kDeliveredIsStored,
    AuditLaw::kFinishedIsDelivered, AuditLaw::kCommittedWithinQueue,
    AuditLaw::kSentIsStored,        AuditLaw::kMessagesAreConserved,
    AuditLaw::kCacheIsConserved,    AuditLaw::kOwnersAreAlive,
    AuditLaw::kTimeNeverGoesBack,   AuditLaw::kOwnersMatchTheTables,
    AuditLaw::kCopiesHaveOrigins,
};

}  // namespace

absl::string_view NameOf(AuditLaw law) {
  switch (law) {
    case AuditLaw::kStoredWithoutGaps:
      return "stored without gaps";
    case AuditLaw::kDeliveredIsStored:
      return "delivered is stored";
    case AuditLaw::kFinishedIsDelivered:
      return "finished is delivered";
    case AuditLaw::kCommittedWithinQueue:
      return "committed within queue";
    case AuditLaw::kSentIsStored:
      return "sent is stored";
    case AuditLaw::kMessagesAreConserved:
      return "messages are conserved";
    case AuditLaw::kCacheIsConserved:
      return "cache is conserved";
    case AuditLaw::kOwnersAreAlive:
      return "owners are alive";
    case AuditLaw::kTimeNeverGoesBack:
      return "time never goes back";
    case AuditLaw::kOwnersMatchTheTables:
      return "owners match the tables";
    case AuditLaw::kCopiesHaveOrigins:
      return "copies have origins";
  }
  return "unknown law";
}

absl::Span<const AuditLaw> AllAuditLaws() { return kAllLaws; }

void Audit::Fail(AuditLaw law, Instant time, std::string what) {
  if (violations_.size() >= kMaxViolations) return;
  violations_.push_back(Violation{law, time, std::move(what)});
  if (handler_) handler_(violations_.back());
}

}  // namespace groupsim
