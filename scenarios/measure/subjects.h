// Who and what is measured: groups, their consumers, queues.
#ifndef GROUPSIM_SCENARIOS_MEASURE_SUBJECTS_H_
#define GROUPSIM_SCENARIOS_MEASURE_SUBJECTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/base/name.h"
#include "model/facts/fact.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {

// Dense numbers of subjects, in the order in which they were added; -1 for
// none.
using GroupIndex = int32_t;
using ConsumerIndex = int32_t;
using QueueIndex = int32_t;
inline constexpr int32_t kNoSubject = -1;

// The subjects of one run. Filled before the run; facts about anything else
// (retry queues, say) concern no subject.
class Subjects {
 public:
  struct Group {
    Name name;
    std::vector<ConsumerIndex> consumers;
    std::vector<QueueIndex> queues;  // Of its topics.
    // Each consumer gets all messages of all queues.
    bool broadcasts = false;
  };
  struct Consumer {
    Name process;
    GroupIndex group = kNoSubject;
    Name room;  // Empty for none.
    // So many messages of one queue it caches before it stops pulling; 0 for
    // unknown.
    int64_t cached_per_queue = 0;
    size_t place = 0;  // Among the consumers of its group.
  };
  struct Queue {
    MessageQueue queue;
    Name room;                       // Of its broker; empty for none.
    std::vector<GroupIndex> groups;  // That subscribe its topic.
    bool readable = true;            // At the beginning.
  };

  // Names must not have been added before.
  GroupIndex AddGroup(Name name, bool broadcasts = false);
  ConsumerIndex AddConsumer(Name process, GroupIndex group, Name room = Name(),
                            int64_t cached_per_queue = 0);
  // One that is not readable at the beginning may become so.
  QueueIndex AddQueue(const MessageQueue& queue, Name room = Name(),
                      bool readable = true);
  // Once per group and queue.
  void Subscribe(GroupIndex group, QueueIndex queue);

  // A consumer wants messages of these tags of a topic; of any and of none,
  // where there are none. Said of no consumer, a group wants all of a topic;
  // said of some, what these want.
  void Want(ConsumerIndex consumer, Name topic, const std::vector<Name>& tags);
  // The name ids, ascending, of the tags of a topic that some consumer of the
  // group wants, or that a consumer does; null for all messages. It stays where
  // it is until somebody wants more.
  const std::vector<uint32_t>* TagsOf(GroupIndex group, Name topic) const {
    return TagsIn(wishes_of_groups_, group, topic);
  }
  const std::vector<uint32_t>* TagsOfConsumer(ConsumerIndex consumer,
                                              Name topic) const {
    return TagsIn(wishes_of_consumers_, consumer, topic);
  }

  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<Consumer>& consumers() const { return consumers_; }
  const std::vector<Queue>& queues() const { return queues_; }

  GroupIndex GroupOf(const Fact& fact) const {
    return fact.group < group_by_id_.size() ? group_by_id_[fact.group]
                                            : kNoSubject;
  }
  // The consumer that the fact happened to.
  ConsumerIndex ConsumerOf(const Fact& fact) const {
    return fact.host < consumer_by_id_.size() ? consumer_by_id_[fact.host]
                                              : kNoSubject;
  }
  QueueIndex QueueOf(const Fact& fact) const {
    if (fact.topic >= topics_.size()) return kNoSubject;
    const Topic& topic = topics_[fact.topic];
    const size_t broker = size_t{fact.broker} - topic.first_broker;
    if (broker >= topic.queues.size()) return kNoSubject;
    const std::vector<QueueIndex>& queues = topic.queues[broker];
    return fact.queue < queues.size() ? queues[fact.queue] : kNoSubject;
  }

  // Whether a queue may be read after a TOPIC_CHANGED, or TOPIC_CREATED, of its
  // topic and broker.
  static bool IsReadable(const MessageQueue& queue, const Fact& fact) {
    return (fact.offset & kPermRead) != 0 && queue.queue_id < fact.count;
  }

  // A number of the fact's queue, whether it is a subject or not.
  static uint64_t KeyOf(const Fact& fact) {
    return uint64_t{fact.topic} << 32 | uint64_t{fact.broker} << 16 |
           fact.queue;
  }
  // The name id of the broker in such a number.
  static uint32_t BrokerOf(uint64_t key) {
    return static_cast<uint32_t>(key >> 16 & 0xffff);
  }

 private:
  // Looked up for nearly every fact.
  struct Topic {
    size_t first_broker = 0;  // Its name id.
    // By name id of the broker, from the first on, and queue; kNoSubject for
    // queues that are not there.
    std::vector<std::vector<QueueIndex>> queues;
  };

  struct Wish {
    bool all = false;
    std::vector<uint32_t> tags;  // Name ids, ascending.

    void Add(const std::vector<Name>& more);
  };
  // By group or consumer, and name id of the topic.
  using Wishes = std::map<std::pair<int32_t, uint32_t>, Wish>;

  static const std::vector<uint32_t>* TagsIn(const Wishes& wishes,
                                             int32_t subject, Name topic);
  QueueIndex& PlaceOf(const Fact& fact);

  std::vector<Group> groups_;
  std::vector<Consumer> consumers_;
  std::vector<Queue> queues_;
  std::vector<GroupIndex> group_by_id_;        // By name id.
  std::vector<ConsumerIndex> consumer_by_id_;  // By name id.
  std::vector<Topic> topics_;                  // By name id.
  Wishes wishes_of_groups_;
  Wishes wishes_of_consumers_;  // Where their group broadcasts.
};

// A fact with its subjects looked up.
struct SeenFact {
  const Fact& fact;
  GroupIndex group = kNoSubject;
  ConsumerIndex consumer = kNoSubject;
  QueueIndex queue = kNoSubject;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_SUBJECTS_H_
