// The lints. What each is about stands in the table in lint.cc.
#ifndef GROUPSIM_SCENARIOS_LINT_LINTS_H_
#define GROUPSIM_SCENARIOS_LINT_LINTS_H_

#include <cstdint>

#include "scenarios/lint/lint.h"
#include "scenarios/lint/subject.h"

namespace groupsim {

// Sharing of queues (sharing_lints.cc).
void LookAtMoreConsumersThanQueues(const LintSubject& subject,
                                   LintNotes& notes);
void LookAtRemainderSkew(const LintSubject& subject, LintNotes& notes);
void LookAtFewQueuesForHash(const LintSubject& subject, LintNotes& notes);
void LookAtEmptyMachineRoom(const LintSubject& subject, LintNotes& notes);

// Members of one group that differ, or do not (member_lints.cc).
void LookAtDuplicateClientId(const LintSubject& subject, LintNotes& notes);
void LookAtInconsistentSubscription(const LintSubject& subject,
                                    LintNotes& notes);
void LookAtTagsNeverSent(const LintSubject& subject, LintNotes& notes);
void LookAtMixedStrategies(const LintSubject& subject, LintNotes& notes);

// Settings that do not go together (settings_lints.cc).
//
// The heap that a consumer is assumed to have.
inline constexpr int64_t kAssumedHeapBytes = int64_t{4} << 30;
void LookAtCacheLargerThanHeap(const LintSubject& subject, LintNotes& notes);
void LookAtHeartbeatNotBelowExpiry(const LintSubject& subject,
                                   LintNotes& notes);
void LookAtLockOutlivesTakeoverGoal(const LintSubject& subject,
                                    LintNotes& notes);
void LookAtListenerOutlivesLock(const LintSubject& subject, LintNotes& notes);
void LookAtRetriesOutlastRun(const LintSubject& subject, LintNotes& notes);

// The timeline (timeline_lints.cc).
void LookAtConsumeFromLastWithGrowingQueues(const LintSubject& subject,
                                            LintNotes& notes);
void LookAtFaultAfterEnd(const LintSubject& subject, LintNotes& notes);
void LookAtShrinkBeforeDrain(const LintSubject& subject, LintNotes& notes);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LINT_LINTS_H_
