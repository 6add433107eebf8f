// A scenario as lints look at it.
#ifndef GROUPSIM_SCENARIOS_LINT_SUBJECT_H_
#define GROUPSIM_SCENARIOS_LINT_SUBJECT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "scenarios/reader/roster.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// A topic that a group subscribes to, with the queues that can be read.
struct LintTopic {
  const schema::Topic* topic = nullptr;
  int64_t queues = 0;
};

// A consumer group.
struct LintGroup {
  const schema::Group* group = nullptr;
  std::string path;  // "group[0]".
  std::vector<RosterEntry> consumers;
  std::vector<LintTopic> topics;
  // The most consumers that run at one time, as far as starts, stops, crashes,
  // losses and scalings at a time of the timeline tell.
  int64_t members = 0;

  // Of a block of consumers.
  std::string PathOf(int block) const;
  // Each consumer gets all: nobody shares queues, locks them or sends messages
  // back.
  bool broadcasts() const {
    return group->message_model() == schema::Group::BROADCASTING;
  }
  // Whether some of its consumers consume orderly.
  bool orderly() const;
};

// A scenario that is complete and valid, and must outlive this.
class LintSubject {
 public:
  explicit LintSubject(const Scenario& scenario);

  const Scenario& scenario() const { return scenario_; }
  const std::vector<LintGroup>& groups() const { return groups_; }
  Duration end() const { return end_; }

  // Null if there is none.
  const schema::Topic* TopicNamed(absl::string_view name) const;
  const schema::Broker* BrokerNamed(absl::string_view name) const;
  // The settings of a broker, with those of all.
  schema::BrokerSettings SettingsOf(const schema::Broker& broker) const;

 private:
  // A consumer begins or ends to run.
  struct Turn {
    Duration time;
    bool runs = false;  // From then on.
    // It runs only if its block is large enough for it.
    bool whole_group = false;
    // How large its block is from then on, which decides.
    std::optional<int32_t> scaled_to = {};
  };
  using TurnsByName = absl::flat_hash_map<std::string, std::vector<Turn>>;

  void CollectTurns();
  int64_t MembersOf(const LintGroup& group) const;

  const Scenario& scenario_;
  Duration end_;
  std::vector<LintGroup> groups_;
  absl::flat_hash_map<std::string, const schema::Topic*> topics_;
  absl::flat_hash_map<std::string, const schema::Broker*> brokers_;
  // What the timeline does at a time to consumers, blocks of them and groups.
  TurnsByName turns_of_;
  TurnsByName turns_of_block_;
  TurnsByName turns_of_group_;
};

// "at[3]".
std::string EventPath(int index);

// "1 queue", "2 queues".
std::string Counted(int64_t count, absl::string_view thing);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LINT_SUBJECT_H_
