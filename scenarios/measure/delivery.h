// What became of each message: delivered, again, skipped, late.
#ifndef GROUPSIM_SCENARIOS_MEASURE_DELIVERY_H_
#define GROUPSIM_SCENARIOS_MEASURE_DELIVERY_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/audit.h"
#include "scenarios/measure/columns.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/lag.h"
#include "scenarios/measure/message_chunks.h"
#include "scenarios/measure/occurrence.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"

namespace groupsim {

// Follows every message of every queue for every group that subscribes it, and
// where a group broadcasts for each of its consumers: from its first start on,
// or from where it began to read, if that is before. What is stored, sent or
// lost counts once for the group, everything else for each consumer.
//
// Memory: that of MessageChunks, whose chunks are given back once every group
// has committed past them and has had all of their messages. Those with
// messages that somebody's tags leave out are kept.
class DeliveryMeasure {
 public:
  // Totals of one group, of one group on one queue or one topic.
  struct Counts {
    int64_t stored = 0;  // Messages in its queues, however old.
    int64_t sent = 0;    // Acknowledged to producers.
    // The same, also before the window.
    int64_t acknowledged = 0;
    int64_t lost = 0;        // Of these, never to be consumed (LossMeasure).
    int64_t deliveries = 0;  // Listener calls, a batch counting per message.
    int64_t distinct = 0;    // First deliveries of messages.
    int64_t duplicates = 0;  // Neither a message's first nor a retry.
    // Of these, deliveries after a call that failed and counted: of the copy
    // that a broker kept, or again from the consumer, ROLLBACK included. All
    // others but the first are duplicates.
    int64_t retries = 0;
    int64_t out_of_order = 0;  // Deliveries below a finished offset.
    int64_t finished = 0;      // Messages with a result that counted.
    int64_t skipped = 0;       // Below a committed offset, never delivered.
    int64_t dead_letters = 0;  // Given up.
    // After the end of the window:
    // Committed before the run began; where the group broadcasts, also stored
    // before the consumer first started.
    int64_t consumed_before = 0;
    // Never delivered, since nobody in the group, or, where it broadcasts, not
    // the consumer, subscribes to their tags. Not skipped, nor lost.
    int64_t filtered = 0;
    int64_t not_yet_delivered = 0;  // Neither delivered nor one of these.
    int64_t at_risk = 0;            // Finished, not below the committed offset.
    int64_t lag_at_end = 0;

    void Add(const Counts& other);
  };
  // Of messages that were finished in the window, by the first finished
  // delivery. Messages stored before the run are left out.
  struct Latencies {
    Histogram total;          // From the store to the end of the listener call,
    Histogram queueing;       // of which to its beginning
    Histogram processing;     // and from there.
    Histogram from_schedule;  // From the producer's scheduled arrival, where
                              // the send was acknowledged.

    void Merge(const Latencies& other);
  };

  // `occurrences`, by group, outlive the measure.
  DeliveryMeasure(const Subjects& subjects, Window window, Duration total,
                  int columns, Audit* audit,
                  const std::vector<Occurrences>* occurrences);

  // From here on this is the window; it begins now or later.
  void SetWindow(Window window) { window_ = window; }

  void OnFact(const SeenFact& seen);

  // A message as it is named by the queue and offset of its first copy.
  struct MessageId {
    GroupIndex group = kNoSubject;
    QueueIndex queue = kNoSubject;
    int64_t offset = 0;

    // By group, queue and offset.
    friend auto operator<=>(const MessageId&, const MessageId&) = default;
  };
  struct MessageTimes {
    Instant stored;
    Instant delivered;  // The last time, while it is not finished.
    std::optional<Instant> scheduled;  // As its producer said.
  };
  // Nothing where no message is, or it is no longer kept.
  std::optional<MessageTimes> TimesOf(const MessageId& id) const;
  bool IsStored(const MessageId& id) const;
  // A copy of a message was delivered: again, if it had been so before.
  void CountCopy(const SeenFact& seen, bool again);
  // A copy was finished, and the message with it. `times` has the delivery of
  // the copy, and otherwise what was known when the message failed.
  void FinishByCopy(const SeenFact& seen, const MessageId& id,
                    MessageTimes times);

  // A message is lost since then, in the window.
  void Lose(const MessageId& id, Instant since);
  // So are all messages of these offsets of the queue that were stored before
  // the end of the window, acknowledged, and neither delivered nor passed by,
  // from the offset on below which somebody in the group has them.
  struct Offsets {
    int64_t begin = 0;
    int64_t end = 0;
  };
  void LoseUndelivered(QueueIndex queue, Offsets offsets, Instant since,
                       absl::FunctionRef<int64_t(GroupIndex)> held_below);

  // Takes down what is said of the end, which is `now`.
  void Close(Instant now);
  // Closes at `end`.
  void Finish(Instant end);

  // ---- Results; complete after Finish ----

  const Counts& counts(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].counts;
  }
  // Whether somebody in the group subscribes to tags.
  bool filters(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].filters;
  }
  // What became of one queue for one group.
  struct QueueResult {
    Counts counts;
    int64_t max_offset = 0;  // One beyond the last message.
    // -1 for nothing; where the group broadcasts, the lowest of those who have
    // one.
    int64_t committed = -1;
    // Where the group broadcasts, that of the consumer that had the most.
    int64_t peak_lag = 0;
  };
  // In the order of the group's queues.
  std::vector<QueueResult> QueueResults(GroupIndex group) const;
  // Messages in a queue, however old.
  int64_t stored_in(QueueIndex queue) const {
    const MessageChunks& messages =
        queues_[static_cast<size_t>(queue)].messages;
    return messages.first() < 0 ? 0 : messages.end() - messages.first();
  }
  // What one consumer did.
  struct ConsumerResult {
    int64_t deliveries = 0;
    int64_t duplicates = 0;
    int64_t finished = 0;  // Of the group's, those by calls of this one.
    // Where the group broadcasts.
    int64_t lag = 0;
    int64_t peak_lag = 0;
    // Nanoseconds in listener calls, summed over the messages in them, whatever
    // became of these; copies and calls under way included.
    __int128 processing = 0;
  };
  const ConsumerResult& consumer(ConsumerIndex consumer) const {
    return consumers_[static_cast<size_t>(consumer)].result;
  }
  Latencies LatenciesOf(GroupIndex group) const;
  const Latencies& LatenciesOf(GroupIndex group, Name topic) const;
  const LagMeasure& lag(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].lag;
  }
  LagMeasure& lag(GroupIndex group) {
    return groups_[static_cast<size_t>(group)].lag;
  }
  int64_t topic_peak_lag(GroupIndex group, Name topic) const;
  // Messages finished and not committed, at most, and by column.
  int64_t peak_at_risk(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].peak_at_risk;
  }
  const Columns& at_risk_columns(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].at_risk_columns;
  }
  // Time in which two consumers or more ran listener calls for messages of one
  // queue, summed over queues.
  Duration processed_twice(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].processed_twice;
  }
  // Times that a consumer began to work on a queue that others were at work on.
  int64_t overlaps(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].overlaps;
  }
  // What happened in each column of the run: messages stored in the group's
  // queues, deliveries, duplicates.
  struct Flow {
    int64_t stored = 0;
    int64_t deliveries = 0;
    int64_t duplicates = 0;
  };
  const std::vector<Flow>& flow(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].flow;
  }

 private:
  // A group; where it broadcasts, one of its consumers.
  struct QueueGroup {
    GroupIndex group = kNoSubject;
    ConsumerIndex member = kNoSubject;  // Where the group broadcasts.
    bool counts_stored = true;          // For the group.
    bool follows = true;                // Else it has not started yet.
    size_t topic = 0;                   // Among those of the group.
    // The tags subscribed to, as name ids; null for all messages.
    const std::vector<uint32_t>* tags = nullptr;
    int64_t committed = -1;  // At the broker; -1 for none.
    int64_t max_committed = -1;
    int64_t max_finished = -1;    // Offset.
    int64_t consumed_before = 0;  // Committed before time zero.
    int64_t known = 0;            // Messages delivered, in the window or not.
    int64_t passed = 0;           // Skipped as of now, in the window or not.
    int64_t at_risk = 0;          // As of now.
    int64_t lag = 0;
    int64_t peak_lag = 0;
    // Consumers with listener calls under way, and how many.
    struct Active {
      ConsumerIndex consumer;
      int64_t calls;
    };
    absl::InlinedVector<Active, 2> active;
    Instant twice_since;  // While two or more are active.
    Counts counts;
  };
  struct QueueState {
    explicit QueueState(size_t count) : messages(count) {}

    MessageChunks messages;
    std::vector<QueueGroup> groups;
  };
  struct TopicState {
    Name topic;
    Latencies latencies;
    int64_t lag = 0;
    int64_t peak_lag = 0;
  };
  struct ConsumerState {
    ConsumerResult result;
    int64_t in_listener = 0;  // Messages, those of retry queues included.
    Instant since;            // Of the integral.
  };
  struct GroupState {
    GroupState(Duration total, int columns)
        : lag(total, columns), at_risk_columns(total, columns) {}
    Counts counts;
    bool filters = false;
    std::vector<TopicState> topics;
    LagMeasure lag;
    int64_t at_risk = 0;
    int64_t peak_at_risk = 0;
    Columns at_risk_columns;
    Duration processed_twice;
    int64_t overlaps = 0;
    std::vector<Flow> flow;
  };

  // A window from the start of the run on includes what was before.
  bool InWindow(Instant now) const {
    return window_.Contains(now) ||
           (window_.from == Instant::Start() && now < Instant::Start());
  }
  void OnSent(const SeenFact& seen);
  void OnStored(const SeenFact& seen);
  void OnTagged(const SeenFact& seen);
  void OnDelivered(const SeenFact& seen);
  // Counts a delivery; false outside of the window.
  bool CountDelivery(QueueGroup& group, const SeenFact& seen);
  void CountAgain(QueueGroup& group, const SeenFact& seen, bool failed);
  void OnFinished(const SeenFact& seen);
  void OnSettled(const SeenFact& seen);
  // The result of a message counts.
  void CountFinished(QueueState& queue, QueueGroup& group, size_t slot,
                     const SeenFact& seen);
  static MessageTimes TimesIn(const MessageChunks::Chunk& chunk, size_t slot,
                              size_t place);
  // Message `id` is consumed for good; `seen` is the end of the call.
  void CountProcessed(QueueGroup& group, const MessageId& id,
                      const MessageTimes& times, const SeenFact& seen);
  void OnCommitted(const SeenFact& seen);
  void OnDeadLettered(const SeenFact& seen);
  void OnLife(const SeenFact& seen);
  // What of the queue was taken and not committed comes again.
  static void MarkRolledBack(QueueState& queue, size_t slot, int64_t offset);
  void CountLost(QueueGroup& group, const SeenFact& seen);
  void OnAdded(const SeenFact& seen);
  void BeginToFollow(ConsumerIndex consumer, Instant now);
  void Follow(QueueGroup& group, QueueIndex queue, int64_t from, Instant now);
  void Release(QueueState& queue);
  // So many messages of its listener were there until now.
  void HoldInListener(ConsumerState& state, Instant now);
  void AddInListener(const SeenFact& seen, int64_t messages);
  void BeginCall(QueueGroup& group, ConsumerIndex consumer, Instant now);
  void EndCall(QueueGroup& group, ConsumerIndex consumer, Instant now);
  void EndAllCalls(ConsumerIndex consumer, Instant now);
  Flow& FlowAt(GroupState& group, Instant now);
  void AddLag(QueueGroup& group, QueueIndex queue, int64_t change, Instant now);
  void AddSkipped(QueueGroup& group, const SeenFact& seen, int64_t change);
  void AddAtRisk(QueueGroup& group, int64_t change, Instant now);
  void Occur(OccurrenceKind kind, const SeenFact& seen, GroupIndex group,
             int64_t change) const;
  QueueGroup* Find(QueueState& queue, const SeenFact& seen, size_t* slot) {
    return FindOf(queue, seen.group, seen.consumer, slot);
  }
  QueueGroup* FindOf(QueueState& queue, GroupIndex group,
                     ConsumerIndex consumer, size_t* slot);
  // The place of a group, or of its consumer where it broadcasts; the number of
  // places where it has none.
  size_t SlotOf(const QueueState& queue, GroupIndex group,
                ConsumerIndex consumer) const;
  void Settle(QueueState& queue, QueueIndex index, size_t slot, Instant end);
  GroupState& group_of(const QueueGroup& group) {
    return groups_[static_cast<size_t>(group.group)];
  }
  ConsumerState& state_of(ConsumerIndex consumer) {
    return consumers_[static_cast<size_t>(consumer)];
  }

  const Subjects& subjects_;
  Window window_;
  Audit* const audit_;
  const std::vector<Occurrences>& occurrences_;
  bool closed_ = false;
  size_t column_ = 0;  // Of the last fact that flowed.
  Instant column_end_;
  std::vector<QueueState> queues_;  // By QueueIndex.
  std::vector<GroupState> groups_;
  std::vector<ConsumerState> consumers_;  // By ConsumerIndex.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_DELIVERY_H_
