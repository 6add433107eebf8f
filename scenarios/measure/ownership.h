// Who owned which queue when: availability, fairness, churn, convergence.
//
// A consumer owns a queue while the queue is in its process-queue table, is not
// dropped, and the process is not dead. All definitions count the queues of
// the group's topics; retry queues are left out.
//
// Where the group broadcasts, every consumer should own every queue: several
// owners are no harm, a queue does not move when another consumer gets it as
// well, and nobody takes over from anybody.
#ifndef GROUPSIM_SCENARIOS_MEASURE_OWNERSHIP_H_
#define GROUPSIM_SCENARIOS_MEASURE_OWNERSHIP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/balance.h"
#include "scenarios/measure/changing_loads.h"
#include "scenarios/measure/columns.h"
#include "scenarios/measure/fairness.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/occurrence.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/takeover.h"
#include "scenarios/measure/view_agreement.h"
#include "scenarios/measure/window.h"

namespace groupsim {

// "started", "stopped", "crashed", "vanished": what the fact that began a
// change of the members says of one of them.
absl::string_view DescribeChange(FactKind cause);

class OwnershipMeasure {
 public:
  // Queue-nanoseconds overflow 64 bits after 10,000 queues and 10 days.
  using QueueTime = __int128;

  // What one consumer had.
  struct ConsumerResult {
    int64_t owned_at_end = 0;
    bool alive_at_end = false;
    int64_t owned_max = 0;
    int64_t added = 0;
    int64_t moves = 0;         // Of these, from another consumer.
    QueueTime owned_time = 0;  // Integral of the queues owned.
    Duration alive;
    Duration idle;  // Alive without a queue.
    int64_t allocations = 0;
    int64_t allocations_changed = 0;
  };
  struct QueueResult {
    Duration unowned;
    Duration double_owned;
    int64_t moves = 0;
    std::vector<ConsumerIndex> owners_at_end;     // In the order they came.
    std::optional<Duration> time_to_first_owner;  // Since the first start.
  };
  // A membership change and how the group came to rest after it.
  struct Event {
    Instant time;
    ConsumerIndex consumer = kNoSubject;
    FactKind cause{};
    int64_t necessary_moves = 0;
    // Until the next event: times that a queue went to another consumer, and
    // queues that then had another owner than before it.
    int64_t moves = 0;
    int64_t moved = 0;
    // Queues that could be read, and those that had an owner, before.
    int64_t readable = 0;
    int64_t owned_before = 0;
    // Time until the last change of owners before the next event; nothing if
    // by then not every queue had exactly one owner, or the newcomer had not
    // had its first rebalance.
    std::optional<Duration> convergence;
    // Whether another change came before the group was at rest.
    bool superseded = false;
  };

  // `occurrences` outlives the measure.
  OwnershipMeasure(const Subjects& subjects, GroupIndex group, Window window,
                   Duration total, int columns, const Occurrences* occurrences);

  // From here on this is the window; it begins now or later.
  void SetWindow(Window window) { window_ = window; }

  // Any fact of the group's consumers; facts in order of time, also those
  // about other groups.
  void OnFact(const SeenFact& seen);
  // Takes down what is said of the end. What a change of the members within
  // the window led to is still followed.
  void Close();
  // The run ended. Closes.
  void Finish(Instant end);

  // ---- Results; after Finish ----

  QueueTime unowned_time() const { return unowned_; }
  QueueTime double_owned_time() const { return double_owned_; }
  // Over the time since every queue had its first owner, while a consumer
  // lives.
  const FairnessOverTime& fairness() const { return fairness_; }
  const BalanceNow& at_end() const { return at_end_; }
  int64_t readable_at_end() const { return readable_at_end_; }
  // Of the queues of one topic at the end.
  Fairness TopicFairnessAtEnd(Name topic) const;
  int64_t membership_changes() const {
    return static_cast<int64_t>(events_.size());
  }
  int64_t moves() const { return moves_; }
  int64_t necessary_moves() const { return necessary_moves_; }
  int64_t allocations() const { return allocations_; }
  int64_t allocations_changed() const { return allocations_changed_; }
  // Of all consumers together.
  Duration alive() const;
  const std::vector<Event>& events() const { return events_; }
  const Histogram& convergence() const { return convergence_; }
  // Events after which the group never came to rest, though none followed.
  int64_t unconverged() const { return unconverged_; }
  const ViewAgreement& views() const { return views_; }
  const Takeovers& takeovers() const { return takeovers_; }

  const std::vector<ConsumerResult>& consumers() const {
    return consumer_results_;
  }
  const std::vector<QueueResult>& queues() const { return queue_results_; }
  const Columns& alive_columns() const { return alive_columns_; }
  const Columns& unowned_columns() const { return unowned_columns_; }
  const Columns& double_owned_columns() const { return double_columns_; }
  const Columns& idle_columns() const { return idle_columns_; }
  // Jain's index in millionths.
  const Columns& jain_columns() const { return jain_columns_; }

  // ---- State at any time ----

  // Queues that the consumer owns now, in order of their number.
  std::vector<QueueIndex> OwnedBy(ConsumerIndex consumer) const;
  int64_t live_consumers() const { return loads_.fairness().consumers; }
  bool alive(ConsumerIndex index) const {
    return consumers_[static_cast<size_t>(index)].alive;
  }
  bool ever_owned() const {
    return std::any_of(
        queues_.begin(), queues_.end(),
        [](const QueueState& queue) { return queue.ever_owned; });
  }
  bool awaits_delivery() const { return takeovers_.awaits_delivery(); }
  bool awaits_pull() const { return takeovers_.awaits_pull(); }
  // Whether every queue has an owner now, and no queue two.
  // Where the group broadcasts: whether every live consumer has every queue.
  bool AtRest() const {
    if (broadcasts_) {
      return loads_.fairness().sum ==
             loads_.fairness().consumers * readable_queues_;
    }
    return unowned_queues_ == 0 && double_queues_ == 0;
  }

 private:
  struct ConsumerState {
    bool alive = false;
    bool rebalanced = false;  // Since it started.
    int64_t owned = 0;
    Instant since;  // Of the integrals.
  };
  struct QueueState {
    absl::InlinedVector<ConsumerIndex, 2> owners;
    ConsumerIndex last_owner = kNoSubject;
    bool readable = true;
    Instant readable_since = Instant::FromNanos(INT64_MIN);
    bool ever_owned = false;
    int32_t cross_room_owners = 0;
    Instant since;  // Of the integrals.
  };

  ConsumerState& consumer(ConsumerIndex i) {
    return consumers_[static_cast<size_t>(i)];
  }
  // Adds the time since the last change to all integrals.
  void Advance(Instant now);
  void AdvanceQueue(QueueState& state, QueueResult& result, Instant now);
  void AdvanceConsumer(ConsumerIndex index, Instant now);
  void OnLife(const SeenFact& seen);
  void OnTopicChanged(const Fact& fact);
  void SetReadable(size_t queue, bool readable, Instant now);
  void OnAllocated(const SeenFact& seen);
  void SetAlive(ConsumerIndex index, bool alive, Instant now);
  void AddOwner(size_t queue, ConsumerIndex index, Instant now);
  void RemoveOwner(size_t queue, ConsumerIndex index, Instant now);
  void RemoveAllOf(ConsumerIndex index, Instant now);
  void SetOwned(ConsumerIndex index, int64_t owned, Instant now);
  void SetCrossRoom(QueueState& state, size_t queue, ConsumerIndex owner,
                    int32_t change);
  void Occur(OccurrenceKind kind, size_t queue, ConsumerIndex consumer,
             int64_t change, Instant now) const;
  void BeginEvent(const SeenFact& seen);
  void CloseEvent(Instant next);
  Takeovers::Step StepOf(size_t queue, const SeenFact& seen) const;
  int64_t NecessaryMoves(ConsumerIndex leaver) const;
  void SetColumns(Instant now);
  // Position of a queue in the group's list; -1 for queues of others.
  int32_t LocalQueue(const SeenFact& seen) const;
  QueueIndex GlobalQueue(size_t queue) const {
    return subjects_.groups()[static_cast<size_t>(group_)].queues[queue];
  }

  const Subjects& subjects_;
  const GroupIndex group_;
  const bool broadcasts_;
  Window window_;
  const Occurrences& occurrences_;
  std::vector<int32_t> local_queue_;  // By QueueIndex.
  std::vector<uint32_t> topics_;      // Name ids, sorted.

  std::vector<ConsumerState> consumers_;  // By ConsumerIndex; all groups'.
  std::vector<QueueState> queues_;        // By local number.
  Instant now_;
  ChangingLoads loads_;  // Of live consumers.
  int64_t readable_queues_ = 0;
  int64_t unowned_queues_ = 0;   // Of all queues, ever owned or not.
  int64_t unowned_counted_ = 0;  // Of those that had an owner before.
  int64_t double_queues_ = 0;
  int64_t never_owned_ = 0;
  int64_t cross_room_ = 0;
  bool closed_ = false;

  QueueTime unowned_ = 0;
  QueueTime double_owned_ = 0;
  FairnessOverTime fairness_;
  BalanceNow at_end_;
  int64_t readable_at_end_ = 0;  // Queues.
  int64_t moves_ = 0;
  int64_t necessary_moves_ = 0;
  int64_t allocations_ = 0;
  int64_t allocations_changed_ = 0;
  std::optional<Instant> first_start_;

  std::vector<Event> events_;
  bool event_open_ = false;
  // Of each queue before the open event; none for one without an owner.
  std::vector<ConsumerIndex> owners_before_;
  Instant last_change_;
  Histogram convergence_;
  int64_t unconverged_ = 0;
  ViewAgreement views_;
  Takeovers takeovers_;

  std::vector<ConsumerResult> consumer_results_;
  std::vector<QueueResult> queue_results_;
  Columns alive_columns_;
  Columns unowned_columns_;
  Columns double_columns_;
  Columns idle_columns_;
  Columns jain_columns_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_OWNERSHIP_H_
