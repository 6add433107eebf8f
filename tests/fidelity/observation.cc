#include "tests/fidelity/observation.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "scenarios/reader/values.h"
#include "scenarios/runner/stage.h"
#include "sim/host/world.h"
#include "sim/trace/trace.h"

namespace groupsim {
namespace {

// Refusals closer than this are one story; clients try again each second.
constexpr Duration kSameRefusal = 1500ms;

// Refusals for so long are a stale subscription, not one late heartbeat.
constexpr Duration kStaleAfter = 2s;

double Millis(Duration duration) {
  return static_cast<double>(duration.nanos()) / 1e6;
}

class Observer final : public FactObserver {
 public:
  Observer(const NameTable& names, std::string topic)
      : names_(names), topic_(std::move(topic)) {}

  void OnFact(const Fact& fact) override {
    switch (fact.kind) {
      case FactKind::PROCESS_STARTED:
        if (fact.value != static_cast<int64_t>(ProcessRole::kConsumer)) return;
        Begin(absl::StrCat(Text(fact.host), " starts"), fact.time);
        started_[Text(fact.host)] = fact.time;
        return;
      case FactKind::PROCESS_CRASHED:
        Begin(absl::StrCat(Text(fact.host), " is killed"), fact.time);
        for (auto& [queue, state] : queues_) {
          Disown(state, Text(fact.host), fact.time);
        }
        return;
      case FactKind::PROCESS_STOPPING:
        if (fact.value != static_cast<int64_t>(ProcessRole::kConsumer)) return;
        Begin(absl::StrCat(Text(fact.host), " stops"), fact.time);
        stopping_ = Text(fact.host);
        return;
      case FactKind::MEMBER_REMOVED:
        OnMemberRemoved(fact);
        return;
      case FactKind::PROCESS_PAUSED:
        Begin(absl::StrCat(Text(fact.host), " is frozen"), fact.time);
        return;
      case FactKind::PROCESS_RESUMED:
        Begin(absl::StrCat(Text(fact.host), " goes on"), fact.time);
        return;
      case FactKind::NOTICE_RECEIVED:
        if (after_.empty()) return;
        Note("notice", Text(fact.host), fact.time);
        return;
      case FactKind::ALLOCATED:
        // Negative where the share is the one before.
        if (Text(fact.topic) == topic_ && fact.value > 0) {
          result_.allocations[Text(fact.host)].emplace_back();
        }
        return;
      case FactKind::ALLOCATED_QUEUE:
        if (Text(fact.topic) == topic_) {
          std::string& share = result_.allocations[Text(fact.host)].back();
          absl::StrAppend(&share, share.empty() ? "" : " ", QueueOf(fact));
        }
        return;
      case FactKind::QUEUE_ADDED:
        OnAdded(fact);
        return;
      case FactKind::QUEUE_REMOVED:
        if (Text(fact.topic) != topic_ || Text(fact.host) == stopping_) return;
        Note("released", QueueOf(fact), fact.time);
        Disown(queues_[QueueOf(fact)], Text(fact.host), fact.time);
        return;
      case FactKind::PULL_SENT:
        OnUse("first pull", fact);
        return;
      case FactKind::DELIVERED:
        OnUse("first delivery", fact);
        OnTry(fact);
        return;
      case FactKind::FINISHED:
        // It stays where it is, and comes again.
        if (fact.value == 2) failed_[{QueueOf(fact), fact.offset}] = fact.time;
        return;
      case FactKind::PULL_FAILED:
        if (fact.count ==
            static_cast<int64_t>(ResponseCode::kSubscriptionNotLatest)) {
          OnRefused(Text(fact.host), fact.time);
        }
        return;
      default:
        return;
    }
  }

  Observation Finish(Instant end) {
    for (auto& [queue, state] : queues_) {
      Account(state, end);
      result_.ms[{"whole run", "unowned", queue}] = Millis(state.unowned);
      result_.ms[{"whole run", "owned twice", queue}] = Millis(state.twice);
    }
    for (const auto& [consumer, refusals] : refusals_) {
      if (!refusals.stale) continue;
      StaleSubscription stale;
      stale.consumer = consumer;
      stale.first_refusal_ms = Millis(refusals.first - started_[consumer]);
      stale.last_refusal_ms = Millis(refusals.last - started_[consumer]);
      result_.stale.push_back(stale);
      // As in the recordings: told there, not among the times.
      for (const auto& [quantity, adopter] : adopters_) {
        if (adopter == consumer && quantity.after == refusals.after) {
          result_.ms.erase(quantity);
        }
      }
    }
    return result_;
  }

 private:
  struct QueueState {
    bool ever_owned = false;
    std::set<std::string> owners;
    std::string adopter;  // The last to adopt it since the last action.
    Instant accounted;
    Duration unowned;
    Duration twice;
  };

  struct Refusals {
    Instant first;
    Instant last;
    std::string after;
    bool stale = false;
  };

  std::string Text(uint32_t id) const { return names_.FromId(id).text(); }

  // "a3" for queue 3 of "broker-a".
  std::string QueueOf(const Fact& fact) const {
    const std::string broker = Text(fact.broker);
    CHECK(absl::StartsWith(broker, "broker-")) << broker;
    return absl::StrCat(broker.substr(7), fact.queue);
  }

  void Begin(std::string action, Instant now) {
    after_ = std::move(action);
    action_time_ = now;
    for (auto& [queue, state] : queues_) state.adopter.clear();
  }

  // Only the first moment of each kind counts.
  void Note(const std::string& what, const std::string& subject, Instant now) {
    result_.ms.try_emplace({after_, what, subject}, Millis(now - action_time_));
  }

  // A consumer that stops has its queues until the first broker hears of it,
  // as in the recordings: it clears its table much later.
  void OnMemberRemoved(const Fact& fact) {
    if (stopping_.empty() ||
        fact.count != static_cast<int64_t>(MemberRemovalCause::kUnregistered)) {
      return;
    }
    for (auto& [queue, state] : queues_) {
      if (!state.owners.contains(stopping_)) continue;
      Note("released", queue, fact.time);
      Disown(state, stopping_, fact.time);
    }
  }

  void OnAdded(const Fact& fact) {
    const std::string host = Text(fact.host);
    if (Text(fact.topic) != topic_) {
      result_.ms.try_emplace(
          {absl::StrCat(host, " starts"), "retry queue owned", host},
          Millis(fact.time - started_[host]));
      return;
    }
    Note("owned", QueueOf(fact), fact.time);
    QueueState& state = queues_[QueueOf(fact)];
    Account(state, fact.time);
    state.ever_owned = true;
    state.owners.insert(host);
    state.adopter = host;
  }

  void OnUse(const std::string& what, const Fact& fact) {
    if (Text(fact.topic) != topic_) return;
    const std::string queue = QueueOf(fact);
    if (queues_[queue].adopter != Text(fact.host)) return;
    Note(what, queue, fact.time);
    if (what == "first delivery") {
      adopters_.try_emplace({after_, what, queue}, Text(fact.host));
    }
  }

  // A message that had failed comes again from its consumer's cache.
  void OnTry(const Fact& fact) {
    const auto failed = failed_.find({QueueOf(fact), fact.offset});
    if (failed == failed_.end()) return;
    static constexpr const char* kTries[] = {
        "second try after", "third try after", "fourth try after"};
    CHECK(fact.count >= 1 && fact.count <= 3) << fact.count;
    result_.ms[{"whole run", kTries[fact.count - 1],
                absl::StrCat(QueueOf(fact), "+", fact.offset)}] =
        Millis(fact.time - failed->second);
    failed_.erase(failed);
  }

  void OnRefused(const std::string& host, Instant now) {
    Refusals& refusals = refusals_[host];
    if (refusals.stale && now - refusals.last > kSameRefusal) return;
    if (refusals.after.empty() || now - refusals.last > kSameRefusal) {
      refusals.first = now;
      refusals.after = after_;
    }
    refusals.last = now;
    if (now - refusals.first > kStaleAfter) refusals.stale = true;
  }

  void Disown(QueueState& state, const std::string& host, Instant now) {
    Account(state, now);
    state.owners.erase(host);
  }

  static void Account(QueueState& state, Instant now) {
    if (state.ever_owned && state.owners.empty()) {
      state.unowned += now - state.accounted;
    }
    if (state.owners.size() > 1) state.twice += now - state.accounted;
    state.accounted = now;
  }

  const NameTable& names_;
  const std::string topic_;
  Observation result_;
  std::string after_;
  Instant action_time_;
  std::string stopping_;  // The consumer that was the last to stop.
  std::map<std::string, Instant> started_;
  std::map<std::string, QueueState> queues_;
  std::map<std::string, Refusals> refusals_;
  // By queue and offset: when its call ended.
  std::map<std::pair<std::string, int64_t>, Instant> failed_;
  std::map<Quantity, std::string> adopters_;
};

}  // namespace

Observation Observe(const Scenario& scenario, uint64_t seed) {
  const absl::StatusOr<Duration> length = ParseDuration(scenario.duration());
  CHECK(length.ok()) << length.status().ToString();
  const Instant end = Instant::Start() + *length;
  WorldOptions options;
  options.seed = seed;
  options.start = Instant::Start() - Stage::kSettling;
  World world(options);
  Observer observer(world.names(), scenario.topic(0).name());
  world.trace().ObserveAll(&observer);
  Stage stage(scenario, world);
  stage.Begin();
  CHECK(world.RunUntil(end) == RunOutcome::kTimeReached);
  Observation observation = observer.Finish(end);
  observation.seed = seed;
  return observation;
}

}  // namespace groupsim
