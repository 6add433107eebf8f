// What was done in a recorded scenario: its input.json, whose format is that of
// the recordings of a live cluster.
#ifndef GROUPSIM_TESTS_FIDELITY_SCRIPT_H_
#define GROUPSIM_TESTS_FIDELITY_SCRIPT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace groupsim {

struct ScriptConsumer {
  std::string name;
  std::string client_id;
  std::string group;  // "L09r1_g1".

  // Whose queues are counted together: the group, "g1", or, where everyone
  // consumes everything, the consumer itself.
  std::string scope;

  // Its own settings over the defaults of all clients.
  nlohmann::json settings;
};

struct ScriptAction {
  int64_t at_ms = 0;
  std::string verb;     // "starts"; empty for what is done to no process.
  std::string subject;  // A consumer or a broker.
  bool of_broker = false;
  nlohmann::json raw;
};

// Messages `first_index` + k go to `queues` in turn, `rate` a second.
struct ScriptTraffic {
  int64_t from_ms = 0;
  int64_t until_ms = 0;
  double rate = 0;
  int64_t first_index = 0;
  int64_t body_bytes = 0;
  std::vector<std::string> queues;  // "a0" for queue 0 of broker-a.

  // How many messages are sent.
  int64_t messages() const {
    return static_cast<int64_t>(static_cast<double>(until_ms - from_ms) * rate /
                                1000);
  }
};

// The verb for what an action is called in input.json ("shutdown_consumer"), or
// in the line of a recording ("stop"); nothing if it ends what another one
// began ("stopped") or is unknown.
std::optional<std::string> VerbOf(absl::string_view what);

class Script {
 public:
  // Stops the program if something is missing.
  static Script Parse(const nlohmann::json& input);

  const nlohmann::json& input() const { return input_; }
  const std::string& name() const { return name_; }
  const std::string& title() const { return title_; }
  int64_t duration_ms() const { return duration_ms_; }
  const std::string& topic() const { return topic_; }
  const std::vector<std::string>& brokers() const { return brokers_; }
  const std::vector<ScriptConsumer>& consumers() const { return consumers_; }
  const std::vector<ScriptAction>& actions() const { return actions_; }
  const std::vector<ScriptTraffic>& traffic() const { return traffic_; }

  // Null if there is no such consumer.
  const ScriptConsumer* Find(absl::string_view consumer) const;

  // Scopes that an action concerns: that of the consumer, or all.
  std::vector<std::string> ScopesOf(const std::string& subject) const;

  // How times after an action are named: "c1 starts", and "c1 starts (2)" the
  // second time. Actions planned for the same time in the same scope have one
  // name: which of them comes first is chance.
  std::string LabelOf(const std::string& scope, const std::string& subject,
                      const std::string& verb, int time) const;

  // "a0", or "g1 a0" where there are several scopes.
  std::string SubjectOf(const std::string& scope,
                        const std::string& queue) const;

  // Where a message goes: queue and offset. Nothing where several producers
  // send to one queue.
  std::optional<std::pair<std::string, int64_t>> PlaceOf(int64_t index) const;

  // Messages that one queue gets in so many milliseconds at most.
  double MessagesOfOneQueue(double ms) const;

 private:
  nlohmann::json input_;
  std::string name_;
  std::string title_;
  int64_t duration_ms_ = 0;
  std::string topic_;
  std::vector<std::string> brokers_;
  std::vector<ScriptConsumer> consumers_;
  std::vector<ScriptAction> actions_;
  std::vector<ScriptTraffic> traffic_;
  std::vector<std::string> scopes_;
  // By scope and "c1 starts (2)".
  std::map<std::pair<std::string, std::string>, std::string> labels_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_SCRIPT_H_
