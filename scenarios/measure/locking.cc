#include "scenarios/measure/locking.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace groupsim {

LockingMeasure::LockingMeasure(const Subjects& subjects, Window window)
    : subjects_(subjects),
      window_(window),
      groups_(subjects.groups().size()),
      rounds_(subjects.consumers().size()) {}

bool LockingMeasure::GaveUp(GroupIndex group, const Wait& wait,
                            Instant now) const {
  if (now - wait.last <= kSilence) return false;
  const std::vector<ConsumerIndex>& consumers =
      subjects_.groups()[static_cast<size_t>(group)].consumers;
  return std::all_of(
      consumers.begin(), consumers.end(), [&](ConsumerIndex consumer) {
        const Rounds& rounds = rounds_[static_cast<size_t>(consumer)];
        return !rounds.alive || rounds.before > wait.last;
      });
}

void LockingMeasure::OnRefused(const SeenFact& seen) {
  const Instant now = seen.fact.time;
  if (window_.Contains(now)) ++of(seen.group).refused;
  const WaitKey key{seen.group, seen.queue, seen.fact.value};
  const auto [it, is_new] = waits_.try_emplace(key, Wait{now, now});
  if (is_new) return;
  Wait& wait = it->second;
  if (GaveUp(seen.group, wait, now)) {
    of(seen.group).waited += window_.Overlap(wait.first, wait.last);
    wait.first = now;
  }
  wait.last = now;
}

void LockingMeasure::OnGranted(const SeenFact& seen) {
  const Instant now = seen.fact.time;
  const auto it = waits_.find(WaitKey{seen.group, seen.queue, seen.fact.value});
  if (it == waits_.end()) return;
  const Wait wait = it->second;
  waits_.erase(it);
  const bool given_up = GaveUp(seen.group, wait, now);
  of(seen.group).waited +=
      window_.Overlap(wait.first, given_up ? wait.last : now);
  if (!given_up && window_.Contains(now)) {
    of(seen.group).waits.Add(now - wait.first);
  }
}

void LockingMeasure::EndLoss(const LossKey& key, Instant now) {
  const auto it = losses_.find(key);
  if (it == losses_.end()) return;
  const GroupIndex group =
      subjects_.consumers()[static_cast<size_t>(key.consumer)].group;
  of(group).without += window_.Overlap(it->second, now);
  losses_.erase(it);
}

void LockingMeasure::EndLossesOf(ConsumerIndex consumer, Instant now) {
  while (true) {
    const auto it = losses_.lower_bound(LossKey{consumer, kNoSubject});
    if (it == losses_.end() || it->first.consumer != consumer) return;
    const LossKey key = it->first;
    EndLoss(key, now);
  }
}

void LockingMeasure::OnLife(const SeenFact& seen) {
  Rounds& rounds = rounds_[static_cast<size_t>(seen.consumer)];
  switch (seen.fact.kind) {
    case FactKind::PROCESS_STARTED:
      rounds = Rounds();
      rounds.alive = true;
      return;
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
    case FactKind::PROCESS_STOPPED:
    case FactKind::START_FAILED:
      rounds.alive = false;
      EndLossesOf(seen.consumer, seen.fact.time);
      return;
    default:
      return;
  }
}

void LockingMeasure::OnFact(const SeenFact& seen) {
  const Fact& fact = seen.fact;
  // A start that fails is known with its group, the rest of a life without.
  if (seen.group == kNoSubject || fact.kind == FactKind::START_FAILED) {
    if (seen.consumer != kNoSubject) OnLife(seen);
    return;
  }
  if (fact.kind == FactKind::REBALANCED) {
    if (seen.consumer == kNoSubject) return;
    Rounds& rounds = rounds_[static_cast<size_t>(seen.consumer)];
    rounds.before = rounds.last;
    rounds.last = fact.time;
    return;
  }
  GroupResult& group = of(seen.group);
  if (fact.kind == FactKind::LOCK_GRANTED) group.orderly = true;
  if (seen.queue == kNoSubject) return;
  const bool counts = window_.Contains(fact.time);
  switch (fact.kind) {
    case FactKind::LOCK_REFUSED:
      OnRefused(seen);
      return;
    case FactKind::LOCK_GRANTED:
      OnGranted(seen);
      return;
    case FactKind::LOCK_EXPIRED:
      if (counts) ++group.expired;
      return;
    case FactKind::LOCK_LOST:
      if (counts) ++group.lost;
      if (seen.consumer == kNoSubject) return;
      losses_.try_emplace(LossKey{seen.consumer, seen.queue}, fact.time);
      return;
    case FactKind::LOCK_REGAINED:
    case FactKind::QUEUE_DROPPED:
      EndLoss(LossKey{seen.consumer, seen.queue}, fact.time);
      return;
    case FactKind::REMOVAL_PUT_OFF:
      if (counts) ++group.put_off;
      return;
    case FactKind::UNLOCK_FORCED:
      if (counts) ++group.forced;
      return;
    default:
      return;
  }
}

void LockingMeasure::Finish(Instant end) {
  for (const auto& [key, wait] : waits_) {
    const bool given_up = GaveUp(key.group, wait, end);
    of(key.group).waited +=
        window_.Overlap(wait.first, given_up ? wait.last : end);
  }
  waits_.clear();
  while (!losses_.empty()) {
    const LossKey key = losses_.begin()->first;
    EndLoss(key, end);
  }
}

}  // namespace groupsim
