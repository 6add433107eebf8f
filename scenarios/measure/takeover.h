// How long new owners of queues take until they pull and until they consume.
#ifndef GROUPSIM_SCENARIOS_MEASURE_TAKEOVER_H_
#define GROUPSIM_SCENARIOS_MEASURE_TAKEOVER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/subjects.h"

namespace groupsim {

// Queues are those of one group, by their place in its list.
class Takeovers {
 public:
  explicit Takeovers(size_t queues) : queues_(queues) {}

  // `owner` adopted the queue; `moved`: from another consumer; `others`: of
  // its owners now.
  struct Adoption {
    ConsumerIndex owner = kNoSubject;
    bool moved = false;
    bool others = false;
  };
  void OnAdded(size_t queue, const Adoption& adoption, Instant now);
  void OnRemoved(size_t queue, ConsumerIndex owner, Instant now);

  // `alone`: the consumer is the only owner. What the window leaves out is
  // followed but does not `count`. Returns how long the takeover was if one
  // that counts ended here.
  struct Step {
    ConsumerIndex consumer = kNoSubject;
    bool alone = false;
    bool counts = false;
  };
  std::optional<Duration> OnDelivered(size_t queue, const Step& step,
                                      Instant now);
  void OnPullSent(size_t queue, const Step& step, Instant now);

  // Whether some queue has an owner that has not delivered, or not pulled, yet:
  // only then do deliveries, or pulls, matter here.
  bool awaits_delivery() const { return receivers_ > 0; }
  bool awaits_pull() const { return adopters_ > 0; }

  // Per queue that changed hands: from the end of the old ownership to the
  // first delivery, and to the first pull, of the new owner. Nothing if the old
  // owner had it until then.
  const Histogram& takeover() const { return takeover_; }
  const Histogram& takeover_to_pull() const { return takeover_to_pull_; }
  // From the adoption of a queue, whoever had it before, to the first pull and
  // to the first delivery.
  const Histogram& first_pull() const { return first_pull_; }
  const Histogram& first_consume() const { return first_consume_; }
  std::optional<Duration> longest(size_t queue) const {
    return queues_[queue].longest;
  }

 private:
  struct Queue {
    // When the old owner let go; nothing if it has not, or there was none.
    std::optional<Instant> released;
    Instant adopted;  // By `adopter` and `receiver`.
    // The owner that has not pulled the queue yet; that has had no message of
    // it yet; and whether it took it from another one.
    ConsumerIndex adopter = kNoSubject;
    ConsumerIndex receiver = kNoSubject;
    bool moved = false;
    std::optional<Duration> longest;
  };

  static Duration GapBefore(const Queue& queue, const Step& step, Instant now);
  static void Set(ConsumerIndex& who, ConsumerIndex to, int64_t& count);

  std::vector<Queue> queues_;
  int64_t adopters_ = 0;
  int64_t receivers_ = 0;
  Histogram takeover_;
  Histogram takeover_to_pull_;
  Histogram first_pull_;
  Histogram first_consume_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_TAKEOVER_H_
