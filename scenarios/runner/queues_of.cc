#include "scenarios/runner/queues_of.h"

#include <cstdint>
#include <string>
#include <vector>

namespace groupsim {
namespace {

const schema::Topic& TopicOf(const Scenario& scenario,
                             const std::string& name) {
  for (const schema::Topic& topic : scenario.topic()) {
    if (topic.name() == name) return topic;
  }
  CHECK(false) << "no topic " << name;
  __builtin_unreachable();
}

}  // namespace

std::vector<MessageQueue> QueuesOf(const Scenario& scenario,
                                   const std::string& topic_name,
                                   const std::string& queues,
                                   NameTable& names) {
  const schema::Topic& topic = TopicOf(scenario, topic_name);
  const Name name = names.Intern(topic_name);
  std::vector<MessageQueue> result;
  const auto add = [&](const std::string& broker, int32_t first, int32_t last) {
    for (int32_t id = first; id <= last; ++id) {
      result.push_back(MessageQueue{name, names.Intern(broker), id});
    }
  };
  if (queues.empty()) {
    for (const std::string& broker : topic.broker()) {
      add(broker, 0, topic.queues_per_broker() - 1);
    }
    return result;
  }
  for (const QueueRange& range : Valid(ParseQueues(queues))) {
    const bool all = range.last == QueueRange::kAllQueues;
    add(range.broker, all ? 0 : range.first,
        all ? topic.queues_per_broker() - 1 : range.last);
  }
  return result;
}

}  // namespace groupsim
