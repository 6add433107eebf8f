#include "scenarios/measure/pulling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "model/base/time.h"
#include "model/facts/fact.h"

namespace groupsim {

PullingMeasure::PullingMeasure(const Subjects& subjects, Window window,
                               Audit* audit,
                               const std::vector<Occurrences>* occurrences)
    : subjects_(subjects),
      window_(window),
      audit_(audit),
      occurrences_(*occurrences),
      groups_(subjects.groups().size()),
      consumers_(subjects.consumers().size()),
      queues_(subjects.groups().size(),
              std::vector<Postponed>(subjects.queues().size())),
      open_(subjects.consumers().size()),
      cached_(subjects.consumers().size()) {}

bool PullingMeasure::IsFlowControl(PostponeReason reason) {
  return reason == PostponeReason::kCount || reason == PostponeReason::kSize ||
         reason == PostponeReason::kSpan ||
         reason == PostponeReason::kNotLocked;
}

Duration PullingMeasure::FlowControl(const Postponed& postponed) {
  Duration sum;
  for (size_t reason = 0; reason < postponed.size(); ++reason) {
    if (IsFlowControl(static_cast<PostponeReason>(reason))) {
      sum += postponed[reason];
    }
  }
  return sum;
}

// What is put off at that moment counts from there on.
void PullingMeasure::SetWindow(Window window) {
  window_ = window;
  for (size_t i = 0; i < open_.size(); ++i) {
    for (const Open& open : open_[i]) {
      if (open.until <= window.from) continue;
      AddPostponed(subjects_.consumers()[i].group,
                   static_cast<ConsumerIndex>(i), open, window.from, false);
    }
  }
}

void PullingMeasure::AddPostponed(GroupIndex group, ConsumerIndex consumer,
                                  const Open& open, Instant from, bool back) {
  const Duration held = window_.Overlap(from, open.until);
  if (held == Duration::Zero()) return;
  const Duration change = back ? Duration::Zero() - held : held;
  groups_[static_cast<size_t>(group)].postponed[open.reason] += change;
  consumers_[static_cast<size_t>(consumer)].postponed[open.reason] += change;
  if (open.queue != kNoSubject) {
    queues_[static_cast<size_t>(group)][static_cast<size_t>(open.queue)]
           [open.reason] += change;
  }
  const Occurrences& of = occurrences_[static_cast<size_t>(group)];
  if (!of.Wanted(OccurrenceKind::kPostponed)) return;
  Occurrence what;
  what.time = std::max(from, window_.from);
  what.queue = open.queue;
  what.consumer = consumer;
  what.change = static_cast<int64_t>(open.reason);
  what.length = change;
  of.Emit(OccurrenceKind::kPostponed, what);
}

void PullingMeasure::OnPostponed(const SeenFact& seen) {
  const Fact& fact = seen.fact;
  const auto reason = static_cast<size_t>(fact.count);
  if (reason >= kReasons) return;
  if (window_.Contains(fact.time)) {
    ++groups_[static_cast<size_t>(seen.group)].postponements[reason];
  }
  Open open;
  open.key = Subjects::KeyOf(fact);
  open.queue = seen.queue;
  open.reason = reason;
  open.until = fact.time + Duration::Nanos(fact.value);
  AddPostponed(seen.group, seen.consumer, open, fact.time, false);
  std::vector<Open>& all = open_[static_cast<size_t>(seen.consumer)];
  for (Open& one : all) {
    if (one.key != open.key && one.until > fact.time) continue;
    one = open;
    return;
  }
  all.push_back(open);
}

void PullingMeasure::CutOpen(ConsumerIndex consumer, const uint64_t* key,
                             Instant now) {
  const GroupIndex group =
      subjects_.consumers()[static_cast<size_t>(consumer)].group;
  for (Open& open : open_[static_cast<size_t>(consumer)]) {
    if ((key != nullptr && open.key != *key) || open.until <= now) continue;
    AddPostponed(group, consumer, open, now, true);
    open.until = now;
  }
}

// A process that dies takes its cache and its plans with it.
void PullingMeasure::OnLife(const SeenFact& seen) {
  if (seen.fact.kind != FactKind::PROCESS_CRASHED &&
      seen.fact.kind != FactKind::PROCESS_VANISHED &&
      seen.fact.kind != FactKind::PROCESS_STOPPED) {
    return;
  }
  cached_[static_cast<size_t>(seen.consumer)] = 0;
  CutOpen(seen.consumer, nullptr, seen.fact.time);
}

void PullingMeasure::OnFact(const SeenFact& seen) {
  const Fact& fact = seen.fact;
  if (seen.consumer == kNoSubject) return;
  if (seen.group == kNoSubject) {
    OnLife(seen);
    return;
  }
  GroupResult& group = groups_[static_cast<size_t>(seen.group)];
  ConsumerResult& consumer = consumers_[static_cast<size_t>(seen.consumer)];
  int64_t& cached = cached_[static_cast<size_t>(seen.consumer)];
  const bool counts = window_.Contains(fact.time);
  switch (fact.kind) {
    case FactKind::PULL_SENT:
      if (!counts) return;
      ++group.pulls;
      ++consumer.pulls;
      return;
    case FactKind::REBALANCED:
      if (!counts) return;
      ++group.rebalances;
      ++consumer.rebalances;
      return;
    case FactKind::PULLED:
      cached += fact.count;
      if (counts) ++group.with_messages;
      return;
    case FactKind::FINISHED:
      // Abandoned before, with its queue; or still cached.
      if (fact.value != 1 && fact.value != 3) return;
      [[fallthrough]];
    case FactKind::SETTLED:
    case FactKind::EXPIRED:
      audit_->Count(AuditLaw::kCacheIsConserved);
      if (--cached < 0) {
        audit_->Fail(AuditLaw::kCacheIsConserved, fact.time,
                     absl::StrCat("consumer ", seen.consumer,
                                  " finished more than it pulled"));
      }
      return;
    case FactKind::DROPPED:
      cached -= fact.count;
      if (cached < 0) {
        audit_->Fail(AuditLaw::kCacheIsConserved, fact.time,
                     absl::StrCat("consumer ", seen.consumer,
                                  " abandoned more than it held"));
      }
      return;
    case FactKind::CACHED:
      if (!counts) return;
      group.peak_messages = std::max(group.peak_messages, fact.count);
      group.peak_bytes = std::max(group.peak_bytes, fact.value);
      consumer.peak_messages = std::max(consumer.peak_messages, fact.count);
      consumer.peak_bytes = std::max(consumer.peak_bytes, fact.value);
      return;
    case FactKind::PULL_EMPTY:
      if (counts) ++group.empty;
      return;
    case FactKind::PULL_FAILED:
      if (counts) ++group.failed;
      return;
    case FactKind::OFFSET_CORRECTED:
      if (counts) ++group.corrected;
      return;
    case FactKind::NOTICE_RECEIVED:
      if (counts) ++group.notices;
      return;
    case FactKind::PULL_POSTPONED:
      OnPostponed(seen);
      return;
    case FactKind::QUEUE_DROPPED: {
      const uint64_t key = Subjects::KeyOf(fact);
      CutOpen(seen.consumer, &key, fact.time);
      return;
    }
    default:
      return;
  }
}

}  // namespace groupsim
