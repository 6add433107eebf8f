// Judges what a scenario expects.
//
// An expectation without a window looks at the measures of the whole run; one
// with a window has measures of its own, fed from the same facts. Most see
// while the run goes on when they can no longer hold.
#ifndef GROUPSIM_SCENARIOS_EXPECT_EXPECTATIONS_H_
#define GROUPSIM_SCENARIOS_EXPECT_EXPECTATIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "scenarios/expect/causes.h"
#include "scenarios/expect/check.h"
#include "scenarios/expect/scope.h"
#include "scenarios/measure/measures.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/schema/report.pb.h"
#include "scenarios/schema/scenario.pb.h"
#include "sim/trace/trace.h"

namespace groupsim {

class Expectations {
 public:
  // `scenario` was validated. All of them outlive this. `total` is the length
  // of the run.
  Expectations(const Scenario& scenario, const Subjects& subjects,
               NameTable& names, Measures& whole, Duration total);
  ~Expectations();

  // Registers for facts, behind `whole`.
  void ObserveWith(Trace& trace);

  // The events of the timeline that windows or recoveries begin with, each
  // once. OnEvent is to be called when one takes place the first time, before
  // it has done anything.
  std::vector<std::string> events() const;
  void OnEvent(const std::string& name, Instant now);

  // The times at which Look() must be called, each once, in order.
  std::vector<Instant> looks() const;
  // Takes down the allocations that are expected at `now`.
  void Look(Instant now);

  // How many are known to fail by now, whatever follows.
  int violated() const;

  // Judges. `whole` must be finished. One report per expectation and group
  // that it is about, in the order of the scenario.
  std::vector<Report::ExpectationReport> Judge(const RunEnd& end);

 private:
  struct Watched;  // A window and its measures.
  struct Item;     // An expectation about one group, and its check.

  void AddItem(int index, GroupIndex group);
  Watched& WindowOf(const schema::Expectation& expectation);

  const Scenario& scenario_;
  const Subjects& subjects_;
  NameTable& names_;
  Measures& whole_;
  const Duration total_;
  Causes causes_;
  std::vector<std::unique_ptr<Watched>> windows_;
  std::vector<std::unique_ptr<Item>> items_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_EXPECTATIONS_H_
