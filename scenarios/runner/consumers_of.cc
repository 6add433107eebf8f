#include "scenarios/runner/consumers_of.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/time.h"
#include "model/client/client_id.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/values.h"
#include "scenarios/runner/queues_of.h"

namespace groupsim {
namespace {

// As GenerateClientId makes it.
std::string ClientId(size_t number, Instant start) {
  return absl::StrCat(ConsumerAddress(number), "@", ClientOrigin().pid, "#",
                      start.nanos());
}

}  // namespace

std::string ConsumerAddress(size_t number) {
  return absl::StrCat("10.1.", 100 + number / 100, ".", 100 + number % 100);
}

std::vector<FirstConsumer> FirstConsumersOf(const Scenario& scenario,
                                            const schema::Group& group) {
  const Growth growth(scenario);
  std::vector<FirstConsumer> consumers;
  size_t number = 0;
  for (const schema::Group& each : scenario.group()) {
    for (const schema::Consumer& block : each.consumer()) {
      const std::vector<std::string> names = growth.AllNamesOf(block);
      const size_t first = number;
      number += names.size();
      if (&each != &group) continue;
      Instant start = Instant::Start();
      if (block.has_start_at()) start = TimeOf(block.start_at());
      const Duration stagger =
          block.has_stagger() ? Parsed(block.stagger()) : Duration();
      const auto count =
          static_cast<size_t>(block.has_count() ? block.count() : 1);
      for (size_t i = 0; i < count; ++i) {
        consumers.push_back({.name = names[i],
                             .client_id = block.client_id().empty()
                                              ? ClientId(first + i, start)
                                              : block.client_id(),
                             .block = &block});
        start += stagger;
      }
    }
  }
  return consumers;
}

std::string ClientIdOfJoiner(const Scenario& scenario, size_t n) {
  const Growth growth(scenario);
  size_t number = n;
  for (const schema::Group& group : scenario.group()) {
    for (const schema::Consumer& block : group.consumer()) {
      number += growth.AllNamesOf(block).size();
    }
  }
  return ClientId(number, Instant::Start());
}

}  // namespace groupsim
