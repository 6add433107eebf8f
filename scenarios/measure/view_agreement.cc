#include "scenarios/measure/view_agreement.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "model/base/time.h"
#include "model/facts/fact.h"

namespace groupsim {

ViewAgreement::ViewAgreement(const Subjects& subjects, GroupIndex group)
    : subjects_(subjects),
      group_(group),
      is_present_(subjects.consumers().size()) {
  for (const QueueIndex queue :
       subjects.groups()[static_cast<size_t>(group)].queues) {
    topics_.push_back(
        subjects.queues()[static_cast<size_t>(queue)].queue.topic.id());
  }
  std::sort(topics_.begin(), topics_.end());
  topics_.erase(std::unique(topics_.begin(), topics_.end()), topics_.end());
  queues_.resize(topics_.size());
  views_.resize(subjects.consumers().size() * topics_.size());
}

void ViewAgreement::OnFact(const SeenFact& seen, const Window& window) {
  const Instant now = seen.fact.time;
  switch (seen.fact.kind) {
    case FactKind::ALLOCATED:
      OnAllocated(seen);
      break;
    case FactKind::PROCESS_STARTED:
    case FactKind::PROCESS_STOPPING:
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
      BeginChange(now, window);
      SetPresent(seen.consumer, seen.fact.kind == FactKind::PROCESS_STARTED);
      break;
    default:
      SetPresent(seen.consumer, false);
      break;
  }
  if (!Agrees()) {
    agreed_.reset();
  } else if (!agreed_.has_value()) {
    agreed_ = now;
  }
}

void ViewAgreement::OnAllocated(const SeenFact& seen) {
  const auto found =
      std::lower_bound(topics_.begin(), topics_.end(), seen.fact.topic);
  if (found == topics_.end() || *found != seen.fact.topic ||
      seen.consumer == kNoSubject) {
    return;
  }
  const auto topic = static_cast<size_t>(found - topics_.begin());
  const bool present = is_present_[static_cast<size_t>(seen.consumer)];
  View& own = view(seen.consumer, topic);
  if (present && Right(own, topic)) --right_;
  own.seen = true;
  // Negated where the allocation did not change.
  own.members = std::abs(seen.fact.value);
  own.queues = seen.fact.offset;
  if (own.queues != queues_[topic]) {
    queues_[topic] = own.queues;
    Recount();
    return;
  }
  if (present && Right(own, topic)) ++right_;
}

void ViewAgreement::SetPresent(ConsumerIndex consumer, bool present) {
  const auto index = static_cast<size_t>(consumer);
  if (is_present_[index] == present) return;
  is_present_[index] = present;
  present_ += present ? 1 : -1;
  for (size_t topic = 0; topic < topics_.size(); ++topic) {
    view(consumer, topic) = View();
  }
  Recount();
}

void ViewAgreement::Recount() {
  right_ = 0;
  for (const ConsumerIndex consumer :
       subjects_.groups()[static_cast<size_t>(group_)].consumers) {
    if (!is_present_[static_cast<size_t>(consumer)]) continue;
    for (size_t topic = 0; topic < topics_.size(); ++topic) {
      if (Right(view(consumer, topic), topic)) ++right_;
    }
  }
}

bool ViewAgreement::Agrees() const {
  return present_ > 0 &&
         right_ == present_ * static_cast<int64_t>(topics_.size());
}

void ViewAgreement::BeginChange(Instant now, const Window& window) {
  CloseChange();
  if (!window.Contains(now)) return;
  change_open_ = true;
  change_ = now;
  by_change_.emplace_back();
}

void ViewAgreement::CloseChange() {
  if (!change_open_) return;
  change_open_ = false;
  if (!agreed_.has_value() || *agreed_ < change_) return;
  by_change_.back() = *agreed_ - change_;
  agreement_.Add(*agreed_ - change_);
}

void ViewAgreement::Finish() { CloseChange(); }

}  // namespace groupsim
