#include "tests/fidelity/observer.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/fidelity/recording.h"
#include "tests/fidelity/script.h"

namespace groupsim {
namespace {

// Refusals closer than this are one story; clients try again each second.
constexpr double kSameRefusalMs = 1500;

// Refusals for so long are a stale subscription, not one late heartbeat.
constexpr double kStaleAfterMs = 2000;

bool IsRetry(const std::string& queue) { return absl::StartsWith(queue, "R:"); }

}  // namespace

Observer::Observer(const Script& script) : script_(script) {}

void Observer::OnEvent(const Event& event) {
  switch (event.kind) {
    case EventKind::kAction:
      return Begin(event);
    case EventKind::kUnregistered:
      return OnUnregistered(event);
    case EventKind::kNotice: {
      Scope& scope = ScopeOf(event.subject);
      if (scope.after.empty()) return;
      return Note(scope, "notice", event.subject, event.ms);
    }
    case EventKind::kShare: {
      std::vector<std::string>& shares = result_.allocations[event.subject];
      // An empty share at first is no change.
      if (event.what != (shares.empty() ? "" : shares.back())) {
        shares.push_back(event.what);
      }
      return;
    }
    case EventKind::kAdopted:
      return OnAdopted(event);
    case EventKind::kReleased:
      return OnReleased(event);
    case EventKind::kPullSent:
      return OnPull(event);
    case EventKind::kPullRefused:
      return OnRefused(event);
    case EventKind::kDelivered:
      return OnDelivered(event);
    case EventKind::kFailed:
      ScopeOf(event.subject).failed[{event.queue, event.offset}] = event.ms;
      return;
    case EventKind::kPutOff:
      result_
          .values[{"whole run", absl::StrCat("pulls put off by ", event.what),
                   event.subject}] += static_cast<double>(event.amount);
      return;
  }
}

Observation Observer::Finish(double end_ms) {
  const auto whole = [this](const std::string& what, const std::string& scope,
                            const std::string& queue) -> double& {
    return result_.values[{"whole run", what, script_.SubjectOf(scope, queue)}];
  };
  for (auto& [name, scope] : scopes_) {
    for (auto& [queue, state] : scope.queues) {
      if (!state.ever_owned) continue;
      Account(state, end_ms);
      whole("unowned", name, queue) = state.unowned;
      whole("owned twice", name, queue) = state.twice;
      whole("pulls", name, queue) = static_cast<double>(state.pulls);
      whole("messages delivered", name, queue) =
          static_cast<double>(state.delivered.size());
      whole("messages delivered again", name, queue) =
          static_cast<double>(state.again);
      // A stale subscription is told of its own.
      const bool stale = std::any_of(
          state.ever_owners.begin(), state.ever_owners.end(),
          [this](const auto& owner) { return refusals_[owner].stale; });
      if (stale) continue;
      whole("longest without a pull", name, queue) = state.longest_without_pull;
      whole("longest without a delivery", name, queue) =
          state.longest_without_delivery;
    }
  }
  for (const auto& [consumer, refusals] : refusals_) {
    if (!refusals.stale) continue;
    StaleSubscription stale;
    stale.consumer = consumer;
    stale.first_refusal_ms = refusals.first - started_[consumer];
    stale.last_refusal_ms = refusals.last - started_[consumer];
    result_.stale.push_back(stale);
    for (const auto& [quantity, adopter] : adopters_) {
      if (adopter == consumer && quantity.after == refusals.after) {
        result_.values.erase(quantity);
      }
    }
  }
  return result_;
}

Observer::Scope& Observer::ScopeOf(const std::string& consumer) {
  const ScriptConsumer* known = script_.Find(consumer);
  return scopes_[known == nullptr ? "" : known->scope];
}

void Observer::Begin(const Event& event) {
  const int time = ++times_[absl::StrCat(event.subject, " ", event.what)];
  for (const std::string& name : script_.ScopesOf(event.subject)) {
    Scope& scope = scopes_[name];
    const std::string label =
        script_.LabelOf(name, event.subject, event.what, time);
    if (label != scope.after) {
      scope.after = label;
      scope.action_ms = event.ms;
      for (auto& [queue, state] : scope.queues) state.adopter.clear();
    }
    if (event.what == "is killed") {
      for (auto& [queue, state] : scope.queues) {
        Disown(state, event.subject, event.ms);
      }
    }
  }
  if (event.what == "starts") {
    started_[event.subject] = event.ms;
    stopping_.erase(event.subject);
  }
  if (event.what == "stops") stopping_.insert(event.subject);
}

// Only the first moment of each kind counts.
void Observer::Note(Scope& scope, const std::string& what,
                    const std::string& subject, double ms) {
  result_.values.try_emplace({scope.after, what, subject},
                             ms - scope.action_ms);
}

void Observer::NoteQueue(const Event& event, const std::string& what) {
  const ScriptConsumer* consumer = script_.Find(event.subject);
  if (consumer == nullptr) return;
  Note(scopes_[consumer->scope], what,
       script_.SubjectOf(consumer->scope, event.queue), event.ms);
}

// A consumer that stops has its queues until the first broker hears of it: its
// table is cleared much later.
void Observer::OnUnregistered(const Event& event) {
  if (!stopping_.contains(event.subject)) return;
  for (auto& [queue, state] : ScopeOf(event.subject).queues) {
    if (!state.owners.contains(event.subject)) continue;
    Event released = event;
    released.queue = queue;
    NoteQueue(released, "released");
    Disown(state, event.subject, event.ms);
  }
}

void Observer::OnAdopted(const Event& event) {
  if (IsRetry(event.queue)) {
    result_.values.try_emplace({absl::StrCat(event.subject, " starts"),
                                "retry queue owned", event.subject},
                               event.ms - started_[event.subject]);
    return;
  }
  NoteQueue(event, "owned");
  QueueState& state = ScopeOf(event.subject).queues[event.queue];
  Account(state, event.ms);
  state.ever_owned = true;
  state.owners.insert(event.subject);
  state.ever_owners.insert(event.subject);
  state.adopter = event.subject;
}

void Observer::OnReleased(const Event& event) {
  if (IsRetry(event.queue) || stopping_.contains(event.subject)) return;
  NoteQueue(event, "released");
  Disown(ScopeOf(event.subject).queues[event.queue], event.subject, event.ms);
}

void Observer::OnPull(const Event& event) {
  if (IsRetry(event.queue)) return;
  QueueState& state = ScopeOf(event.subject).queues[event.queue];
  ++state.pulls;
  if (state.last_pull >= 0) {
    state.longest_without_pull =
        std::max(state.longest_without_pull, event.ms - state.last_pull);
  }
  state.last_pull = event.ms;
  if (state.adopter == event.subject) NoteQueue(event, "first pull");
}

void Observer::OnDelivered(const Event& event) {
  Scope& scope = ScopeOf(event.subject);
  QueueState& state = scope.queues[event.queue];
  if (const auto failed = scope.failed.find({event.queue, event.offset});
      failed != scope.failed.end() && event.amount > 0) {
    result_.values[{
        "whole run", absl::StrCat("wait before try ", event.amount + 1),
        absl::StrCat(
            script_.SubjectOf(script_.Find(event.subject)->scope, event.queue),
            "+", event.offset)}] = event.ms - failed->second;
    scope.failed.erase(failed);
  }
  if (event.amount > 0) return;
  if (state.last_delivery >= 0) {
    state.longest_without_delivery = std::max(state.longest_without_delivery,
                                              event.ms - state.last_delivery);
  }
  state.last_delivery = event.ms;
  if (!state.delivered.insert(event.offset).second) ++state.again;
  if (state.adopter != event.subject) return;
  NoteQueue(event, "first delivery");
  adopters_.try_emplace(
      {scope.after, "first delivery",
       script_.SubjectOf(script_.Find(event.subject)->scope, event.queue)},
      event.subject);
}

void Observer::OnRefused(const Event& event) {
  Refusals& refusals = refusals_[event.subject];
  if (refusals.stale && event.ms - refusals.last > kSameRefusalMs) return;
  if (!refusals.any || event.ms - refusals.last > kSameRefusalMs) {
    refusals.first = event.ms;
    refusals.after = ScopeOf(event.subject).after;
  }
  refusals.any = true;
  refusals.last = event.ms;
  if (event.ms - refusals.first > kStaleAfterMs) refusals.stale = true;
}

void Observer::Disown(QueueState& state, const std::string& consumer,
                      double ms) {
  Account(state, ms);
  state.owners.erase(consumer);
}

void Observer::Account(QueueState& state, double ms) {
  if (state.ever_owned && state.owners.empty()) {
    state.unowned += ms - state.accounted;
  }
  if (state.owners.size() > 1) state.twice += ms - state.accounted;
  state.accounted = ms;
}

}  // namespace groupsim
