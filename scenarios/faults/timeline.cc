#include "scenarios/faults/timeline.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "model/facts/fact.h"

namespace groupsim {

void Timeline::Add(Instant time, std::unique_ptr<TimelineAction> action) {
  const size_t number = entries_.size();
  Entry entry;
  entry.time = time;
  entry.action = std::move(action);
  entries_.push_back(std::move(entry));
  world_.At(time, [this, number] { Run(number); });
}

void Timeline::Run(size_t number) {
  Entry& entry = entries_[number];
  entry.subjects = entry.action->Apply(world_);
  Fact fact;
  fact.kind = FactKind::TIMELINE_EVENT;
  fact.count = static_cast<int64_t>(number);
  fact.value = entry.subjects;
  world_.trace().Emit(fact);
}

}  // namespace groupsim
