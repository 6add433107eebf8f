// What a Story asks about, told by facts alone.
#ifndef GROUPSIM_TESTS_SUPPORT_STORY_MEASURES_H_
#define GROUPSIM_TESTS_SUPPORT_STORY_MEASURES_H_

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "sim/trace/trace.h"

namespace groupsim {

// Follows one topic and one group in the plainest way: it keeps everything, and
// counts when it is asked. Meant to be read, not to be fast.
class StoryMeasures final : public FactObserver {
 public:
  StoryMeasures(Name topic, Name group) : topic_(topic), group_(group) {}

  // Registers for the facts it needs.
  void ObserveIn(Trace& trace);
  void OnFact(const Fact& fact) override;

  // Messages stored, and messages handed to a listener, each counted once.
  int64_t stored() const;
  int64_t delivered() const;
  // Further deliveries of messages that had been delivered.
  int64_t duplicates() const;
  // Messages between the first starting offset and the committed offset of
  // their queue for which no listener call ended well.
  int64_t lost() const;
  // Messages below the first starting offset of their queue.
  int64_t skipped() const;

  // Queue time without an owner, from each queue's first owner on, and with
  // more than one; until `now`.
  Duration unowned(Instant now) const;
  Duration owned_twice(Instant now) const;

  // Queues that a process owns, as (broker id, queue number), in that order.
  std::vector<std::pair<uint32_t, int>> queues_of(Name process) const;
  // Queues that had an owner at some time, and those that have one now.
  int64_t queues_seen() const { return static_cast<int64_t>(queues_.size()); }
  int64_t queues_owned() const;

 private:
  struct MessageRecord {
    int deliveries = 0;
    bool finished = false;
  };
  struct QueueRecord {
    std::vector<MessageRecord> messages;  // By offset.
    int64_t begin = -1;                   // First starting offset.
    int64_t committed = 0;
    std::set<uint32_t> owners;
    Instant since;       // Of the last change of owners,
    bool owned = false;  // the first of which was.
    Duration unowned;    // Until then.
    Duration owned_twice;
  };
  using Key = std::tuple<uint32_t, uint32_t>;  // Broker and queue.

  // Brings the durations of a queue up to `now`.
  static void Settle(QueueRecord& queue, Instant now);

  const Name topic_;
  const Name group_;
  std::map<Key, QueueRecord> queues_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SUPPORT_STORY_MEASURES_H_
