#include "scenarios/measure/subjects.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/check.h"
#include "model/runtime/env.h"

namespace groupsim {
namespace {

void SetById(std::vector<int32_t>& table, uint32_t id, int32_t index) {
  if (id >= table.size()) table.resize(size_t{id} + 1, kNoSubject);
  CHECK_EQ(table[id], kNoSubject) << "a subject was added twice";
  table[id] = index;
}

}  // namespace

GroupIndex Subjects::AddGroup(Name name, bool broadcasts) {
  const auto index = static_cast<GroupIndex>(groups_.size());
  SetById(group_by_id_, name.id(), index);
  groups_.push_back(Group{name, {}, {}, broadcasts});
  return index;
}

ConsumerIndex Subjects::AddConsumer(Name process, GroupIndex group, Name room,
                                    int64_t cached_per_queue) {
  const auto index = static_cast<ConsumerIndex>(consumers_.size());
  SetById(consumer_by_id_, process.id(), index);
  std::vector<ConsumerIndex>& members =
      groups_[static_cast<size_t>(group)].consumers;
  consumers_.push_back(
      Consumer{process, group, room, cached_per_queue, members.size()});
  members.push_back(index);
  return index;
}

QueueIndex Subjects::AddQueue(const MessageQueue& queue, Name room,
                              bool readable) {
  const auto index = static_cast<QueueIndex>(queues_.size());
  QueueIndex& place = PlaceOf(QueueFact(FactKind::NAMED, Name(), queue));
  CHECK_EQ(place, kNoSubject) << "queue added twice: " << queue;
  place = index;
  queues_.push_back(Queue{queue, room, {}, readable});
  return index;
}

QueueIndex& Subjects::PlaceOf(const Fact& fact) {
  if (fact.topic >= topics_.size()) topics_.resize(size_t{fact.topic} + 1);
  Topic& topic = topics_[fact.topic];
  if (topic.queues.empty()) topic.first_broker = fact.broker;
  while (fact.broker < topic.first_broker) {
    topic.queues.emplace(topic.queues.begin());
    --topic.first_broker;
  }
  const size_t broker = fact.broker - topic.first_broker;
  if (broker >= topic.queues.size()) topic.queues.resize(broker + 1);
  std::vector<QueueIndex>& queues = topic.queues[broker];
  if (fact.queue >= queues.size()) {
    queues.resize(size_t{fact.queue} + 1, kNoSubject);
  }
  return queues[fact.queue];
}

void Subjects::Subscribe(GroupIndex group, QueueIndex queue) {
  groups_[static_cast<size_t>(group)].queues.push_back(queue);
  queues_[static_cast<size_t>(queue)].groups.push_back(group);
}

void Subjects::Wish::Add(const std::vector<Name>& more) {
  all |= more.empty();
  for (const Name tag : more) {
    const auto place = std::lower_bound(tags.begin(), tags.end(), tag.id());
    if (place == tags.end() || *place != tag.id()) tags.insert(place, tag.id());
  }
}

void Subjects::Want(ConsumerIndex consumer, Name topic,
                    const std::vector<Name>& tags) {
  const GroupIndex group = consumers_[static_cast<size_t>(consumer)].group;
  wishes_of_groups_[{group, topic.id()}].Add(tags);
  if (groups_[static_cast<size_t>(group)].broadcasts) {
    wishes_of_consumers_[{consumer, topic.id()}].Add(tags);
  }
}

const std::vector<uint32_t>* Subjects::TagsIn(const Wishes& wishes,
                                              int32_t subject, Name topic) {
  const auto wish = wishes.find({subject, topic.id()});
  return wish == wishes.end() || wish->second.all ? nullptr
                                                  : &wish->second.tags;
}

}  // namespace groupsim
