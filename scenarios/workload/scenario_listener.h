// Listeners as a scenario describes them.
#ifndef GROUPSIM_SCENARIOS_WORKLOAD_SCENARIO_LISTENER_H_
#define GROUPSIM_SCENARIOS_WORKLOAD_SCENARIO_LISTENER_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/wire/message_queue.h"
#include "sim/host/listener_behaviour.h"
#include "sim/random/distribution.h"

namespace groupsim {

// A call takes a time drawn from a distribution and succeeds, unless it gets a
// message that makes it hang.
class ScenarioListener final : public ListenerBehaviour {
 public:
  // Messages whose calls hang.
  struct Hang {
    Name topic;  // Empty for any.
    // Queues as (broker, first, last), last included; empty for all.
    struct Queues {
      Name broker;
      int32_t first = 0;
      int32_t last = 0;
    };
    std::vector<Queues> queues;
    std::vector<int64_t> offsets;
    int64_t times = INT64_MAX;  // How many calls with one message hang.
    // How long such a call takes, instead of what was drawn; for ever if not
    // set. Of several that concern a call, the longest counts.
    std::optional<Duration> lasts;
  };

  struct Description {
    Distribution service_time;    // Nanoseconds.
    int64_t time_per_cent = 100;  // Of the time drawn; at least 1.
    std::vector<Hang> hangs = {};
  };

  explicit ScenarioListener(Description description)
      : description_(std::move(description)) {}

  ListenerPlan Plan(const ListenerCall& call, RandomStream& draws) override;

 private:
  void ApplyHangs(const ListenerCall& call, ListenerPlan& plan);

  const Description description_;
  // How often a message made a call hang, where that is limited.
  absl::flat_hash_map<std::pair<MessageQueue, int64_t>, int64_t> hung_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_WORKLOAD_SCENARIO_LISTENER_H_
