#include "scenarios/measure/retrying.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"

namespace groupsim {
namespace {

bool Succeeded(const Fact& fact) {
  return fact.count == static_cast<int64_t>(ConsumeStatus::kSuccess) ||
         fact.count == static_cast<int64_t>(ConsumeStatus::kCommit);
}

DeliveryMeasure::MessageId MessageOf(const SeenFact& seen) {
  return {seen.group, seen.queue, seen.fact.offset};
}

}  // namespace

RetryMeasure::RetryMeasure(const Subjects& subjects, Window window,
                           DeliveryMeasure* delivery, Audit* audit)
    : window_(window),
      delivery_(*delivery),
      audit_(*audit),
      groups_(subjects.groups().size()) {}

RetryMeasure::CopyPlace RetryMeasure::PlaceOf(const SeenFact& seen) {
  return {seen.group, Subjects::KeyOf(seen.fact), seen.fact.offset};
}

void RetryMeasure::OnFact(const SeenFact& seen) {
  if (seen.group == kNoSubject) return;
  GroupResult& group = groups_[static_cast<size_t>(seen.group)];
  const int64_t one = window_.Contains(seen.fact.time) ? 1 : 0;
  switch (seen.fact.kind) {
    case FactKind::DELIVERED:
      OnDelivered(seen);
      return;
    case FactKind::FINISHED:
      OnFinished(seen);
      return;
    case FactKind::SENT_BACK:
      group.sent_back += one;
      return;
    case FactKind::SEND_BACK_FAILED:
      group.send_backs_failed += one;
      return;
    case FactKind::RETRY_SENT:
      group.resent += one;
      return;
    case FactKind::RESUBMITTED:
      group.resubmitted += one * seen.fact.count;
      return;
    case FactKind::EXPIRED:
      group.expired += one;
      OnExpired(seen);
      return;
    case FactKind::RETRY_DROPPED:
      group.dropped += one;
      return;
    case FactKind::RETRY_STORED:
      OnCopyStored(seen);
      return;
    case FactKind::DEAD_LETTERED: {
      OnCopyStored(seen);
      const auto message = messages_.find(MessageOf(seen));
      if (one == 0 || message == messages_.end()) return;
      group.time_to_dead_letter.Add(seen.fact.time -
                                    message->second.first.delivered);
      return;
    }
    case FactKind::RETRY_DELIVERED:
      OnCopyDelivered(seen);
      return;
    default:
      return;
  }
}

RetryMeasure::Failed& RetryMeasure::Remember(const MessageId& id, Instant now) {
  const auto known = messages_.find(id);
  if (known != messages_.end()) return known->second;
  Failed message;
  message.first = delivery_.TimesOf(id).value_or(
      DeliveryMeasure::MessageTimes{now, now, std::nullopt});
  return messages_.emplace(id, message).first->second;
}

void RetryMeasure::EndWait(Failed& message, const SeenFact& seen) {
  if (!message.failed.has_value()) return;
  if (window_.Contains(seen.fact.time)) {
    groups_[static_cast<size_t>(seen.group)].retry_delay.Add(seen.fact.time -
                                                             *message.failed);
  }
  message.failed.reset();
}

void RetryMeasure::OnDelivered(const SeenFact& seen) {
  last_delivered_ = PlaceOf(seen);
  if (seen.queue == kNoSubject) return;
  const auto message = messages_.find(MessageOf(seen));
  if (message != messages_.end()) EndWait(message->second, seen);
}

void RetryMeasure::OnFinished(const SeenFact& seen) {
  std::optional<MessageId> id;
  std::optional<Instant> delivered;
  if (seen.queue != kNoSubject) {
    id = MessageOf(seen);
  } else if (const auto copy = copies_.find(PlaceOf(seen));
             copy != copies_.end()) {
    id = copy->second.message;
    delivered = copy->second.delivered;
    copies_.erase(copy);
  }
  if (!id.has_value() || seen.fact.value == 0) return;
  if (!Succeeded(seen.fact)) {
    if (window_.Contains(seen.fact.time)) {
      ++groups_[static_cast<size_t>(seen.group)].failed;
    }
    Remember(*id, seen.fact.time).failed = seen.fact.time;
    return;
  }
  if (!delivered.has_value()) return;
  Failed& message = Remember(*id, seen.fact.time);
  if (message.finished) return;
  message.finished = true;
  DeliveryMeasure::MessageTimes times = message.first;
  times.delivered = *delivered;
  delivery_.FinishByCopy(seen, *id, times);
}

// Its call goes on, which does not matter any more.
void RetryMeasure::OnExpired(const SeenFact& seen) {
  std::optional<MessageId> id;
  if (seen.queue != kNoSubject) {
    id = MessageOf(seen);
  } else if (const auto copy = copies_.find(PlaceOf(seen));
             copy != copies_.end()) {
    id = copy->second.message;
  }
  if (id.has_value()) Remember(*id, seen.fact.time).failed = seen.fact.time;
}

void RetryMeasure::OnCopyStored(const SeenFact& seen) {
  if (seen.queue == kNoSubject) return;
  audit_.Count(AuditLaw::kCopiesHaveOrigins);
  if (delivery_.IsStored(MessageOf(seen))) return;
  audit_.Fail(AuditLaw::kCopiesHaveOrigins, seen.fact.time,
              absl::StrCat("a copy of offset ", seen.fact.offset,
                           ", which was never stored"));
}

void RetryMeasure::OnCopyDelivered(const SeenFact& seen) {
  if (seen.queue == kNoSubject) return;
  audit_.Count(AuditLaw::kCopiesHaveOrigins);
  const MessageId id = MessageOf(seen);
  if (!delivery_.IsStored(id)) {
    audit_.Fail(AuditLaw::kCopiesHaveOrigins, seen.fact.time,
                absl::StrCat("a copy of offset ", seen.fact.offset,
                             ", which was never stored, was delivered"));
    return;
  }
  Failed& message = Remember(id, seen.fact.time);
  // A copy of a message that does not wait for one is one too many.
  const bool again = !message.failed.has_value();
  EndWait(message, seen);
  copies_[last_delivered_] = Copy{id, seen.fact.time};
  delivery_.CountCopy(seen, again);
}

}  // namespace groupsim
