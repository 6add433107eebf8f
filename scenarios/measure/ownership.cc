#include "scenarios/measure/ownership.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/check.h"
#include "model/base/time.h"
#include "model/facts/fact.h"

namespace groupsim {

absl::string_view DescribeChange(FactKind cause) {
  switch (cause) {
    case FactKind::PROCESS_STARTED:
      return "started";
    case FactKind::PROCESS_STOPPING:
      return "stopped";
    case FactKind::PROCESS_CRASHED:
      return "crashed";
    case FactKind::PROCESS_VANISHED:
      return "vanished";
    default:
      return "changed";
  }
}

OwnershipMeasure::OwnershipMeasure(const Subjects& subjects, GroupIndex group,
                                   Window window, Duration total, int columns)
    : subjects_(subjects),
      group_(group),
      window_(window),
      local_queue_(subjects.queues().size(), kNoSubject),
      consumers_(subjects.consumers().size()),
      consumer_results_(subjects.consumers().size()),
      alive_columns_(total, columns),
      unowned_columns_(total, columns),
      double_columns_(total, columns) {
  const Subjects::Group& own = subjects.groups()[static_cast<size_t>(group)];
  for (const QueueIndex queue : own.queues) {
    local_queue_[static_cast<size_t>(queue)] =
        static_cast<int32_t>(queues_.size());
    queues_.emplace_back();
    topics_.push_back(
        subjects.queues()[static_cast<size_t>(queue)].queue.topic.id());
  }
  std::sort(topics_.begin(), topics_.end());
  topics_.erase(std::unique(topics_.begin(), topics_.end()), topics_.end());
  queue_results_.resize(queues_.size());
  never_owned_ = unowned_queues_ = static_cast<int64_t>(queues_.size());
}

int32_t OwnershipMeasure::LocalQueue(const SeenFact& seen) const {
  if (seen.group != group_ || seen.queue == kNoSubject) return kNoSubject;
  return local_queue_[static_cast<size_t>(seen.queue)];
}

void OwnershipMeasure::OnFact(const SeenFact& seen) {
  const Fact& fact = seen.fact;
  switch (fact.kind) {
    case FactKind::DELIVERED:
    case FactKind::PULL_SENT: {
      const int32_t local = LocalQueue(seen);
      if (local == kNoSubject) return;
      if (fact.kind == FactKind::DELIVERED) {
        OnDelivered(static_cast<size_t>(local), seen.consumer, fact.time);
      } else {
        OnPullSent(static_cast<size_t>(local), seen.consumer, fact.time);
      }
      return;
    }
    case FactKind::QUEUE_ADDED:
    case FactKind::QUEUE_DROPPED:
    case FactKind::QUEUE_REMOVED: {
      const int32_t local = LocalQueue(seen);
      if (local == kNoSubject || seen.consumer == kNoSubject) return;
      Advance(fact.time);
      if (fact.kind == FactKind::QUEUE_ADDED) {
        AddOwner(static_cast<size_t>(local), seen.consumer, fact.time);
      } else {
        RemoveOwner(static_cast<size_t>(local), seen.consumer, fact.time);
      }
      RecomputeFairness();
      SetColumns(fact.time);
      return;
    }
    case FactKind::ALLOCATED:
      if (seen.group != group_ || !window_.Contains(fact.time) ||
          !std::binary_search(topics_.begin(), topics_.end(), fact.topic)) {
        return;
      }
      ++allocations_;
      if (fact.value > 0) ++allocations_changed_;
      return;
    case FactKind::REBALANCED:
      if (seen.group == group_ && seen.consumer != kNoSubject) {
        consumer(seen.consumer).rebalanced = true;
      }
      return;
    case FactKind::PROCESS_STARTED:
    case FactKind::PROCESS_STOPPING:
    case FactKind::PROCESS_STOPPED:
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
    case FactKind::START_FAILED:
      break;
    default:
      return;
  }
  // A process of this group lives or dies.
  if (seen.consumer == kNoSubject ||
      subjects_.consumers()[static_cast<size_t>(seen.consumer)].group !=
          group_) {
    return;
  }
  Advance(fact.time);
  switch (fact.kind) {
    case FactKind::PROCESS_STARTED:
      if (!first_start_.has_value()) first_start_ = fact.time;
      SetAlive(seen.consumer, true, fact.time);
      consumer(seen.consumer).rebalanced = false;
      BeginEvent(seen);
      break;
    case FactKind::PROCESS_STOPPING:
      BeginEvent(seen);
      break;
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
      BeginEvent(seen);
      SetAlive(seen.consumer, false, fact.time);
      break;
    default:  // PROCESS_STOPPED, START_FAILED
      SetAlive(seen.consumer, false, fact.time);
      break;
  }
  RecomputeFairness();
  SetColumns(fact.time);
}

void OwnershipMeasure::Advance(Instant now) {
  const Duration held = window_.Overlap(now_, now);
  const Instant begin = std::max(now_, window_.from);
  now_ = now;
  if (held == Duration::Zero()) return;
  const int64_t nanos = held.nanos();
  if (fairness_.consumers > 0) {
    if (unowned_counted_ > 0) {
      const QueueTime before = unowned_;
      unowned_ += QueueTime{unowned_counted_} * nanos;
      unowned_watch_.UpdateIntegral(begin, before, unowned_counted_, unowned_);
    }
    const double jain = fairness_.Jain();
    if (AtRest()) jain_min_ = std::min(jain_min_.value_or(1.0), jain);
    if (never_owned_ == 0) {
      jain_time_ += jain * static_cast<double>(nanos);
      jain_weight_ += nanos;
      if (const auto ratio = fairness_.MaxOverMean(); ratio.has_value()) {
        max_over_mean_time_ += *ratio * static_cast<double>(nanos);
        max_over_mean_weight_ += nanos;
      }
    }
    idle_max_ = std::max(idle_max_, fairness_.idle);
  }
  if (double_queues_ > 0) {
    const QueueTime before = double_owned_;
    double_owned_ += QueueTime{double_queues_} * nanos;
    double_watch_.UpdateIntegral(begin, before, double_queues_, double_owned_);
  }
}

// Per queue and consumer the integrals are brought up to date only when that
// subject changes.
void OwnershipMeasure::AdvanceQueue(QueueState& state, QueueResult& result,
                                    Instant now) {
  const Duration held = window_.Overlap(state.since, now);
  if (state.owners.size() >= 2) result.double_owned += held;
  if (state.owners.empty() && state.ever_owned && fairness_.consumers > 0) {
    result.unowned += held;
  }
  state.since = now;
}

void OwnershipMeasure::SetAlive(ConsumerIndex index, bool alive, Instant now) {
  ConsumerState& state = consumer(index);
  if (state.alive == alive) return;
  // Whether there is a live consumer decides whether unowned time counts.
  const bool first_or_last = fairness_.consumers == (alive ? 0 : 1);
  if (first_or_last) {
    for (size_t i = 0; i < queues_.size(); ++i) {
      AdvanceQueue(queues_[i], queue_results_[i], now);
    }
  }
  ConsumerResult& result = consumer_results_[static_cast<size_t>(index)];
  if (!alive) {
    RemoveAllOf(index, now);
    result.alive += window_.Overlap(state.since, now);
  }
  state.alive = alive;
  state.since = now;
  RecomputeFairness();
}

void OwnershipMeasure::AddOwner(size_t queue, ConsumerIndex index,
                                Instant now) {
  QueueState& state = queues_[queue];
  QueueResult& result = queue_results_[queue];
  if (std::find(state.owners.begin(), state.owners.end(), index) !=
      state.owners.end()) {
    return;
  }
  AdvanceQueue(state, result, now);
  if (state.owners.empty()) {
    --unowned_queues_;
    if (state.ever_owned) --unowned_counted_;
  }
  if (state.owners.size() == 1) ++double_queues_;
  if (!state.ever_owned) {
    --never_owned_;
    if (first_start_.has_value()) {
      result.time_to_first_owner = now - *first_start_;
    }
  }
  state.ever_owned = true;
  SetAdopter(state, index);
  state.adopted = now;
  state.owners.push_back(index);
  if (state.last_owner != kNoSubject && state.last_owner != index) {
    if (window_.Contains(now)) {
      ++moves_;
      ++result.moves;
      if (event_open_) ++events_.back().moves;
    }
    SetTaker(state, index);
    if (state.owners.size() > 1) state.released.reset();
  } else {
    SetTaker(state, kNoSubject);
  }
  state.last_owner = index;
  last_change_ = now;

  ConsumerState& owner = consumer(index);
  ConsumerResult& owner_result = consumer_results_[static_cast<size_t>(index)];
  const Duration held = window_.Overlap(owner.since, now);
  owner_result.owned_time += QueueTime{owner.owned} * held.nanos();
  owner_result.alive += held;
  owner.since = now;
  ++owner.owned;
  if (window_.Contains(now)) ++owner_result.added;
}

void OwnershipMeasure::RemoveOwner(size_t queue, ConsumerIndex index,
                                   Instant now) {
  QueueState& state = queues_[queue];
  auto* const found =
      std::find(state.owners.begin(), state.owners.end(), index);
  if (found == state.owners.end()) return;  // Dropped first, removed later.
  AdvanceQueue(state, queue_results_[queue], now);
  state.owners.erase(found);
  if (state.owners.empty()) {
    ++unowned_queues_;
    ++unowned_counted_;
  }
  if (state.owners.size() == 1) --double_queues_;
  if (state.taker == index) SetTaker(state, kNoSubject);
  if (state.adopter == index) SetAdopter(state, kNoSubject);
  state.released = now;
  last_change_ = now;

  ConsumerState& owner = consumer(index);
  ConsumerResult& owner_result = consumer_results_[static_cast<size_t>(index)];
  const Duration held = window_.Overlap(owner.since, now);
  owner_result.owned_time += QueueTime{owner.owned} * held.nanos();
  owner_result.alive += held;
  owner.since = now;
  --owner.owned;
}

void OwnershipMeasure::RemoveAllOf(ConsumerIndex index, Instant now) {
  for (size_t i = 0; i < queues_.size(); ++i) RemoveOwner(i, index, now);
}

// An old owner that still holds the queue leaves no gap.
Duration OwnershipMeasure::GapBefore(const QueueState& state,
                                     Instant now) const {
  return state.released.has_value() && state.owners.size() == 1
             ? now - *state.released
             : Duration::Zero();
}

void OwnershipMeasure::OnDelivered(size_t queue, ConsumerIndex index,
                                   Instant now) {
  QueueState& state = queues_[queue];
  if (state.taker != index) return;
  SetTaker(state, kNoSubject);
  if (!window_.Contains(now)) return;
  const Duration gap = GapBefore(state, now);
  takeover_.Add(gap);
  std::optional<Duration>& longest = queue_results_[queue].takeover_max;
  longest = std::max(longest.value_or(gap), gap);
  if (gap > slowest_) {
    slowest_ = gap;
    slowest_takeover_ =
        subjects_.groups()[static_cast<size_t>(group_)].queues[queue];
  }
}

void OwnershipMeasure::OnPullSent(size_t queue, ConsumerIndex index,
                                  Instant now) {
  QueueState& state = queues_[queue];
  if (state.adopter != index) return;
  SetAdopter(state, kNoSubject);
  if (!window_.Contains(now)) return;
  first_pull_.Add(now - state.adopted);
  if (state.taker == index) takeover_to_pull_.Add(GapBefore(state, now));
}

int64_t OwnershipMeasure::NecessaryMoves(ConsumerIndex leaver) const {
  std::vector<int64_t> owned;
  int64_t assigned = 0;
  for (const ConsumerIndex i :
       subjects_.groups()[static_cast<size_t>(group_)].consumers) {
    const ConsumerState& state = consumers_[static_cast<size_t>(i)];
    if (!state.alive) continue;
    assigned += state.owned;
    if (i != leaver) owned.push_back(state.owned);
  }
  return groupsim::NecessaryMoves(
      owned,
      {.queues = static_cast<int64_t>(queues_.size()), .assigned = assigned});
}

void OwnershipMeasure::BeginEvent(const SeenFact& seen) {
  CloseEvent(seen.fact.time);
  if (!window_.Contains(seen.fact.time)) return;
  const bool leaves = seen.fact.kind != FactKind::PROCESS_STARTED;
  Event event;
  event.time = seen.fact.time;
  event.consumer = seen.consumer;
  event.cause = seen.fact.kind;
  event.necessary_moves = NecessaryMoves(leaves ? seen.consumer : kNoSubject);
  necessary_moves_ += event.necessary_moves;
  events_.push_back(event);
  event_open_ = true;
  last_change_ = seen.fact.time;
}

void OwnershipMeasure::CloseEvent(Instant next) {
  if (!event_open_) return;
  event_open_ = false;
  Event& event = events_.back();
  const bool last = next == Instant::Max();
  // An empty group has nobody who could come to rest.
  const bool empty = fairness_.consumers == 0;
  const bool newcomer_ready = event.cause != FactKind::PROCESS_STARTED ||
                              !consumer(event.consumer).alive ||
                              consumer(event.consumer).rebalanced;
  if (!empty && AtRest() && newcomer_ready) {
    event.convergence = last_change_ - event.time;
    convergence_.Add(*event.convergence);
  } else if (!last) {
    event.superseded = true;
  } else if (!empty) {
    ++unconverged_;
  }
}

void OwnershipMeasure::RecomputeFairness() {
  Fairness now;
  bool first = true;
  for (const ConsumerIndex i :
       subjects_.groups()[static_cast<size_t>(group_)].consumers) {
    const ConsumerState& state = consumers_[static_cast<size_t>(i)];
    if (!state.alive) continue;
    ++now.consumers;
    now.sum += state.owned;
    now.squares += state.owned * state.owned;
    now.max = std::max(now.max, state.owned);
    now.min = first ? state.owned : std::min(now.min, state.owned);
    first = false;
    if (state.owned == 0) ++now.idle;
  }
  fairness_ = now;
}

void OwnershipMeasure::SetColumns(Instant now) {
  alive_columns_.Set(now, fairness_.consumers);
  unowned_columns_.Set(now, fairness_.consumers > 0 ? unowned_counted_ : 0);
  double_columns_.Set(now, double_queues_);
}

void OwnershipMeasure::Finish(Instant end) {
  Advance(end);
  CloseEvent(Instant::Max());
  for (size_t i = 0; i < queues_.size(); ++i) {
    AdvanceQueue(queues_[i], queue_results_[i], end);
    queue_results_[i].owners_at_end =
        static_cast<int64_t>(queues_[i].owners.size());
  }
  for (size_t i = 0; i < consumers_.size(); ++i) {
    ConsumerState& state = consumers_[i];
    if (!state.alive) continue;
    const Duration held = window_.Overlap(state.since, end);
    consumer_results_[i].owned_time += QueueTime{state.owned} * held.nanos();
    consumer_results_[i].alive += held;
    consumer_results_[i].owned_at_end = state.owned;
    state.since = end;
  }
  alive_columns_.Finish();
  unowned_columns_.Finish();
  double_columns_.Finish();
}

std::optional<double> OwnershipMeasure::jain_time_weighted() const {
  if (jain_weight_ == 0) return std::nullopt;
  return jain_time_ / static_cast<double>(jain_weight_);
}

std::optional<double> OwnershipMeasure::max_over_mean_time_weighted() const {
  if (max_over_mean_weight_ == 0) return std::nullopt;
  return max_over_mean_time_ / static_cast<double>(max_over_mean_weight_);
}

std::vector<QueueIndex> OwnershipMeasure::OwnedBy(
    ConsumerIndex consumer) const {
  std::vector<QueueIndex> owned;
  const std::vector<QueueIndex>& queues =
      subjects_.groups()[static_cast<size_t>(group_)].queues;
  for (size_t i = 0; i < queues_.size(); ++i) {
    const auto& owners = queues_[i].owners;
    if (std::find(owners.begin(), owners.end(), consumer) != owners.end()) {
      owned.push_back(queues[i]);
    }
  }
  return owned;
}

}  // namespace groupsim
