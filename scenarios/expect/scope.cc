#include "scenarios/expect/scope.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "scenarios/reader/values.h"

namespace groupsim {

Scope Scope::Of(const schema::Expectation& expectation,
                const Subjects& subjects, GroupIndex group) {
  Scope scope;
  scope.group = group;
  if (group == kNoSubject) return scope;
  if (expectation.has_consumer()) {
    scope.consumer = FindConsumer(subjects, expectation.consumer());
    CHECK(scope.consumer != kNoSubject) << expectation.consumer();
    scope.words = absl::StrCat(" of ", expectation.consumer());
  }
  if (!expectation.has_topic() && !expectation.has_queues()) return scope;
  scope.words = " of";
  if (expectation.has_topic()) {
    absl::StrAppend(&scope.words, " ", expectation.topic());
  }
  if (expectation.has_queues()) {
    absl::StrAppend(&scope.words, " ", expectation.queues());
  }
  scope.queues.resize(subjects.queues().size());
  for (const QueueIndex queue :
       subjects.groups()[static_cast<size_t>(group)].queues) {
    const Name topic =
        subjects.queues()[static_cast<size_t>(queue)].queue.topic;
    if (topic.text() == expectation.topic()) scope.topic = topic;
    scope.queues[static_cast<size_t>(queue)] =
        !expectation.has_queues() && topic.text() == expectation.topic();
  }
  if (!expectation.has_queues()) return scope;
  for (const QueueIndex queue :
       FindQueues(subjects, group, expectation.topic(), expectation.queues())) {
    scope.queues[static_cast<size_t>(queue)] = true;
  }
  return scope;
}

ConsumerIndex FindConsumer(const Subjects& subjects, const std::string& name) {
  for (size_t i = 0; i < subjects.consumers().size(); ++i) {
    if (subjects.consumers()[i].process.text() == name) {
      return static_cast<ConsumerIndex>(i);
    }
  }
  return kNoSubject;
}

std::vector<QueueIndex> FindQueues(const Subjects& subjects, GroupIndex group,
                                   const std::string& topic,
                                   const std::string& queues) {
  const std::vector<QueueRange> ranges = Valid(ParseQueues(queues));
  std::vector<QueueIndex> found;
  for (const QueueIndex index :
       subjects.groups()[static_cast<size_t>(group)].queues) {
    const MessageQueue& q = subjects.queues()[static_cast<size_t>(index)].queue;
    if (!topic.empty() && q.topic.text() != topic) continue;
    for (const QueueRange& range : ranges) {
      if (range.broker == q.broker.text() && q.queue_id >= range.first &&
          q.queue_id <= range.last) {
        found.push_back(index);
        break;
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace groupsim
