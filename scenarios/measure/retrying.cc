#include "scenarios/measure/retrying.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"

namespace groupsim {
namespace {

// A result that counted at once is a success, whatever it was: ROLLBACK, too,
// commits where consumption commits by itself.
bool Succeeded(const Fact& fact) {
  return (fact.kind == FactKind::FINISHED && fact.value == 1) ||
         fact.count == static_cast<int64_t>(ConsumeStatus::kSuccess);
}

DeliveryMeasure::MessageId MessageOf(const SeenFact& seen) {
  return {seen.group, seen.queue, seen.fact.offset};
}

// FINISHED of a message that failed and does not come again.
constexpr int64_t kForgotten = 3;

}  // namespace

RetryMeasure::RetryMeasure(const Subjects& subjects, Window window,
                           DeliveryMeasure* delivery, Audit* audit)
    : subjects_(subjects),
      window_(window),
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
    case FactKind::SETTLED:
      OnSettled(seen);
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
      OnDropped(seen);
      return;
    case FactKind::RETRY_STORED:
      OnCopyStored(seen);
      return;
    case FactKind::DEAD_LETTERED: {
      OnCopyStored(seen);
      const auto message = messages_.find(MessageOf(seen));
      if (message == messages_.end()) return;
      Conclude(message->second, &Failed::dead);
      if (one == 0) return;
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
  ++open_;
  return messages_.emplace(id, message).first->second;
}

void RetryMeasure::Conclude(Failed& message, bool Failed::*how) {
  const bool was_open = message.open();
  message.*how = true;
  if (was_open) --open_;
}

void RetryMeasure::Refresh(Failed& message, const MessageId& id) const {
  const auto times = delivery_.TimesOf(id);
  if (times.has_value()) message.first.scheduled = times->scheduled;
}

void RetryMeasure::EndWait(Failed& message, const SeenFact& seen) {
  if (!message.failed.has_value()) return;
  if (window_.Contains(seen.fact.time)) {
    groups_[static_cast<size_t>(seen.group)].retry_delay.Add(seen.fact.time -
                                                             *message.failed);
  }
  message.failed.reset();
}

bool RetryMeasure::Broadcasts(GroupIndex group) const {
  return subjects_.groups()[static_cast<size_t>(group)].broadcasts;
}

void RetryMeasure::OnDelivered(const SeenFact& seen) {
  last_delivered_ = PlaceOf(seen);
  if (seen.queue == kNoSubject) return;
  const auto message = messages_.find(MessageOf(seen));
  if (message == messages_.end()) return;
  message->second.dropped.reset();
  EndWait(message->second, seen);
}

std::optional<RetryMeasure::MessageId> RetryMeasure::Identify(
    const SeenFact& seen) const {
  if (seen.queue != kNoSubject) return MessageOf(seen);
  const auto copy = copies_.find(PlaceOf(seen));
  if (copy == copies_.end()) return std::nullopt;
  return copy->second.message;
}

void RetryMeasure::OnFinished(const SeenFact& seen) {
  const std::optional<MessageId> id = Identify(seen);
  std::optional<Instant> delivered;
  if (seen.queue == kNoSubject && id.has_value()) {
    const auto copy = copies_.find(PlaceOf(seen));
    delivered = copy->second.delivered;
    copies_.erase(copy);
  }
  if (!id.has_value() || seen.fact.value == 0) return;
  if (!Succeeded(seen.fact)) {
    if (window_.Contains(seen.fact.time)) {
      ++groups_[static_cast<size_t>(seen.group)].failed;
    }
    // Nobody waits for a copy of what is forgotten; and what comes again comes
    // to one consumer of many.
    if (seen.fact.value == kForgotten && window_.Contains(seen.fact.time)) {
      ++groups_[static_cast<size_t>(seen.group)].given_up;
    }
    if (Broadcasts(seen.group)) return;
    Remember(*id, seen.fact.time).failed = seen.fact.time;
    return;
  }
  if (!delivered.has_value()) {
    if (seen.fact.value == 1) FinishOpen(*id);
    return;
  }
  Failed& message = Remember(*id, seen.fact.time);
  if (message.finished) return;
  Conclude(message, &Failed::finished);
  DeliveryMeasure::MessageTimes times = message.first;
  times.delivered = *delivered;
  delivery_.FinishByCopy(seen, *id, times);
}

void RetryMeasure::FinishOpen(const MessageId& id) {
  const auto message = messages_.find(id);
  if (message == messages_.end()) return;
  Conclude(message->second, &Failed::finished);
}

void RetryMeasure::OnSettled(const SeenFact& seen) {
  if (seen.queue == kNoSubject || !Succeeded(seen.fact)) return;
  FinishOpen(MessageOf(seen));
}

// Its call goes on, which does not matter any more.
void RetryMeasure::OnExpired(const SeenFact& seen) {
  const std::optional<MessageId> id = Identify(seen);
  if (id.has_value()) Remember(*id, seen.fact.time).failed = seen.fact.time;
}

void RetryMeasure::OnDropped(const SeenFact& seen) {
  if (seen.queue == kNoSubject) return;
  const MessageId id = MessageOf(seen);
  Failed& message = Remember(id, seen.fact.time);
  message.dropped = seen.fact.time;
  Refresh(message, id);
}

void RetryMeasure::OnCopyStored(const SeenFact& seen) {
  if (seen.queue == kNoSubject) return;
  if (seen.fact.kind == FactKind::RETRY_STORED) {
    const MessageId id = MessageOf(seen);
    Failed& message = Remember(id, seen.fact.time);
    message.kept_at.push_back(seen.fact.host);
    Refresh(message, id);
  }
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
  message.dropped.reset();
  const uint32_t broker =
      Subjects::BrokerOf(std::get<uint64_t>(last_delivered_));
  auto* const kept =
      std::find(message.kept_at.begin(), message.kept_at.end(), broker);
  if (kept != message.kept_at.end()) message.kept_at.erase(kept);
  copies_[last_delivered_] = Copy{id, seen.fact.time};
  delivery_.CountCopy(seen, again);
}

std::vector<RetryMeasure::Stranded> RetryMeasure::FindStranded(
    const absl::btree_map<uint32_t, Instant>& down) const {
  std::vector<Stranded> stranded;
  for (const auto& [id, message] : messages_) {
    if (!message.open() || !message.first.scheduled.has_value()) continue;
    std::optional<Instant> since = message.dropped;
    for (const uint32_t broker : message.kept_at) {
      const auto at = down.find(broker);
      if (at == down.end()) {
        since.reset();
        break;
      }
      since = std::max(since.value_or(at->second), at->second);
    }
    if (since.has_value()) stranded.push_back({id, *since});
  }
  return stranded;
}

}  // namespace groupsim
