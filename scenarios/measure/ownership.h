// Who owned which queue when: availability, fairness, churn, convergence.
//
// A consumer owns a queue while the queue is in its process-queue table, is not
// dropped, and the process is not dead. All definitions count the queues of
// the group's topics; retry queues are left out.
#ifndef GROUPSIM_SCENARIOS_MEASURE_OWNERSHIP_H_
#define GROUPSIM_SCENARIOS_MEASURE_OWNERSHIP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/balance.h"
#include "scenarios/measure/columns.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/subjects.h"
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
    int64_t added = 0;
    QueueTime owned_time = 0;  // Integral of the queues owned.
    Duration alive;
  };
  struct QueueResult {
    Duration unowned;
    Duration double_owned;
    int64_t moves = 0;
    int64_t owners_at_end = 0;
    std::optional<Duration> time_to_first_owner;  // Since the first start.
    std::optional<Duration> takeover_max;
  };
  // A membership change and how the group came to rest after it.
  struct Event {
    Instant time;
    ConsumerIndex consumer = kNoSubject;
    FactKind cause{};
    int64_t necessary_moves = 0;
    int64_t moves = 0;  // Until the next event.
    // Time until the last change of owners before the next event; nothing if
    // by then not every queue had exactly one owner, or the newcomer had not
    // had its first rebalance.
    std::optional<Duration> convergence;
    // Whether another change came before the group was at rest.
    bool superseded = false;
  };

  // `total` is the length of the run; columns cover all of it.
  OwnershipMeasure(const Subjects& subjects, GroupIndex group, Window window,
                   Duration total, int columns);

  // Facts in order of time, also those about other groups.
  void OnFact(const SeenFact& seen);
  void Finish(Instant end);

  // ---- Results; after Finish ----

  QueueTime unowned_time() const { return unowned_; }
  QueueTime double_owned_time() const { return double_owned_; }
  // Averages over the time since every queue had its first owner, while a
  // consumer lives. Nothing if there was no such time.
  std::optional<double> jain_time_weighted() const;
  std::optional<double> max_over_mean_time_weighted() const;
  // The lowest Jain index while every queue had exactly one owner.
  std::optional<double> jain_min() const { return jain_min_; }
  const Fairness& at_end() const { return fairness_; }
  int64_t idle_max() const { return idle_max_; }
  int64_t membership_changes() const {
    return static_cast<int64_t>(events_.size());
  }
  int64_t moves() const { return moves_; }
  int64_t necessary_moves() const { return necessary_moves_; }
  int64_t allocations() const { return allocations_; }
  int64_t allocations_changed() const { return allocations_changed_; }
  const std::vector<Event>& events() const { return events_; }
  const Histogram& convergence() const { return convergence_; }
  // Events after which the group never came to rest, though none followed.
  int64_t unconverged() const { return unconverged_; }
  // Per queue that changed hands: from the end of the old ownership to the
  // first delivery, and to the first pull, of the new owner.
  const Histogram& takeover() const { return takeover_; }
  const Histogram& takeover_to_pull() const { return takeover_to_pull_; }
  // From the adoption of a queue to its first pull by the new owner.
  const Histogram& first_pull() const { return first_pull_; }
  // The slowest takeover and its queue; kNoSubject if there was none.
  QueueIndex slowest_takeover_queue() const { return slowest_takeover_; }

  const std::vector<ConsumerResult>& consumers() const {
    return consumer_results_;
  }
  const std::vector<QueueResult>& queues() const { return queue_results_; }
  const Columns& alive_columns() const { return alive_columns_; }
  const Columns& unowned_columns() const { return unowned_columns_; }
  const Columns& double_owned_columns() const { return double_columns_; }

  Watch& unowned_watch() { return unowned_watch_; }
  Watch& double_owned_watch() { return double_watch_; }

  // ---- State at any time ----

  // Queues that the consumer owns now, in order of their number.
  std::vector<QueueIndex> OwnedBy(ConsumerIndex consumer) const;
  // Owners of a queue, by its place in the group's list, in the order in which
  // they came.
  std::vector<ConsumerIndex> OwnersOf(size_t queue) const {
    return {queues_[queue].owners.begin(), queues_[queue].owners.end()};
  }
  int64_t live_consumers() const { return fairness_.consumers; }
  bool alive(ConsumerIndex index) const {
    return consumers_[static_cast<size_t>(index)].alive;
  }
  // Whether some queue has a new owner that has not delivered, or not pulled,
  // yet: only then do deliveries, or pulls, matter here.
  bool awaits_delivery() const { return takers_ > 0; }
  bool awaits_pull() const { return adopters_ > 0; }
  // Whether every queue has an owner now, and no queue two.
  bool AtRest() const { return unowned_queues_ == 0 && double_queues_ == 0; }

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
    bool ever_owned = false;
    Instant since;  // Of the integrals.
    // A takeover under way: the new owner, and when the old one let go.
    ConsumerIndex taker = kNoSubject;
    std::optional<Instant> released;
    // The owner that has adopted the queue but not pulled it yet, and when.
    ConsumerIndex adopter = kNoSubject;
    Instant adopted;
  };

  void SetTaker(QueueState& state, ConsumerIndex taker) {
    takers_ +=
        (taker != kNoSubject ? 1 : 0) - (state.taker != kNoSubject ? 1 : 0);
    state.taker = taker;
  }
  void SetAdopter(QueueState& state, ConsumerIndex adopter) {
    adopters_ +=
        (adopter != kNoSubject ? 1 : 0) - (state.adopter != kNoSubject ? 1 : 0);
    state.adopter = adopter;
  }
  ConsumerState& consumer(ConsumerIndex i) {
    return consumers_[static_cast<size_t>(i)];
  }
  // Adds the time since the last change to all integrals.
  void Advance(Instant now);
  void AdvanceQueue(QueueState& state, QueueResult& result, Instant now);
  void SetAlive(ConsumerIndex index, bool alive, Instant now);
  void AddOwner(size_t queue, ConsumerIndex index, Instant now);
  void RemoveOwner(size_t queue, ConsumerIndex index, Instant now);
  void RemoveAllOf(ConsumerIndex index, Instant now);
  void BeginEvent(const SeenFact& seen);
  void CloseEvent(Instant next);
  void OnDelivered(size_t queue, ConsumerIndex index, Instant now);
  Duration GapBefore(const QueueState& state, Instant now) const;
  void OnPullSent(size_t queue, ConsumerIndex index, Instant now);
  int64_t NecessaryMoves(ConsumerIndex leaver) const;
  void RecomputeFairness();
  void SetColumns(Instant now);
  // Position of a queue in the group's list; -1 for queues of others.
  int32_t LocalQueue(const SeenFact& seen) const;

  const Subjects& subjects_;
  const GroupIndex group_;
  const Window window_;
  std::vector<int32_t> local_queue_;  // By QueueIndex.
  std::vector<uint32_t> topics_;      // Name ids, sorted.

  std::vector<ConsumerState> consumers_;  // By ConsumerIndex; all groups'.
  std::vector<QueueState> queues_;        // By local number.
  Instant now_;
  Fairness fairness_;
  int64_t unowned_queues_ = 0;   // Of all queues, ever owned or not.
  int64_t unowned_counted_ = 0;  // Of those that had an owner before.
  int64_t double_queues_ = 0;
  int64_t never_owned_ = 0;
  int64_t takers_ = 0;    // Queues with a takeover under way.
  int64_t adopters_ = 0;  // Queues not pulled since their adoption.

  QueueTime unowned_ = 0;
  QueueTime double_owned_ = 0;
  double jain_time_ = 0;
  double max_over_mean_time_ = 0;
  int64_t jain_weight_ = 0;
  int64_t max_over_mean_weight_ = 0;
  int64_t idle_max_ = 0;
  int64_t moves_ = 0;
  int64_t necessary_moves_ = 0;
  int64_t allocations_ = 0;
  int64_t allocations_changed_ = 0;
  std::optional<Instant> first_start_;

  std::vector<Event> events_;
  bool event_open_ = false;
  Instant last_change_;
  Histogram convergence_;
  int64_t unconverged_ = 0;
  Histogram takeover_;
  Histogram takeover_to_pull_;
  Histogram first_pull_;
  std::optional<double> jain_min_;
  Duration slowest_ = Duration::Nanos(-1);
  QueueIndex slowest_takeover_ = kNoSubject;

  std::vector<ConsumerResult> consumer_results_;
  std::vector<QueueResult> queue_results_;
  Columns alive_columns_;
  Columns unowned_columns_;
  Columns double_columns_;
  Watch unowned_watch_;
  Watch double_watch_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_OWNERSHIP_H_
