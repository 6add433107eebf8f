#include "model/broker/pull_hold.h"

#include <cstdint>
#include <utility>

namespace groupsim {

void PullHold::Hold(uint32_t queue, const PullMessageRequest& request,
                    Responder responder, TagFilterPtr filter,
                    int64_t deadline) {
  if (queue >= lists_.size()) lists_.resize(size_t{queue} + 1);
  HeldPull* pull = NewNode();
  pull->request = request;
  pull->responder = std::move(responder);
  pull->filter = std::move(filter);
  pull->deadline = deadline;
  List& list = lists_[queue];
  Append(list, pull);
  if (!list.listed) {
    list.listed = true;
    queues_.push_back(queue);
  }
  ++held_;
}

void PullHold::Append(List& list, HeldPull* pull) {
  (list.last == nullptr ? list.first : list.last->next) = pull;
  list.last = pull;
}

HeldPull* PullHold::NewNode() {
  if (free_ == nullptr) return &nodes_.emplace_back();
  HeldPull* node = std::exchange(free_, free_->next);
  node->next = nullptr;
  return node;
}

void PullHold::Recycle(HeldPull* pull) {
  pull->responder = Responder();
  pull->filter = nullptr;
  pull->next = std::exchange(free_, pull);
  --held_;
}

void PullHold::Clear() {
  lists_.clear();
  queues_.clear();
  nodes_.clear();
  free_ = nullptr;
  held_ = 0;
}

}  // namespace groupsim
