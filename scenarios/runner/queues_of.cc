#include "scenarios/runner/queues_of.h"

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/check.h"

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
                                   const Growth& growth,
                                   const std::string& topic,
                                   const std::string& queues,
                                   NameTable& names) {
  const Name name = names.Intern(topic);
  std::vector<MessageQueue> result;
  for (const QueueRange& range :
       growth.QueuesNamed(TopicOf(scenario, topic), queues)) {
    for (int32_t id = range.first; id <= range.last; ++id) {
      result.push_back(MessageQueue{name, names.Intern(range.broker), id});
    }
  }
  return result;
}

}  // namespace groupsim
