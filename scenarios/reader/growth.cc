#include "scenarios/reader/growth.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/base/time.h"
#include "scenarios/reader/values.h"

namespace groupsim {

int64_t MostTimes(const schema::Event& event, const Scenario& scenario) {
  if (!event.has_every()) return 1;
  const absl::StatusOr<Duration> every = ParseDuration(event.every());
  absl::StatusOr<Duration> end = ParseDuration(scenario.duration());
  if (!every.ok() || *every <= Duration::Zero() || !end.ok()) return 1;
  if (event.has_until()) {
    const absl::StatusOr<Duration> until = ParseDuration(event.until());
    if (until.ok()) end = std::min(*end, *until);
  }
  Duration from = *every;
  if (event.has_from()) {
    const absl::StatusOr<Duration> given = ParseDuration(event.from());
    if (given.ok()) from = *given;
  }
  return *end < from ? 0 : (*end - from).nanos() / every->nanos() + 1;
}

int32_t LargestCount(const schema::Consumer& block, const Scenario& scenario) {
  int32_t largest = block.has_count() ? block.count() : 1;
  for (const schema::Event& event : scenario.at()) {
    if (event.has_scale() && event.scale().consumer() == block.name()) {
      largest = std::max(largest, event.scale().to());
    }
  }
  return largest;
}

std::vector<std::string> AllNamesOf(const schema::Consumer& block,
                                    const Scenario& scenario) {
  const int32_t count = LargestCount(block, scenario);
  // Other counts are errors.
  return block.has_count() && count >= 1 && count <= 10'000
             ? ProcessNames(block.name(), count)
             : ProcessNames(block.name());
}

int64_t MostQueues(const schema::Topic& topic, const std::string& broker,
                   const Scenario& scenario) {
  int64_t queues = topic.queues_per_broker();
  for (const schema::Event& event : scenario.at()) {
    if (!event.has_add_queues()) continue;
    const schema::AddQueues& add = event.add_queues();
    if (add.topic() != topic.name()) continue;
    const bool here = add.broker_size() == 0 ||
                      std::find(add.broker().begin(), add.broker().end(),
                                broker) != add.broker().end();
    if (here) queues += add.queues() * MostTimes(event, scenario);
  }
  return queues;
}

}  // namespace groupsim
