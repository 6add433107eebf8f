// Judges what a scenario expects.
//
// An expectation without a window looks at the measures of the whole run; one
// with a window has measures of its own, fed from the same facts.
#ifndef GROUPSIM_SCENARIOS_EXPECT_EXPECTATIONS_H_
#define GROUPSIM_SCENARIOS_EXPECT_EXPECTATIONS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/base/time.h"
#include "scenarios/measure/measures.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/schema/report.pb.h"
#include "scenarios/schema/scenario.pb.h"
#include "sim/trace/trace.h"

namespace groupsim {

class Expectations {
 public:
  // `scenario` was validated. All of them outlive this. `total` is the length
  // of the run. Sets limits to the watches of `whole`.
  Expectations(const Scenario& scenario, const Subjects& subjects,
               Measures& whole, Duration total);

  // Feeds measures of windows; call after `whole` was registered.
  void ObserveWith(Trace& trace);

  // The times at which Look() must be called, each once, in order.
  std::vector<Instant> looks() const;
  // Takes down the allocations that are expected at `now`.
  void Look(Instant now);

  // Judges. `whole` must be finished. One report per expectation and group
  // that it is about, in the order of the scenario.
  std::vector<Report::ExpectationReport> Judge(Instant end);

 private:
  // One expectation about one group.
  struct Item {
    int index = 0;
    const schema::Expectation* expectation = nullptr;
    GroupIndex group = kNoSubject;
    Measures* measures = nullptr;
    // Of an allocation: seen at its time.
    bool looked = false;
    bool was_alive = false;
    std::vector<QueueIndex> owned;
  };
  struct WindowKey {
    Instant from;
    Instant to;
    friend auto operator<=>(const WindowKey&, const WindowKey&) = default;
  };

  void AddItem(int index, GroupIndex group);
  void SetWatch(const Item& item);
  void JudgeItem(const Item& item, Report::ExpectationReport& report);
  void JudgeAllocation(const Item& item, Report::ExpectationReport& report);
  void JudgeDuration(const Item& item, Report::ExpectationReport& report);
  void Blame(const Item& item, const Watch& watch,
             Report::ExpectationReport& report);
  std::string LastChangeBefore(const Item& item, Instant time) const;
  ConsumerIndex FindConsumer(const std::string& name) const;
  std::string QueueName(QueueIndex queue) const;
  std::string QueueNames(const std::vector<QueueIndex>& queues) const;
  std::vector<QueueIndex> ExpectedQueues(const Item& item) const;

  const Scenario& scenario_;
  const Subjects& subjects_;
  Measures& whole_;
  const Duration total_;
  absl::btree_map<WindowKey, std::unique_ptr<Measures>> windows_;
  std::vector<Item> items_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_EXPECTATIONS_H_
