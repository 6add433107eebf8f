// The names that a scenario gives, and what refers to them.
#ifndef GROUPSIM_SCENARIOS_READER_NAMES_H_
#define GROUPSIM_SCENARIOS_READER_NAMES_H_

#include <map>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/judge.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

class ScenarioNames {
 public:
  // Collects the names; one that is taken is a finding. The scenario is
  // complete; all three outlive this.
  ScenarioNames(const Scenario& scenario, const Growth& growth, Judge& judge);

  // Every field whose rule says so names something that there is.
  void CheckReferences();

  // The queues that `text` names exist: on brokers that have `topic`, or, if
  // that is null, on any broker.
  void CheckQueues(const std::string& text, const schema::Topic* topic,
                   const std::string& path);

  // Null if there is none.
  const schema::Topic* TopicNamed(const std::string& name) const;
  // Of a consumer process.
  const schema::Group* GroupOf(const std::string& consumer) const;

 private:
  void CollectNames();
  void CollectProducers();
  void CollectTags();
  void CollectConsumers();
  void CollectRooms();
  // Processes share one space of names; topics and groups have their own.
  void AddName(absl::string_view kind, const std::string& name,
               const std::string& path, bool process);
  void CheckReferencesIn(const google::protobuf::Message& message,
                         const std::string& path);
  void CheckReference(const std::string& kind, const std::string& name,
                      const std::string& path);
  // What there is instead of a thing that is not there.
  std::string WhatThereIs(const std::string& kind, const std::string& name);
  // Something that can be named without being declared as such.
  void AddMention(absl::string_view kind, const std::string& name);

  const Scenario& scenario_;
  const Growth& growth_;
  Judge& judge_;
  // By kind ("topic", "consumer", ...).
  std::map<std::string, std::vector<std::string>, std::less<>> names_;
  std::map<std::string, absl::flat_hash_set<std::string>, std::less<>> known_;
  // By space of names: the path of what has the name.
  std::map<std::string, absl::flat_hash_map<std::string, std::string>> owners_;
  absl::flat_hash_map<std::string, const schema::Topic*> topics_;
  absl::flat_hash_map<std::string, const schema::Group*> group_of_;
  // Names of blocks with a count, and what that is.
  std::map<std::string, int32_t, std::less<>> blocks_;
  // Kinds of which not all names are known.
  absl::flat_hash_set<std::string> unknown_;
  size_t hints_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_NAMES_H_
