// The timeline of a scenario: what is done when.
//
// An event takes place once at a time, again and again, or some time after a
// fact. Each time leaves a fact TIMELINE_EVENT that says what it hit.
#ifndef GROUPSIM_SCENARIOS_FAULTS_TIMELINE_H_
#define GROUPSIM_SCENARIOS_FAULTS_TIMELINE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/faults/action.h"
#include "scenarios/faults/fact_filter.h"
#include "sim/host/world.h"
#include "sim/trace/trace.h"

namespace groupsim {

class Timeline {
 public:
  // Once, at a time that is not past.
  struct Once {
    Instant time;
  };
  // At `from`, `from + every`, ... as long as that is not after `until`.
  struct Periodic {
    Instant from;
    Duration every;
    Instant until;
  };
  // Once, `plus` after the `times`-th fact like this at or after `from`; in a
  // turn of its own also where `plus` is zero.
  struct AfterFact {
    FactFilter filter;
    int64_t times = 1;
    Instant from;
    Duration plus;
  };
  using When = std::variant<Once, Periodic, AfterFact>;

  struct Plan {
    std::string name;  // Empty for none.
    When when;
    std::unique_ptr<TimelineAction> action;
    // The action is undone so long after it was done last.
    std::optional<Duration> lasts;
  };

  // An event, and what has become of it so far.
  struct Entry {
    explicit Entry(Plan p) : plan(std::move(p)) {}

    Plan plan;
    int64_t times = 0;     // How often it took place,
    int64_t subjects = 0;  // and what it hit, in all.
    std::optional<Instant> first;
    int64_t facts_seen = 0;  // Of AfterFact.
  };

  // Outlives the runs of `world`.
  explicit Timeline(World& world) : world_(world) {}
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  // Calls `call` when the event of that name takes place the first time, just
  // before what it does is done. Before the event is added.
  void WhenFirst(absl::string_view name,
                 absl::AnyInvocable<void(Instant)> call);

  // Puts an event on the timeline. Events are numbered from 0 in the order in
  // which they are added.
  void Add(Plan plan);

  // When the event of that name took place the first time; nothing if it has
  // not yet, or if there is none.
  std::optional<Instant> FirstTimeOf(absl::string_view name) const;

  // In order of their numbers.
  const std::deque<Entry>& entries() const { return entries_; }

 private:
  // Watches for the fact of one event.
  class Lookout final : public FactObserver {
   public:
    Lookout(Timeline& timeline, size_t number)
        : timeline_(timeline), number_(number) {}
    void OnFact(const Fact& fact) override { timeline_.OnFact(number_, fact); }

   private:
    Timeline& timeline_;
    const size_t number_;
  };

  void OnFact(size_t number, const Fact& fact);
  void Next(size_t number, const Periodic& when, Instant time);
  void Run(size_t number);

  World& world_;
  std::deque<Entry> entries_;
  std::vector<std::unique_ptr<Lookout>> lookouts_;
  std::vector<std::pair<std::string, absl::AnyInvocable<void(Instant)>>>
      listeners_;
};

// "at 30 s", "every 10s from 5 s", "3s after DELIVERED at pod-2".
std::string DescribeWhen(const Timeline::When& when);

// Why an event tested nothing; empty if it did test something. Once the run is
// over.
std::string WhyVacuous(const Timeline::Entry& entry);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_TIMELINE_H_
