#include "scenarios/lint/lint.h"

#include <algorithm>

#include "scenarios/lint/lints.h"
#include "scenarios/lint/subject.h"

namespace groupsim {
namespace {

void LookAtNothing(const LintSubject& /*subject*/, LintNotes& /*notes*/) {}

constexpr Lint kLints[] = {
    {"cache-larger-than-heap",
     "The queues of one consumer may cache more bytes than a heap of 4 GiB, "
     "which is assumed, holds.",
     "lower pull_threshold_size_for_queue or pull_threshold_for_queue, or run "
     "more consumers",
     &LookAtCacheLargerThanHeap},
    {"consume-from-last-with-growing-queues",
     "Queues are added to a topic of a group that begins new queues at their "
     "end: what is sent there before the group finds them is skipped.",
     "consume_from_where: CONSUME_FROM_FIRST_OFFSET",
     &LookAtConsumeFromLastWithGrowingQueues},
    {"duplicate-client-id",
     "Two consumers of a group have one client id: brokers take them for one "
     "member, and both own the same queues.",
     "leave client_id out", &LookAtDuplicateClientId},
    {"empty-machine-room",
     "A strategy goes by machine rooms, and a room has consumers without "
     "brokers or brokers without consumers.",
     "give each room brokers and consumers", &LookAtEmptyMachineRoom},
    {"fault-after-end",
     "Something of the timeline lies after the end of the run.",
     "let the run last longer, or the event come earlier",
     &LookAtFaultAfterEnd},
    {"few-queues-for-hash",
     "A strategy shares queues out by hash, and there are fewer than ten "
     "queues for each consumer: chance decides, some may own none.",
     "add queues, or take a strategy with equal shares",
     &LookAtFewQueuesForHash},
    {"heartbeat-not-below-expiry",
     "Clients send heartbeats less often than a broker expects them: members "
     "come and go all the time.",
     "keep heartbeat_broker_interval well below channel_expired_timeout",
     &LookAtHeartbeatNotBelowExpiry},
    {"inconsistent-subscription",
     "Consumers of one group subscribe to different topics or tags: brokers "
     "keep one subscription of the group, the newest, and messages that others "
     "want are skipped without lag.",
     "give all consumers of a group the same subscriptions",
     &LookAtInconsistentSubscription},
    {"listener-outlives-lock",
     "A call of an orderly listener may take longer than brokers and consumers "
     "wait before they let go of the queue's lock: two consumers work on one "
     "queue when it moves meanwhile.",
     "let calls take less than unlock_delay_time_mills, or smaller batches",
     &LookAtListenerOutlivesLock},
    {"lock-outlives-takeover-goal",
     "A takeover is expected sooner than brokers let go of the queue locks of "
     "a consumer that died.",
     "lower lock_max_live_time of the brokers, or expect less",
     &LookAtLockOutlivesTakeoverGoal},
    {"mixed-strategies",
     "Consumers of one group share queues out by different strategies: some "
     "queues get two owners, others none.",
     "give all consumers of a group the same strategy", &LookAtMixedStrategies},
    {"more-consumers-than-queues",
     "A group has more consumers than queues: the surplus ones own none.",
     "add queues, or run fewer consumers", &LookAtMoreConsumersThanQueues},
    {"remainder-skew",
     "The surplus queue of every topic lands on the same consumers.",
     "make the queues of each topic a multiple of the consumers, or take "
     "another strategy",
     &LookAtRemainderSkew},
    {"retries-outlast-run",
     "Failing messages are retried for longer than the run lasts, so their "
     "end is not seen.",
     "let the run last longer, or lower max_reconsume_times",
     &LookAtRetriesOutlastRun},
    {"shrink-before-drain",
     "Queues are closed to readers while producers may still write to them, "
     "or just did: messages stay behind.",
     "shrink write_to first, and read_to when the queues are drained",
     &LookAtShrinkBeforeDrain},
    {"tag-never-sent",
     "A subscription names a tag that no producer of the topic gives a "
     "message.",
     "name a tag that is sent, or give a producer this one",
     &LookAtTagsNeverSent},
    {kUnusedAllow,
     "A comment allows a lint that has nothing to say there: it may hide what "
     "comes later.",
     "take the comment away", &LookAtNothing},
};

}  // namespace

absl::Span<const Lint> AllLints() { return kLints; }

const Lint* FindLint(absl::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kLints), std::end(kLints),
                   [name](const Lint& lint) { return lint.name == name; });
  return found == std::end(kLints) ? nullptr : found;
}

std::vector<LintFinding> RunLints(const Scenario& scenario) {
  const LintSubject subject(scenario);
  std::vector<LintFinding> findings;
  for (const Lint& lint : kLints) {
    LintNotes notes(lint, findings);
    lint.look(subject, notes);
  }
  return findings;
}

}  // namespace groupsim
