#include "model/broker/topic_config_table.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/runtime/env.h"
#include "model/wire/topics.h"

namespace groupsim {
namespace {

struct SystemTopic {
  absl::string_view name;
  int32_t queues;
  int32_t perm;
  bool may_be_sent_to;
};

constexpr int32_t kReadWrite = kPermRead | kPermWrite;

// Of the topics that upstream makes at every start, those that a broker with
// default settings has whatever else it does.
constexpr SystemTopic kSystemTopics[] = {
    {"SELF_TEST_TOPIC", 1, kReadWrite, false},
    {kAutoCreateTopicKeyTopic, 8, kReadWrite | kPermInherit, true},
    {"BenchmarkTest", 1'024, kReadWrite, true},
    {"OFFSET_MOVED_EVENT", 1, kReadWrite, false},
    {kScheduleTopic, 18, kReadWrite, false},
    {"RMQ_SYS_TRANS_HALF_TOPIC", 1, kReadWrite, false},
    {"RMQ_SYS_TRANS_OP_HALF_TOPIC", 1, kReadWrite, false},
};

}  // namespace

TopicConfig MaskedBy(int32_t broker_permission, TopicConfig config) {
  if ((broker_permission & kReadWrite) != kReadWrite) {
    config.perm &= broker_permission;
  }
  return config;
}

Fact FactAbout(FactKind kind, Name broker, int32_t broker_permission,
               const TopicConfig& topic) {
  Fact fact;
  fact.kind = kind;
  fact.topic = topic.topic.id();
  fact.broker = NarrowId(broker);
  fact.count = topic.read_queue_nums;
  fact.value = topic.write_queue_nums;
  fact.offset =
      MaskedBy(broker_permission, topic).perm & (kPermRead | kPermWrite);
  return fact;
}

void TopicConfigTable::AddSystemTopics(NameTable& names, Name cluster,
                                       Name broker, bool auto_create_topic) {
  const auto add = [this](Name name, const SystemTopic& topic) {
    if (topics_.Find(name) != nullptr) return;
    TopicConfig config;
    config.topic = name;
    config.read_queue_nums = topic.queues;
    config.write_queue_nums = topic.queues;
    config.perm = topic.perm;
    Insert(config).may_be_sent_to = topic.may_be_sent_to;
  };
  for (const SystemTopic& topic : kSystemTopics) {
    if (topic.name == kAutoCreateTopicKeyTopic && !auto_create_topic) continue;
    add(names.Intern(topic.name), topic);
  }
  add(cluster, SystemTopic{"", 16, kReadWrite | kPermInherit, true});
  add(broker, SystemTopic{"", 1, kReadWrite | kPermInherit, true});
}

void TopicConfigTable::Put(const TopicConfig& config, int64_t wall_millis) {
  CHECK(!config.topic.empty());
  Insert(config);
  Changed(wall_millis);
}

void TopicConfigTable::SetOrder(Name topic, bool order, int64_t wall_millis) {
  Entry* entry = topics_.Find(topic);
  CHECK(entry != nullptr) << topic;
  entry->config.order = order;
  Changed(wall_millis);
}

TopicConfigTable::Entry& TopicConfigTable::Insert(const TopicConfig& config) {
  registration_ = nullptr;
  Entry* entry = topics_.Find(config.topic);
  if (entry == nullptr) {
    entry = &topics_.Add(config.topic);
    entry->is_retry = IsRetryTopic(config.topic.text());
  }
  entry->config = config;
  return *entry;
}

void TopicConfigTable::Changed(int64_t wall_millis) {
  registration_ = nullptr;
  version_.timestamp = wall_millis;
  ++version_.counter;
}

std::shared_ptr<const std::vector<TopicConfig>> TopicConfigTable::Registration(
    int32_t broker_permission) const {
  if (registration_ == nullptr ||
      registration_permission_ != broker_permission) {
    std::vector<TopicConfig> topics;
    topics.reserve(topics_.size());
    for (const Entry& entry : topics_) {
      topics.push_back(MaskedBy(broker_permission, entry.config));
    }
    registration_ =
        std::make_shared<const std::vector<TopicConfig>>(std::move(topics));
    registration_permission_ = broker_permission;
  }
  return registration_;
}

}  // namespace groupsim
