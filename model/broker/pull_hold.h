// Pulls that wait for a message (PullRequestHoldService, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_PULL_HOLD_H_
#define GROUPSIM_MODEL_BROKER_PULL_HOLD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "model/broker/message_store.h"
#include "model/broker/tag_filter.h"
#include "model/runtime/remoting.h"
#include "model/wire/command.h"

namespace groupsim {

// One held pull. A pull of a connection that ended stays until it is woken; its
// answer goes nowhere then.
struct HeldPull {
  PullMessageRequest request;
  Responder responder;
  TagFilterPtr filter;   // As of when it was held; null lets all through.
  int64_t deadline = 0;  // Wall milliseconds.
  HeldPull* next = nullptr;
};

// Held pulls by queue, each queue's in the order in which they came. An arrival
// costs what its own queue holds, a scan what all queues hold.
class PullHold {
 public:
  PullHold() = default;
  PullHold(const PullHold&) = delete;
  PullHold& operator=(const PullHold&) = delete;

  // Keeps a pull of the queue numbered `queue`.
  void Hold(uint32_t queue, const PullMessageRequest& request,
            Responder responder, TagFilterPtr filter, int64_t deadline);

  // Calls `wake(HeldPull&)` for those pulls of `queue` that its maximum offset
  // and the tags code of the newest message satisfy, or whose time is over;
  // without a tags code any message satisfies. A woken pull is held no more;
  // `wake` may move from it, and must not hold (notifyMessageArriving).
  template <class Wake>
  void Notify(const StoredQueue& queue, std::optional<int32_t> tags_code,
              int64_t wall_millis, Wake wake);

  // Notifies every queue that holds pulls, in the order of queue numbers,
  // without a tags code (checkHoldRequest).
  template <class Wake>
  void NotifyAll(MessageStore& store, int64_t wall_millis, Wake wake);

  bool HoldsAny(uint32_t queue) const {
    return queue < lists_.size() && lists_[queue].first != nullptr;
  }
  // How many pulls are held.
  size_t size() const { return held_; }

  // Forgets all of them, unanswered.
  void Clear();

 private:
  struct List {
    HeldPull* first = nullptr;
    HeldPull* last = nullptr;
    bool listed = false;  // In queues_.
  };

  static void Append(List& list, HeldPull* pull);
  HeldPull* NewNode();
  void Recycle(HeldPull* pull);

  std::vector<List> lists_;       // By queue number.
  std::vector<uint32_t> queues_;  // With held pulls, or lately so.
  std::deque<HeldPull> nodes_;
  HeldPull* free_ = nullptr;
  size_t held_ = 0;
};

template <class Wake>
void PullHold::Notify(const StoredQueue& queue,
                      std::optional<int32_t> tags_code, int64_t wall_millis,
                      Wake wake) {
  if (!HoldsAny(queue.index())) return;
  List& list = lists_[queue.index()];
  HeldPull* pull = std::exchange(list.first, nullptr);
  list.last = nullptr;
  while (pull != nullptr) {
    HeldPull* next = std::exchange(pull->next, nullptr);
    const bool arrived = queue.max_offset() > pull->request.queue_offset &&
                         (!tags_code.has_value() || pull->filter == nullptr ||
                          pull->filter->Matches(*tags_code));
    if (arrived || wall_millis >= pull->deadline) {
      wake(*pull);
      Recycle(pull);
    } else {
      Append(list, pull);
    }
    pull = next;
  }
}

template <class Wake>
void PullHold::NotifyAll(MessageStore& store, int64_t wall_millis, Wake wake) {
  std::sort(queues_.begin(), queues_.end());
  for (const uint32_t queue : queues_) {
    Notify(store.queue(queue), std::nullopt, wall_millis, wake);
  }
  const auto empty = [this](uint32_t queue) {
    if (lists_[queue].first != nullptr) return false;
    lists_[queue].listed = false;
    return true;
  };
  queues_.erase(std::remove_if(queues_.begin(), queues_.end(), empty),
                queues_.end());
}

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_PULL_HOLD_H_
