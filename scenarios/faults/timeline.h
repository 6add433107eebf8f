// The timeline of a scenario: what is done when.
#ifndef GROUPSIM_SCENARIOS_FAULTS_TIMELINE_H_
#define GROUPSIM_SCENARIOS_FAULTS_TIMELINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "scenarios/faults/action.h"
#include "sim/host/world.h"

namespace groupsim {

class Timeline {
 public:
  struct Entry {
    Instant time;
    std::unique_ptr<TimelineAction> action;
    // How many processes it hit; -1 before its time.
    int64_t subjects = -1;
  };

  // Outlives the runs of `world`.
  explicit Timeline(World& world) : world_(world) {}
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  // Plans an action; it leaves a fact TIMELINE_EVENT with its number, counted
  // from 0 in the order added, and its subjects. `time` is not past.
  void Add(Instant time, std::unique_ptr<TimelineAction> action);

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void Run(size_t number);

  World& world_;
  std::vector<Entry> entries_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_TIMELINE_H_
