#include "scenarios/runner/consumers_of.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/time.h"
#include "model/client/client_id.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/reader/roster.h"

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
  const std::vector<RosterEntry> roster = RosterOf(scenario, Growth(scenario));
  std::vector<FirstConsumer> consumers;
  for (size_t number = 0; number < roster.size(); ++number) {
    const RosterEntry& entry = roster[number];
    if (&scenario.group(entry.group) != &group || !entry.at_first) continue;
    const schema::Consumer& block = group.consumer(entry.block);
    std::string client_id = block.client_id();
    if (client_id.empty()) {
      client_id = group.message_model() == schema::Group::BROADCASTING
                      ? LastingClientId(ConsumerAddress(number))
                      : ClientId(number, Instant::Start() + entry.start);
      if (IsLitePull(group, block)) client_id += "@STREAM";
    }
    consumers.push_back({.name = entry.name,
                         .client_id = std::move(client_id),
                         .block = &block});
  }
  return consumers;
}

std::string ClientIdOfJoiner(const Scenario& scenario, size_t n) {
  const size_t first = RosterOf(scenario, Growth(scenario)).size();
  return ClientId(first + n, Instant::Start());
}

}  // namespace groupsim
