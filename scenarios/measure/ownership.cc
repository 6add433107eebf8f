#include "scenarios/measure/ownership.h"

#include <algorithm>
#include <cmath>
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
                                   Window window, Duration total, int columns,
                                   const Occurrences* occurrences)
    : subjects_(subjects),
      group_(group),
      broadcasts_(subjects.groups()[static_cast<size_t>(group)].broadcasts),
      window_(window),
      occurrences_(*occurrences),
      local_queue_(subjects.queues().size(), kNoSubject),
      consumers_(subjects.consumers().size()),
      queues_(subjects.groups()[static_cast<size_t>(group)].queues.size()),
      views_(subjects, group),
      takeovers_(queues_.size()),
      consumer_results_(subjects.consumers().size()),
      queue_results_(queues_.size()),
      alive_columns_(total, columns),
      unowned_columns_(total, columns),
      double_columns_(total, columns),
      idle_columns_(total, columns),
      jain_columns_(total, columns) {
  for (size_t i = 0; i < queues_.size(); ++i) {
    const auto queue = static_cast<size_t>(GlobalQueue(i));
    local_queue_[queue] = static_cast<int32_t>(i);
    topics_.push_back(subjects.queues()[queue].queue.topic.id());
    queues_[i].readable = subjects.queues()[queue].readable;
    readable_queues_ += queues_[i].readable ? 1 : 0;
  }
  std::sort(topics_.begin(), topics_.end());
  topics_.erase(std::unique(topics_.begin(), topics_.end()), topics_.end());
  never_owned_ = unowned_queues_ = readable_queues_;
}

int32_t OwnershipMeasure::LocalQueue(const SeenFact& seen) const {
  if (seen.group != group_ || seen.queue == kNoSubject) return kNoSubject;
  return local_queue_[static_cast<size_t>(seen.queue)];
}

void OwnershipMeasure::OnFact(const SeenFact& seen) {
  const Fact& fact = seen.fact;
  switch (fact.kind) {
    case FactKind::DELIVERED: {
      const int32_t local = LocalQueue(seen);
      if (local == kNoSubject) return;
      const auto queue = static_cast<size_t>(local);
      const std::optional<Duration> took =
          takeovers_.OnDelivered(queue, StepOf(queue, seen), fact.time);
      if (!took.has_value()) return;
      Occurrence what;
      what.time = fact.time;
      what.queue = seen.queue;
      what.consumer = seen.consumer;
      what.length = *took;
      occurrences_.Emit(OccurrenceKind::kTakeover, what);
      return;
    }
    case FactKind::PULL_SENT: {
      const int32_t local = LocalQueue(seen);
      if (local == kNoSubject) return;
      const auto queue = static_cast<size_t>(local);
      takeovers_.OnPullSent(queue, StepOf(queue, seen), fact.time);
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
      SetColumns(fact.time);
      return;
    }
    case FactKind::ALLOCATED:
      if (seen.group == group_) OnAllocated(seen);
      return;
    case FactKind::REBALANCED:
      if (seen.group == group_ && seen.consumer != kNoSubject) {
        consumer(seen.consumer).rebalanced = true;
      }
      return;
    case FactKind::TOPIC_CHANGED:
    case FactKind::TOPIC_CREATED:
      OnTopicChanged(fact);
      return;
    case FactKind::PROCESS_STARTED:
    case FactKind::PROCESS_STOPPING:
    case FactKind::PROCESS_STOPPED:
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
    case FactKind::START_FAILED:
      OnLife(seen);
      return;
    default:
      return;
  }
}

// What cannot be read needs no owner, though consumers may own it until they
// hear of it. How the group came to rest after its last change was decided
// before.
void OwnershipMeasure::OnTopicChanged(const Fact& fact) {
  if (!std::binary_search(topics_.begin(), topics_.end(), fact.topic)) return;
  Advance(fact.time);
  CloseEvent(fact.time);
  for (size_t i = 0; i < queues_.size(); ++i) {
    const MessageQueue& queue =
        subjects_.queues()[static_cast<size_t>(GlobalQueue(i))].queue;
    if (queue.topic.id() != fact.topic || queue.broker.id() != fact.broker) {
      continue;
    }
    SetReadable(i, Subjects::IsReadable(queue, fact), fact.time);
  }
  SetColumns(fact.time);
}

void OwnershipMeasure::SetReadable(size_t queue, bool readable, Instant now) {
  QueueState& state = queues_[queue];
  if (state.readable == readable) return;
  AdvanceQueue(state, queue_results_[queue], now);
  state.readable = readable;
  state.readable_since = now;
  const int change = readable ? 1 : -1;
  readable_queues_ += change;
  if (!state.owners.empty()) return;
  unowned_queues_ += change;
  if (!state.ever_owned) {
    never_owned_ += change;
    return;
  }
  unowned_counted_ += change;
  if (live_consumers() > 0) {
    Occur(OccurrenceKind::kUnowned, queue, state.last_owner, change, now);
  }
}

// A process of this group lives or dies.
void OwnershipMeasure::OnLife(const SeenFact& seen) {
  const Fact& fact = seen.fact;
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
  views_.OnFact(seen, window_);
  SetColumns(fact.time);
}

void OwnershipMeasure::OnAllocated(const SeenFact& seen) {
  const Fact& fact = seen.fact;
  if (!std::binary_search(topics_.begin(), topics_.end(), fact.topic)) return;
  views_.OnFact(seen, window_);
  if (!window_.Contains(fact.time)) return;
  const int64_t changed = fact.value > 0 ? 1 : 0;
  ++allocations_;
  allocations_changed_ += changed;
  if (seen.consumer == kNoSubject) return;
  ConsumerResult& result =
      consumer_results_[static_cast<size_t>(seen.consumer)];
  ++result.allocations;
  result.allocations_changed += changed;
}

void OwnershipMeasure::Advance(Instant now) {
  const Duration held = window_.Overlap(now_, now);
  const Instant begin = std::max(now_, window_.from);
  now_ = now;
  if (held == Duration::Zero()) return;
  const int64_t nanos = held.nanos();
  double_owned_ += QueueTime{double_queues_} * nanos;
  if (live_consumers() == 0) return;
  unowned_ += QueueTime{unowned_counted_} * nanos;
  fairness_.Hold(nanos, loads_, cross_room_, never_owned_ == 0, AtRest());
  if (AtRest() && occurrences_.Wanted(OccurrenceKind::kAtRest)) {
    Occurrence what;
    what.time = begin;
    what.jain = loads_.fairness().Jain();
    occurrences_.Emit(OccurrenceKind::kAtRest, what);
  }
}

// Per queue and consumer the integrals are brought up to date only when that
// subject changes.
void OwnershipMeasure::AdvanceQueue(QueueState& state, QueueResult& result,
                                    Instant now) {
  const Duration held = window_.Overlap(state.since, now);
  if (state.owners.size() >= 2 && !broadcasts_) result.double_owned += held;
  if (state.readable && state.owners.empty() && state.ever_owned &&
      live_consumers() > 0) {
    result.unowned += held;
  }
  state.since = now;
}

void OwnershipMeasure::AdvanceConsumer(ConsumerIndex index, Instant now) {
  ConsumerState& state = consumer(index);
  const Duration held = window_.Overlap(state.since, now);
  state.since = now;
  if (!state.alive) return;
  ConsumerResult& result = consumer_results_[static_cast<size_t>(index)];
  result.alive += held;
  result.owned_time += QueueTime{state.owned} * held.nanos();
  if (state.owned == 0) result.idle += held;
  if (held > Duration::Zero()) {
    result.owned_max = std::max(result.owned_max, state.owned);
  }
}

void OwnershipMeasure::Occur(OccurrenceKind kind, size_t queue,
                             ConsumerIndex consumer, int64_t change,
                             Instant now) const {
  if (!occurrences_.Wanted(kind)) return;
  Occurrence what;
  what.time = now;
  what.queue = GlobalQueue(queue);
  what.consumer = consumer;
  what.change = change;
  occurrences_.Emit(kind, what);
}

void OwnershipMeasure::SetAlive(ConsumerIndex index, bool alive, Instant now) {
  ConsumerState& state = consumer(index);
  if (state.alive == alive) return;
  if (!alive) RemoveAllOf(index, now);
  AdvanceConsumer(index, now);
  // Whether there is a live consumer decides whether unowned time counts.
  if (live_consumers() == (alive ? 0 : 1)) {
    for (size_t i = 0; i < queues_.size(); ++i) {
      AdvanceQueue(queues_[i], queue_results_[i], now);
      if (queues_[i].readable && queues_[i].owners.empty() &&
          queues_[i].ever_owned) {
        Occur(OccurrenceKind::kUnowned, i, index, alive ? 1 : -1, now);
      }
    }
  }
  state.alive = alive;
  if (alive) {
    loads_.AddMember(state.owned);
  } else {
    loads_.RemoveMember(state.owned);
  }
}

void OwnershipMeasure::SetOwned(ConsumerIndex index, int64_t owned,
                                Instant now) {
  AdvanceConsumer(index, now);
  ConsumerState& state = consumer(index);
  if (state.alive) loads_.Change(state.owned, owned);
  state.owned = owned;
}

void OwnershipMeasure::SetCrossRoom(QueueState& state, size_t queue,
                                    ConsumerIndex owner, int32_t change) {
  const Name room = subjects_.consumers()[static_cast<size_t>(owner)].room;
  const Name other =
      subjects_.queues()[static_cast<size_t>(GlobalQueue(queue))].room;
  if (room.empty() || other.empty() || room == other) return;
  if (state.cross_room_owners == 0) ++cross_room_;
  state.cross_room_owners += change;
  if (state.cross_room_owners == 0) --cross_room_;
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
  if (state.readable && state.owners.empty()) {
    --unowned_queues_;
    if (state.ever_owned) {
      --unowned_counted_;
      if (live_consumers() > 0) {
        Occur(OccurrenceKind::kUnowned, queue, index, -1, now);
      }
    }
  }
  if (state.owners.size() == 1 && !broadcasts_) {
    ++double_queues_;
    Occur(OccurrenceKind::kDoubleOwned, queue, index, 1, now);
  }
  if (!state.ever_owned) {
    if (state.readable) --never_owned_;
    if (first_start_.has_value()) {
      result.time_to_first_owner =
          now - std::max(*first_start_, state.readable_since);
    }
  }
  state.ever_owned = true;
  state.owners.push_back(index);
  SetCrossRoom(state, queue, index, 1);
  SetOwned(index, consumer(index).owned + 1, now);

  const bool moved = !broadcasts_ && state.last_owner != kNoSubject &&
                     state.last_owner != index;
  state.last_owner = index;
  if (!broadcasts_) {
    takeovers_.OnAdded(queue, {index, moved, state.owners.size() > 1}, now);
  }
  last_change_ = now;
  if (!window_.Contains(now)) return;
  ConsumerResult& owner = consumer_results_[static_cast<size_t>(index)];
  ++owner.added;
  if (!moved) return;
  ++owner.moves;
  ++moves_;
  ++result.moves;
  if (event_open_) ++events_.back().moves;
  Occur(OccurrenceKind::kMove, queue, index, 1, now);
}

void OwnershipMeasure::RemoveOwner(size_t queue, ConsumerIndex index,
                                   Instant now) {
  QueueState& state = queues_[queue];
  auto* const found =
      std::find(state.owners.begin(), state.owners.end(), index);
  if (found == state.owners.end()) return;  // Dropped first, removed later.
  AdvanceQueue(state, queue_results_[queue], now);
  state.owners.erase(found);
  // Whoever has it still has it last.
  if (!state.owners.empty()) state.last_owner = state.owners.back();
  if (state.readable && state.owners.empty()) {
    ++unowned_queues_;
    ++unowned_counted_;
    if (live_consumers() > 0) {
      Occur(OccurrenceKind::kUnowned, queue, index, 1, now);
    }
  }
  if (state.owners.size() == 1 && !broadcasts_) {
    --double_queues_;
    Occur(OccurrenceKind::kDoubleOwned, queue, index, -1, now);
  }
  SetCrossRoom(state, queue, index, -1);
  SetOwned(index, consumer(index).owned - 1, now);
  if (!broadcasts_) takeovers_.OnRemoved(queue, index, now);
  last_change_ = now;
}

void OwnershipMeasure::RemoveAllOf(ConsumerIndex index, Instant now) {
  if (consumer(index).owned == 0) return;
  for (size_t i = 0; i < queues_.size(); ++i) RemoveOwner(i, index, now);
}

Takeovers::Step OwnershipMeasure::StepOf(size_t queue,
                                         const SeenFact& seen) const {
  return {seen.consumer, queues_[queue].owners.size() == 1,
          window_.Contains(seen.fact.time)};
}

int64_t OwnershipMeasure::NecessaryMoves(ConsumerIndex leaver) const {
  if (broadcasts_) return 0;
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
      owned, {.queues = readable_queues_, .assigned = assigned});
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
  event.readable = readable_queues_;
  owners_before_.assign(queues_.size(), kNoSubject);
  for (size_t i = 0; i < queues_.size(); ++i) {
    if (queues_[i].owners.empty()) continue;
    owners_before_[i] = queues_[i].last_owner;
    ++event.owned_before;
  }
  events_.push_back(event);
  event_open_ = true;
  last_change_ = seen.fact.time;
}

void OwnershipMeasure::CloseEvent(Instant next) {
  if (!event_open_) return;
  event_open_ = false;
  Event& event = events_.back();
  for (size_t i = 0; i < queues_.size(); ++i) {
    if (!broadcasts_ && owners_before_[i] != kNoSubject &&
        !queues_[i].owners.empty() &&
        queues_[i].last_owner != owners_before_[i]) {
      ++event.moved;
    }
  }
  const bool last = next == Instant::Max();
  // An empty group has nobody who could come to rest.
  const bool empty = live_consumers() == 0;
  const bool newcomer_ready = event.cause != FactKind::PROCESS_STARTED ||
                              !consumer(event.consumer).alive ||
                              consumer(event.consumer).rebalanced;
  if (!empty && AtRest() && newcomer_ready) {
    event.convergence = last_change_ - event.time;
    convergence_.Add(*event.convergence);
    Occurrence what;
    what.time = last_change_;
    what.consumer = event.consumer;
    what.length = *event.convergence;
    occurrences_.Emit(OccurrenceKind::kConvergence, what);
  } else if (!last) {
    event.superseded = true;
  } else if (!empty) {
    ++unconverged_;
  }
}

void OwnershipMeasure::SetColumns(Instant now) {
  const Fairness& fairness = loads_.fairness();
  alive_columns_.Set(now, fairness.consumers);
  unowned_columns_.Set(now, fairness.consumers > 0 ? unowned_counted_ : 0);
  double_columns_.Set(now, double_queues_);
  idle_columns_.Set(now, fairness.idle);
  jain_columns_.Set(now,
                    static_cast<int64_t>(std::llround(fairness.Jain() * 1e6)));
}

void OwnershipMeasure::Close() {
  if (closed_) return;
  closed_ = true;
  at_end_ = BalanceNow::Of(loads_, cross_room_);
  readable_at_end_ = readable_queues_;
  for (size_t i = 0; i < queues_.size(); ++i) {
    queue_results_[i].owners_at_end.assign(queues_[i].owners.begin(),
                                           queues_[i].owners.end());
  }
  for (size_t i = 0; i < consumers_.size(); ++i) {
    consumer_results_[i].alive_at_end = consumers_[i].alive;
    consumer_results_[i].owned_at_end = consumers_[i].owned;
  }
}

void OwnershipMeasure::Finish(Instant end) {
  Advance(end);
  Close();
  CloseEvent(Instant::Max());
  views_.Finish();
  for (size_t i = 0; i < queues_.size(); ++i) {
    AdvanceQueue(queues_[i], queue_results_[i], end);
  }
  for (size_t i = 0; i < consumers_.size(); ++i) {
    AdvanceConsumer(static_cast<ConsumerIndex>(i), end);
  }
  alive_columns_.Finish();
  unowned_columns_.Finish();
  double_columns_.Finish();
  idle_columns_.Finish();
  jain_columns_.Finish();
}

Fairness OwnershipMeasure::TopicFairnessAtEnd(Name topic) const {
  // Consumers that live at the end, in the order of the group.
  std::vector<int64_t> loads(consumers_.size());
  for (size_t i = 0; i < queue_results_.size(); ++i) {
    const auto queue = static_cast<size_t>(GlobalQueue(i));
    if (subjects_.queues()[queue].queue.topic != topic) continue;
    for (const ConsumerIndex owner : queue_results_[i].owners_at_end) {
      ++loads[static_cast<size_t>(owner)];
    }
  }
  std::vector<int64_t> live;
  for (const ConsumerIndex i :
       subjects_.groups()[static_cast<size_t>(group_)].consumers) {
    if (consumer_results_[static_cast<size_t>(i)].alive_at_end) {
      live.push_back(loads[static_cast<size_t>(i)]);
    }
  }
  return Fairness::Of(live);
}

Duration OwnershipMeasure::alive() const {
  Duration sum;
  for (const ConsumerIndex i :
       subjects_.groups()[static_cast<size_t>(group_)].consumers) {
    sum += consumer_results_[static_cast<size_t>(i)].alive;
  }
  return sum;
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
