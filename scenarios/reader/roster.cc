#include "scenarios/reader/roster.h"

#include <string>
#include <utility>
#include <vector>

#include "scenarios/reader/values.h"

namespace groupsim {

std::vector<std::string> NamesOf(const schema::Producer& producer) {
  return producer.has_count() ? ProcessNames(producer.name(), producer.count())
                              : ProcessNames(producer.name());
}

std::vector<RosterEntry> RosterOf(const Scenario& scenario,
                                  const Growth& growth) {
  std::vector<RosterEntry> roster;
  for (int g = 0; g < scenario.group_size(); ++g) {
    for (int b = 0; b < scenario.group(g).consumer_size(); ++b) {
      const schema::Consumer& block = scenario.group(g).consumer(b);
      const int32_t first_size = block.has_count() ? block.count() : 1;
      const Duration stagger = DurationOr(block.stagger(), Duration::Zero());
      Duration start = DurationOr(block.start_at(), Duration::Zero());
      int32_t in_block = 0;
      for (std::string& name : growth.AllNamesOf(block)) {
        roster.push_back({.name = std::move(name),
                          .group = g,
                          .block = b,
                          .in_block = in_block,
                          .start = start,
                          .at_first = in_block < first_size});
        start += stagger;
        ++in_block;
      }
    }
  }
  return roster;
}

}  // namespace groupsim
