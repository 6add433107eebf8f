#include "tests/fidelity/observation.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "scenarios/runner/stage.h"
#include "sim/host/world.h"
#include "sim/trace/trace.h"
#include "tests/fidelity/observer.h"

namespace groupsim {
namespace {

double Millis(Instant time) {
  return static_cast<double>((time - Instant::Start()).nanos()) / 1e6;
}

// Facts as events.
class FactReader final : public FactObserver {
 public:
  FactReader(const NameTable& names, const Script& script)
      : names_(names), script_(script), observer_(script) {}

  void OnFact(const Fact& fact) override {
    if (fact.kind != FactKind::ALLOCATED_QUEUE) TellShare();
    switch (fact.kind) {
      case FactKind::PROCESS_STARTED:
        return Act(fact, "starts");
      case FactKind::PROCESS_STOPPING:
        return Act(fact, "stops");
      case FactKind::PROCESS_CRASHED:
        return Act(fact, "is killed");
      case FactKind::PROCESS_PAUSED:
        return Act(fact, "is frozen");
      case FactKind::PROCESS_RESUMED:
        return Act(fact, "goes on");
      case FactKind::MEMBER_REMOVED:
        if (fact.count ==
            static_cast<int64_t>(MemberRemovalCause::kUnregistered)) {
          Unregister(fact);
        }
        return;
      case FactKind::NOTICE_RECEIVED:
        return Tell(EventKind::kNotice, fact);
      case FactKind::ALLOCATED:
        // Negative where the share is the one before.
        if (Text(fact.topic) != script_.topic() || fact.value < 0) return;
        share_ = MakeEvent(EventKind::kShare, fact);
        share_.queue.clear();
        has_share_ = true;
        return;
      case FactKind::ALLOCATED_QUEUE:
        if (Text(fact.topic) != script_.topic()) return;
        absl::StrAppend(&share_.what, share_.what.empty() ? "" : " ",
                        QueueOf(fact));
        return;
      case FactKind::QUEUE_ADDED:
        return Tell(EventKind::kAdopted, fact);
      case FactKind::QUEUE_REMOVED:
        return Tell(EventKind::kReleased, fact);
      case FactKind::PULL_SENT:
        return Tell(EventKind::kPullSent, fact);
      case FactKind::PULL_FAILED:
        if (fact.count ==
            static_cast<int64_t>(ResponseCode::kSubscriptionNotLatest)) {
          Tell(EventKind::kPullRefused, fact);
        }
        return;
      case FactKind::PULL_POSTPONED:
        return PutOff(fact);
      case FactKind::DELIVERED:
        // Of a copy in a retry queue, RETRY_DELIVERED follows.
        copy_ = {QueueOf(fact), fact.offset};
        if (Text(fact.topic) == script_.topic()) Deliver(fact);
        return;
      case FactKind::RETRY_DELIVERED:
        firsts_[copy_] = {QueueOf(fact), fact.offset};
        return Deliver(fact);
      case FactKind::FINISHED:
        return Finished(fact);
      default:
        return;
    }
  }

  Observation Finish(Instant end) {
    TellShare();
    return observer_.Finish(Millis(end));
  }

 private:
  std::string Text(uint32_t id) const { return names_.FromId(id).text(); }

  // "a3" for queue 3 of "broker-a", "R:a0" for its retry queue.
  std::string QueueOf(const Fact& fact) const {
    const std::string broker = Text(fact.broker);
    const absl::string_view letter =
        absl::string_view(broker).substr(broker.rfind('-') + 1);
    return absl::StrCat(
        absl::StartsWith(Text(fact.topic), "%RETRY%") ? "R:" : "", letter,
        fact.queue);
  }

  Event MakeEvent(EventKind kind, const Fact& fact) const {
    Event event;
    event.kind = kind;
    event.ms = Millis(fact.time);
    event.subject = Text(fact.host);
    if (fact.topic != 0 && fact.broker != 0) event.queue = QueueOf(fact);
    event.offset = fact.offset;
    return event;
  }

  void Tell(EventKind kind, const Fact& fact) {
    observer_.OnEvent(MakeEvent(kind, fact));
  }

  void Act(const Fact& fact, const char* verb) {
    const auto role = static_cast<ProcessRole>(fact.value);
    // The cluster came up before.
    if (fact.time < Instant::Start() ||
        (role != ProcessRole::kConsumer && role != ProcessRole::kBroker)) {
      return;
    }
    Event event = MakeEvent(EventKind::kAction, fact);
    event.what = verb;
    if (event.what == "stops") stopping_ = event.subject;
    observer_.OnEvent(event);
  }

  // The fact names the client id, which several may have.
  void Unregister(const Fact& fact) {
    const std::string client_id = Text(static_cast<uint32_t>(fact.value));
    const ScriptConsumer* last = script_.Find(stopping_);
    Event event = MakeEvent(EventKind::kUnregistered, fact);
    for (const ScriptConsumer& consumer : script_.consumers()) {
      if (consumer.client_id != client_id) continue;
      if (last != nullptr && last->client_id == client_id &&
          consumer.name != stopping_) {
        continue;
      }
      event.subject = consumer.name;
      observer_.OnEvent(event);
    }
  }

  void TellShare() {
    if (!has_share_) return;
    has_share_ = false;
    observer_.OnEvent(share_);
  }

  void PutOff(const Fact& fact) {
    const auto reason = static_cast<PostponeReason>(fact.count);
    Event event = MakeEvent(EventKind::kPutOff, fact);
    event.amount = 1;
    if (reason == PostponeReason::kSpan) {
      event.what = "span";
    } else if (reason == PostponeReason::kCount ||
               reason == PostponeReason::kSize) {
      event.what = "count or size";
    } else {
      return;
    }
    observer_.OnEvent(event);
  }

  void Deliver(const Fact& fact) {
    Event event = MakeEvent(EventKind::kDelivered, fact);
    event.amount = fact.count;
    observer_.OnEvent(event);
  }

  void Finished(const Fact& fact) {
    const auto status = static_cast<ConsumeStatus>(fact.count);
    if (status == ConsumeStatus::kSuccess || status == ConsumeStatus::kCommit) {
      return;
    }
    Event event = MakeEvent(EventKind::kFailed, fact);
    if (const auto first = firsts_.find({event.queue, event.offset});
        first != firsts_.end()) {
      std::tie(event.queue, event.offset) = first->second;
    }
    observer_.OnEvent(event);
  }

  using Place = std::pair<std::string, int64_t>;

  const NameTable& names_;
  const Script& script_;
  Observer observer_;
  std::string stopping_;  // The consumer that was the last to stop.
  Event share_;
  bool has_share_ = false;
  Place copy_;                     // What was delivered last.
  std::map<Place, Place> firsts_;  // Where copies were first.
};

}  // namespace

Observation Observe(const Script& script, const Scenario& scenario,
                    uint64_t seed) {
  const Instant end = Instant::Start() + script.duration_ms() * 1ms;
  WorldOptions options;
  options.seed = seed;
  options.start = Instant::Start() - Stage::kSettling;
  World world(options);
  FactReader reader(world.names(), script);
  world.trace().ObserveAll(&reader);
  Stage stage(scenario, world);
  stage.Begin();
  CHECK(world.RunUntil(end) == RunOutcome::kTimeReached);
  Observation observation = reader.Finish(end);
  observation.seed = seed;
  return observation;
}

}  // namespace groupsim
