// Events due at the current instant.
#ifndef GROUPSIM_SIM_ENGINE_DUE_LANE_H_
#define GROUPSIM_SIM_ENGINE_DUE_LANE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace groupsim {

// The words of events that were scheduled for the instant in which they were
// scheduled: first in, first out; or by word, for words that come in any order.
class DueLane {
 public:
  explicit DueLane(bool by_word) : by_word_(by_word) {}

  bool empty() const { return head_ == words_.size(); }

  void Push(uint64_t word) {
    words_.push_back(word);
    if (by_word_) {
      std::push_heap(words_.begin(), words_.end(), std::greater<>());
    }
  }

  // The next word; the lane must not be empty.
  uint64_t next() const { return words_[head_]; }

  void Pop() {
    if (by_word_) {
      std::pop_heap(words_.begin(), words_.end(), std::greater<>());
      words_.pop_back();
      return;
    }
    ++head_;
    if (head_ == words_.size()) {
      words_.clear();
      head_ = 0;
    } else if (head_ >= kMostlyPopped && head_ * 2 >= words_.size()) {
      words_.erase(words_.begin(),
                   words_.begin() + static_cast<ptrdiff_t>(head_));
      head_ = 0;
    }
  }

  // Memory held, in bytes.
  size_t bytes() const { return words_.capacity() * sizeof(uint64_t); }

  // Removes every word for which remove(word) holds.
  template <class Predicate>
  void RemoveIf(Predicate remove) {
    const auto begin = words_.begin() + static_cast<ptrdiff_t>(head_);
    words_.erase(std::remove_if(begin, words_.end(), remove), words_.end());
    if (by_word_) {
      std::make_heap(words_.begin(), words_.end(), std::greater<>());
    }
  }

 private:
  static constexpr size_t kMostlyPopped = 1024;

  const bool by_word_;
  std::vector<uint64_t> words_;  // Those before head_ are popped.
  size_t head_ = 0;              // 0 with by_word_.
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_ENGINE_DUE_LANE_H_
