// The topics of one broker (TopicConfigManager, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_TOPIC_CONFIG_TABLE_H_
#define GROUPSIM_MODEL_BROKER_TOPIC_CONFIG_TABLE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/name.h"
#include "model/broker/name_indexed.h"
#include "model/facts/fact.h"
#include "model/wire/route.h"

namespace groupsim {

// Survives a crash: upstream writes it to disk at every change.
class TopicConfigTable {
 public:
  struct Entry {
    TopicConfig config;
    bool may_be_sent_to = true;  // False for some topics of the system.
    bool is_retry = false;       // It is some group's retry topic.
  };

  TopicConfigTable() = default;
  TopicConfigTable(const TopicConfigTable&) = delete;
  TopicConfigTable& operator=(const TopicConfigTable&) = delete;

  // Null for unknown topics.
  const Entry* Find(Name topic) const { return topics_.Find(topic); }

  // All topics in order of creation.
  auto begin() const { return topics_.begin(); }
  auto end() const { return topics_.end(); }

  // Adds the topics that every broker has, unless they are there already; the
  // template of other topics only with `auto_create_topic` (constructor of
  // TopicConfigManager).
  void AddSystemTopics(NameTable& names, Name cluster, Name broker,
                       bool auto_create_topic);

  // Adds or replaces a topic at `wall_millis`, which makes a new version of
  // the table.
  void Put(const TopicConfig& config, int64_t wall_millis);

  // A new version of the table, without a change of a topic.
  void Touch(int64_t wall_millis) { Changed(wall_millis); }

  // Changes the order flag of a topic that is there.
  void SetOrder(Name topic, bool order, int64_t wall_millis);

  const DataVersion& version() const { return version_; }

  // What a registration carries: all topics in order of creation, their
  // permissions cut down to `broker_permission`.
  std::shared_ptr<const std::vector<TopicConfig>> Registration(
      int32_t broker_permission) const;

 private:
  Entry& Insert(const TopicConfig& config);
  void Changed(int64_t wall_millis);

  NameIndexed<Entry> topics_;
  DataVersion version_;
  mutable std::shared_ptr<const std::vector<TopicConfig>> registration_;
  mutable int32_t registration_permission_ = 0;
};

// A topic as a broker of this permission registers it.
TopicConfig MaskedBy(int32_t broker_permission, TopicConfig config);

// A fact about a topic of `broker`, as clients will see the topic:
// TOPIC_CHANGED or TOPIC_CREATED.
Fact FactAbout(FactKind kind, Name broker, int32_t broker_permission,
               const TopicConfig& topic);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_TOPIC_CONFIG_TABLE_H_
