#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/conformance/faulty.h"

namespace groupsim::conformance {
namespace {

// ---- ListenerExecutor ----

// Is told of the end of a call in place of its caller.
class DoneRelay final : public ListenerDone {
 public:
  using Tell = std::function<void(const ListenerResult&)>;
  explicit DoneRelay(Tell tell) : tell_(std::move(tell)) {}
  void OnListenerDone(const ListenerResult& result) override { tell_(result); }

 private:
  const Tell tell_;
};

class ListenersEndTwice final : public Faulty {
 public:
  using Faulty::Faulty;
  ListenerRunId Run(const ListenerCall& call, ListenerDone* done) override {
    relays_.push_back(
        std::make_unique<DoneRelay>([this, done](const ListenerResult& result) {
          done->OnListenerDone(result);
          After(1ms, [done, result] { done->OnListenerDone(result); });
        }));
    return Faulty::Run(call, relays_.back().get());
  }

 private:
  std::vector<std::unique_ptr<DoneRelay>> relays_;
};

// Calls that take no time end inside of Run.
class ListenersEndInsideRun final : public Faulty {
 public:
  using Faulty::Faulty;
  ListenerRunId Run(const ListenerCall& call, ListenerDone* done) override {
    if (call.queue.queue_id != 0) return Faulty::Run(call, done);
    done->OnListenerDone(ListenerResult());
    return 1;
  }
};

class AbandonsNothing final : public Faulty {
 public:
  using Faulty::Faulty;
  void Abandon(ListenerRunId) override {}
};

// Runs fifty calls at once, the others later.
class CrowdedListeners final : public Faulty {
 public:
  using Faulty::Faulty;
  ListenerRunId Run(const ListenerCall& call, ListenerDone* done) override {
    if (++calls_ <= 50) return Faulty::Run(call, done);
    After(20ms, [this, call, done] { Faulty::Run(call, done); });
    return 1;
  }

 private:
  int calls_ = 0;
};

class HangingEnds final : public Faulty {
 public:
  using Faulty::Faulty;
  ListenerRunId Run(const ListenerCall& call, ListenerDone* done) override {
    auto ended = std::make_shared<bool>(false);
    relays_.push_back(std::make_unique<DoneRelay>(
        [ended, done](const ListenerResult& result) {
          *ended = true;
          done->OnListenerDone(result);
        }));
    const ListenerRunId id = Faulty::Run(call, relays_.back().get());
    After(100ms, [this, id, ended, done] {
      if (*ended || abandoned_.contains(id)) return;
      done->OnListenerDone(ListenerResult());
    });
    return id;
  }
  void Abandon(ListenerRunId id) override {
    abandoned_.insert(id);
    Faulty::Abandon(id);
  }

 private:
  std::vector<std::unique_ptr<DoneRelay>> relays_;
  std::set<ListenerRunId> abandoned_;
};

class InterruptsNothing final : public Faulty {
 public:
  using Faulty::Faulty;
  void Interrupt(ListenerRunId) override {}
};

// Whoever is interrupted ends, whether it cares or not.
class InterruptsEverything final : public Faulty {
 public:
  using Faulty::Faulty;
  ListenerRunId Run(const ListenerCall& call, ListenerDone* done) override {
    const ListenerRunId id = Faulty::Run(call, done);
    calls_[id] = done;
    return id;
  }
  void Interrupt(ListenerRunId id) override {
    Faulty::Abandon(id);
    ListenerResult result;
    result.status = ConsumeStatus::kException;
    After(Duration::Zero(),
          [done = calls_.at(id), result] { done->OnListenerDone(result); });
  }

 private:
  std::map<ListenerRunId, ListenerDone*> calls_;
};

// ---- RandomSource ----

// From the third time on, a purpose is not the same any more.
class StreamsGoOn final : public Faulty {
 public:
  using Faulty::Faulty;
  std::unique_ptr<RandomStream> Stream(absl::string_view purpose) override {
    const int times = ++asked_[std::string(purpose)];
    if (times < 3) return Faulty::Stream(purpose);
    return Faulty::Stream(absl::StrCat(purpose, times));
  }

 private:
  std::map<std::string, int> asked_;
};

// All draw from one counter, which begins anew with each stream.
class StreamsShareState final : public Faulty {
 public:
  using Faulty::Faulty;
  std::unique_ptr<RandomStream> Stream(absl::string_view purpose) override {
    *counter_ = 0;
    return std::make_unique<Counting>(Faulty::Stream(purpose)->Next(),
                                      counter_);
  }

 private:
  class Counting final : public RandomStream {
   public:
    Counting(uint64_t base, std::shared_ptr<uint64_t> counter)
        : base_(base), counter_(std::move(counter)) {}
    uint64_t Next() override { return base_ + ++*counter_; }

   private:
    const uint64_t base_;
    const std::shared_ptr<uint64_t> counter_;
  };
  const std::shared_ptr<uint64_t> counter_ = std::make_shared<uint64_t>(0);
};

class OneStreamForAllPurposes final : public Faulty {
 public:
  using Faulty::Faulty;
  std::unique_ptr<RandomStream> Stream(absl::string_view) override {
    return Faulty::Stream("all");
  }
};

// ---- FactSink and Lifecycle ----

// Tells every tenth fact after the next one.
class FactsHeldBack final : public Faulty {
 public:
  using Faulty::Faulty;
  void Emit(const Fact& fact) override {
    if (++facts_ % 10 == 0) {
      held_ = fact;
      return;
    }
    Faulty::Emit(fact);
    if (facts_ % 10 == 1 && facts_ > 1) Faulty::Emit(held_);
  }

 private:
  int facts_ = 0;
  Fact held_;
};

class DestroysAtOnce final : public Faulty {
 public:
  using Faulty::Faulty;
  void OnStopped() override {
    process() = nullptr;
    Faulty::OnStopped();
  }
};

}  // namespace

std::vector<Fault> ProcessFaults() {
  return {
      {.name = "ListenersEndTwice",
       .breaks = "ListenerCallsEndOnceWithTheirResult",
       .seams = Seams<ListenersEndTwice>()},
      {.name = "ListenersEndInsideRun",
       .breaks = "ListenerCallsDoNotEndInsideRun",
       .seams = Seams<ListenersEndInsideRun>()},
      {.name = "AbandonsNothing",
       .breaks = "AbandonedListenerCallsStaySilent",
       .seams = Seams<AbandonsNothing>()},
      {.name = "CrowdedListeners",
       .breaks = "ListenerCallsRunSideBySide",
       .seams = Seams<CrowdedListeners>()},
      {.name = "HangingEnds",
       .breaks = "HangingListenerCallsDoNotEnd",
       .seams = Seams<HangingEnds>()},
      {.name = "InterruptsNothing",
       .breaks = "InterruptedListenerCallsEndAtOnceWhereTheyCare",
       .seams = Seams<InterruptsNothing>()},
      {.name = "InterruptsEverything",
       .breaks = "ListenersThatDoNotCareGoOnWhenInterrupted",
       .seams = Seams<InterruptsEverything>()},
      {.name = "StreamsGoOn",
       .breaks = "AStreamBeginsAnewEachTimeItIsAskedFor",
       .seams = Seams<StreamsGoOn>()},
      {.name = "StreamsShareState",
       .breaks = "StreamsDoNotDisturbEachOther",
       .seams = Seams<StreamsShareState>()},
      {.name = "OneStreamForAllPurposes",
       .breaks = "PurposesAndProcessesDrawDifferently",
       .seams = Seams<OneStreamForAllPurposes>()},
      {.name = "FactsHeldBack",
       .breaks = "FactsAreKeptInTheirOrder",
       .seams = Seams<FactsHeldBack>()},
      {.name = "FactsOfTomorrow",
       .breaks = "FactsSayWhenAndWhere",
       .facts_are_off_by = 1ms},
      {.name = "DestroysAtOnce",
       .breaks = "AProcessThatStopsIsDestroyedInALaterTurn",
       .seams = Seams<DestroysAtOnce>()},
      {.name = "CrashesTakeTime",
       .breaks = "NothingOfACrashedProcessRuns",
       .crash_takes = 20ms},
  };
}

}  // namespace groupsim::conformance
