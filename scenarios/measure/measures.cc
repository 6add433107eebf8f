#include "scenarios/measure/measures.h"

#include <cstddef>
#include <memory>

#include "absl/strings/str_cat.h"
#include "model/facts/fact.h"

namespace groupsim {

Measures::Measures(const Subjects& subjects, const MeasureOptions& options)
    : subjects_(subjects),
      window_(options.window),
      occurrences_(subjects.groups().size()),
      delivery_(subjects, options.window, options.total, options.columns,
                &audit_, &occurrences_),
      pulling_(subjects, options.window, &audit_, &occurrences_),
      retrying_(subjects, options.window, &delivery_, &audit_),
      losses_(subjects, options.window, &delivery_, &retrying_),
      locking_(subjects, options.window) {
  for (size_t i = 0; i < subjects.groups().size(); ++i) {
    ownership_.push_back(std::make_unique<OwnershipMeasure>(
        subjects, static_cast<GroupIndex>(i), options.window, options.total,
        options.columns, &occurrences_[i]));
  }
}

void Measures::ObserveWith(Trace& trace) {
  for (const FactKind kind :
       {FactKind::PROCESS_STARTED,  FactKind::PROCESS_STOPPING,
        FactKind::PROCESS_STOPPED,  FactKind::PROCESS_CRASHED,
        FactKind::PROCESS_VANISHED, FactKind::START_FAILED,
        FactKind::NOTICE_RECEIVED,  FactKind::REBALANCED,
        FactKind::ALLOCATED,        FactKind::TOPIC_CHANGED,
        FactKind::TOPIC_CREATED,    FactKind::QUEUE_ADDED,
        FactKind::QUEUE_DROPPED,    FactKind::QUEUE_REMOVED,
        FactKind::DROPPED,          FactKind::PULL_SENT,
        FactKind::PULLED,           FactKind::PULL_EMPTY,
        FactKind::PULL_FAILED,      FactKind::PULL_POSTPONED,
        FactKind::OFFSET_CORRECTED, FactKind::STORED,
        FactKind::TAGGED,           FactKind::SENT,
        FactKind::SEND_FAILED,      FactKind::DELIVERED,
        FactKind::FINISHED,         FactKind::COMMITTED,
        FactKind::CACHED,           FactKind::SETTLED,
        FactKind::SENT_BACK,        FactKind::SEND_BACK_FAILED,
        FactKind::RETRY_SENT,       FactKind::RESUBMITTED,
        FactKind::EXPIRED,          FactKind::RETRY_STORED,
        FactKind::DEAD_LETTERED,    FactKind::RETRY_DROPPED,
        FactKind::RETRY_DELIVERED,  FactKind::LOCK_GRANTED,
        FactKind::LOCK_REFUSED,     FactKind::LOCK_EXPIRED,
        FactKind::LOCK_LOST,        FactKind::LOCK_REGAINED,
        FactKind::REMOVAL_PUT_OFF,  FactKind::UNLOCK_FORCED,
        FactKind::LOG_DELETED}) {
    trace.Observe(kind, this);
  }
}

// Only live members own, pull and deliver.
void Measures::CheckAlive(const SeenFact& seen) {
  if (seen.consumer == kNoSubject || seen.group == kNoSubject) return;
  audit_.Count(AuditLaw::kOwnersAreAlive);
  if (ownership_[static_cast<size_t>(seen.group)]->alive(seen.consumer)) return;
  audit_.Fail(
      AuditLaw::kOwnersAreAlive, seen.fact.time,
      absl::StrCat(InfoOf(seen.fact.kind).name, " by ",
                   subjects_.consumers()[static_cast<size_t>(seen.consumer)]
                       .process.text(),
                   ", which is not running"));
}

void Measures::OnFact(const Fact& fact) {
  audit_.Count(AuditLaw::kTimeNeverGoesBack);
  if (fact.time < last_time_) {
    audit_.Fail(
        AuditLaw::kTimeNeverGoesBack, fact.time,
        absl::StrCat(InfoOf(fact.kind).name, " after ", ToString(last_time_)));
    return;
  }
  last_time_ = fact.time;
  if (fact.time >= window_.to && !closed_) Close();
  Route(fact);
}

void Measures::SetWindow(const Window& window) {
  window_ = window;
  for (const auto& measure : ownership_) measure->SetWindow(window);
  delivery_.SetWindow(window);
  pulling_.SetWindow(window);
  retrying_.SetWindow(window);
  losses_.SetWindow(window);
  locking_.SetWindow(window);
}

void Measures::Close() {
  closed_ = true;
  for (const auto& measure : ownership_) measure->Close();
  delivery_.Close(window_.to);
}

void Measures::Route(const Fact& fact) {
  SeenFact seen{fact, subjects_.GroupOf(fact), subjects_.ConsumerOf(fact),
                kNoSubject};
  switch (fact.kind) {
    case FactKind::STORED:
    case FactKind::TAGGED:
    case FactKind::SENT:
    case FactKind::SEND_FAILED:
    case FactKind::COMMITTED:
      seen.queue = subjects_.QueueOf(fact);
      delivery_.OnFact(seen);
      return;
    case FactKind::FINISHED:
    case FactKind::SETTLED:
      seen.queue = subjects_.QueueOf(fact);
      delivery_.OnFact(seen);
      pulling_.OnFact(seen);
      if (fact.count != 0 || seen.queue == kNoSubject || retrying_.IsOpen()) {
        retrying_.OnFact(seen);
      }
      return;
    case FactKind::DELIVERED:
      CheckAlive(seen);
      seen.queue = subjects_.QueueOf(fact);
      delivery_.OnFact(seen);
      if (seen.queue == kNoSubject || retrying_.IsOpen()) {
        retrying_.OnFact(seen);
      }
      if (seen.group != kNoSubject && ownership(seen.group).awaits_delivery()) {
        ownership(seen.group).OnFact(seen);
      }
      return;
    case FactKind::DEAD_LETTERED:
    case FactKind::EXPIRED:
      seen.queue = subjects_.QueueOf(fact);
      delivery_.OnFact(seen);
      pulling_.OnFact(seen);
      retrying_.OnFact(seen);
      return;
    case FactKind::SENT_BACK:
    case FactKind::SEND_BACK_FAILED:
    case FactKind::RETRY_SENT:
    case FactKind::RESUBMITTED:
    case FactKind::RETRY_STORED:
    case FactKind::RETRY_DROPPED:
    case FactKind::RETRY_DELIVERED:
      seen.queue = subjects_.QueueOf(fact);
      retrying_.OnFact(seen);
      return;
    case FactKind::PULL_SENT:
      pulling_.OnFact(seen);
      if (seen.group != kNoSubject && ownership(seen.group).awaits_pull()) {
        seen.queue = subjects_.QueueOf(fact);
        ownership(seen.group).OnFact(seen);
      }
      return;
    case FactKind::PULL_POSTPONED:
      seen.queue = subjects_.QueueOf(fact);
      pulling_.OnFact(seen);
      return;
    case FactKind::PULLED:
      seen.queue = subjects_.QueueOf(fact);
      losses_.OnFact(seen);
      [[fallthrough]];
    case FactKind::PULL_EMPTY:
    case FactKind::PULL_FAILED:
    case FactKind::OFFSET_CORRECTED:
    case FactKind::NOTICE_RECEIVED:
    case FactKind::CACHED:
    case FactKind::DROPPED:
      pulling_.OnFact(seen);
      return;
    case FactKind::QUEUE_ADDED:
      CheckAlive(seen);
      seen.queue = subjects_.QueueOf(fact);
      delivery_.OnFact(seen);
      [[fallthrough]];
    case FactKind::QUEUE_DROPPED:
    case FactKind::QUEUE_REMOVED:
      seen.queue = subjects_.QueueOf(fact);
      losses_.OnFact(seen);
      pulling_.OnFact(seen);
      locking_.OnFact(seen);
      if (seen.group != kNoSubject) ownership(seen.group).OnFact(seen);
      return;
    case FactKind::LOCK_GRANTED:
    case FactKind::LOCK_REFUSED:
    case FactKind::LOCK_EXPIRED:
    case FactKind::LOCK_LOST:
    case FactKind::LOCK_REGAINED:
    case FactKind::REMOVAL_PUT_OFF:
    case FactKind::UNLOCK_FORCED:
      seen.queue = subjects_.QueueOf(fact);
      locking_.OnFact(seen);
      return;
    case FactKind::LOG_DELETED:
      seen.queue = subjects_.QueueOf(fact);
      losses_.OnFact(seen);
      return;
    case FactKind::TOPIC_CHANGED:
    case FactKind::TOPIC_CREATED:
      losses_.OnFact(seen);
      for (const auto& measure : ownership_) measure->OnFact(seen);
      return;
    case FactKind::REBALANCED:
      pulling_.OnFact(seen);
      locking_.OnFact(seen);
      [[fallthrough]];
    case FactKind::ALLOCATED:
      if (seen.group != kNoSubject) ownership(seen.group).OnFact(seen);
      return;
    default: {  // The life of a process.
      losses_.OnFact(seen);
      if (seen.consumer == kNoSubject) return;
      pulling_.OnFact(seen);
      delivery_.OnFact(seen);
      locking_.OnFact(seen);
      const GroupIndex group =
          subjects_.consumers()[static_cast<size_t>(seen.consumer)].group;
      ownership(group).OnFact(seen);
      return;
    }
  }
}

void Measures::Finish(Instant end) {
  for (const auto& measure : ownership_) measure->Finish(end);
  delivery_.Finish(end);
  locking_.Finish(end);
  losses_.Finish();
}

}  // namespace groupsim
