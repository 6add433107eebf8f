#include "scenarios/measure/pulling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "model/base/time.h"
#include "model/facts/fact.h"

namespace groupsim {

PullingMeasure::PullingMeasure(const Subjects& subjects, Window window,
                               Audit* audit)
    : window_(window),
      audit_(audit),
      groups_(subjects.groups().size()),
      consumers_(subjects.consumers().size()),
      cached_(subjects.consumers().size()) {}

void PullingMeasure::OnFact(const SeenFact& seen) {
  const Fact& fact = seen.fact;
  if (seen.group == kNoSubject || seen.consumer == kNoSubject) {
    // A process that dies takes its cache with it.
    if (seen.consumer != kNoSubject &&
        (fact.kind == FactKind::PROCESS_CRASHED ||
         fact.kind == FactKind::PROCESS_VANISHED ||
         fact.kind == FactKind::PROCESS_STOPPED)) {
      cached_[static_cast<size_t>(seen.consumer)] = 0;
    }
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
      if (fact.value == 0) return;  // Abandoned before, with its queue.
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
    case FactKind::PULL_POSTPONED: {
      if (!counts) return;
      const auto reason = static_cast<size_t>(fact.count);
      if (reason >= group.postponed.size()) return;
      group.postponed[reason] += Duration::Nanos(fact.value);
      ++group.postponements[reason];
      if (fact.count >= static_cast<int64_t>(PostponeReason::kCount) &&
          fact.count <= static_cast<int64_t>(PostponeReason::kSpan)) {
        consumer.flow_control += Duration::Nanos(fact.value);
      }
      return;
    }
    default:
      return;
  }
}

}  // namespace groupsim
