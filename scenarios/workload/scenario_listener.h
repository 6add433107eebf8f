// Listeners as a scenario describes them.
#ifndef GROUPSIM_SCENARIOS_WORKLOAD_SCENARIO_LISTENER_H_
#define GROUPSIM_SCENARIOS_WORKLOAD_SCENARIO_LISTENER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/runtime/listener_executor.h"
#include "model/wire/message.h"
#include "sim/host/listener_behaviour.h"
#include "sim/random/distribution.h"
#include "sim/random/stream.h"

namespace groupsim {

// A call takes a time drawn from a distribution and succeeds, unless it gets a
// message that makes it hang or fail.
class ScenarioListener final : public ListenerBehaviour {
 public:
  // Messages by where their first copies are: a message that was sent back is
  // still the same one.
  struct Selection {
    Name topic;  // Empty for any.
    // Queues as (broker, first, last), last included; empty for all.
    struct Queues {
      Name broker;
      int32_t first = 0;
      int32_t last = 0;
    };
    std::vector<Queues> queues = {};
    absl::flat_hash_set<int64_t> offsets = {};  // Empty for all.

    bool Has(const MessageOrigin& first_copy) const;
  };

  // Messages whose calls hang.
  struct Hang {
    Selection messages;
    std::optional<int64_t> times;  // How many calls with one message hang.
    // How long such a call takes, instead of what was drawn; for ever if not
    // set. Of several that concern a call, the longest counts.
    std::optional<Duration> lasts;
  };

  // Messages whose calls fail. Of several that concern a call, the first one
  // counts.
  struct Failure {
    Selection messages;
    std::optional<Name> tag;
    absl::flat_hash_set<uint64_t> keys = {};  // Empty for any.
    int32_t per_mille = 1'000;                // Of attempts.
    int32_t per_mille_of_messages = 1'000;    // Always the same ones.
    int64_t times = INT64_MAX;                // Attempts that fail at first.
    ListenerResult result;                    // What the listener answers.
    bool hangs = false;                       // It never answers.
    std::optional<Duration> lasts;            // Instead of what was drawn.
  };

  struct Description {
    Distribution service_time;  // Nanoseconds.
    // What each message of a call adds, nanoseconds; nothing if not set.
    std::optional<Distribution> time_per_message = {};
    int64_t time_per_cent = 100;  // Of the time drawn; at least 1.
    bool auto_commit = true;      // Of every call (ListenerResult).
    // Whether a call that is interrupted throws, or else goes on.
    bool fails_when_interrupted = false;
    std::optional<int32_t> leaves_body_size = {};  // Of every call.
    std::vector<Hang> hangs = {};
    std::vector<Failure> failures = {};
    // For whom chances are drawn, with which seed and where names are; a
    // listener without chances needs none of them.
    std::string drawer = {};
    uint64_t seed = 0;
    const NameTable* names = nullptr;
  };

  explicit ScenarioListener(Description description)
      : description_(std::move(description)),
        hung_(description_.hangs.size()) {}

  ListenerPlan Plan(const ListenerCall& call, RandomStream& draws) override;

 private:
  void ApplyHangs(const ListenerCall& call, ListenerPlan& plan);
  void ApplyFailures(const ListenerCall& call, ListenerPlan& plan);
  bool Fails(size_t number, const Message& message, const MessageQueue& queue);
  // How often the message has failed or was rolled back.
  int64_t AttemptsOf(const Message& message, const MessageOrigin& first) const;

  // A chance that depends on nothing but the seed, who draws, the message and
  // `attempt`; nobody's draws move when others come or go.
  struct Chance {
    size_t failure = 0;
    int32_t per_mille = 1'000;
    uint32_t attempt = 0;
  };
  bool Draw(const Chance& chance, const MessageOrigin& message);

  const Description description_;
  // How often a message made a call hang, by hang; only where that is limited.
  std::vector<absl::flat_hash_map<MessageOrigin, int64_t>> hung_;
  // How often calls with a message rolled back; its reconsume times do not say.
  absl::flat_hash_map<MessageOrigin, int64_t> rolled_back_;
  // Keys of chances, by failure, topic and broker.
  absl::flat_hash_map<std::tuple<size_t, Name, uint16_t>, StreamKey> keys_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_WORKLOAD_SCENARIO_LISTENER_H_
