// The event queues that the engine is measured against, as people write them.
#ifndef GROUPSIM_TESTS_BENCH_QUEUES_H_
#define GROUPSIM_TESTS_BENCH_QUEUES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace groupsim {

// A simulator's loop around std::priority_queue and std::function. The action
// is moved out of the queue, not copied, and what it captures should fit into
// the function without an allocation: the fast way to write it.
class PriorityQueueLoop {
 public:
  int64_t now() const { return now_; }
  size_t pending() const { return queue_.size(); }

  void At(int64_t time, std::function<void()> action) {
    queue_.push({time, ++scheduled_, std::move(action)});
  }

  bool Step() {
    if (queue_.empty()) return false;
    Event event = std::move(const_cast<Event&>(queue_.top()));
    queue_.pop();
    now_ = event.time;
    event.action();
    return true;
  }

 private:
  struct Event {
    int64_t time;
    uint64_t sequence;
    std::function<void()> action;

    bool operator>(const Event& other) const {
      if (time != other.time) return time > other.time;
      return sequence > other.sequence;
    }
  };

  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
  uint64_t scheduled_ = 0;
  int64_t now_ = 0;
};

// The barest std::priority_queue: a record of 24 bytes and one handler.
class PlainQueueLoop {
 public:
  using Handler = void (*)(void* context, uint64_t what);

  PlainQueueLoop(Handler handler, void* context)
      : handler_(handler), context_(context) {}

  int64_t now() const { return now_; }
  size_t pending() const { return queue_.size(); }

  void At(int64_t time, uint64_t what) {
    queue_.push({time, ++scheduled_, what});
  }

  bool Step() {
    if (queue_.empty()) return false;
    const Event event = queue_.top();
    queue_.pop();
    now_ = event.time;
    handler_(context_, event.what);
    return true;
  }

 private:
  struct Event {
    int64_t time;
    uint64_t sequence;
    uint64_t what;

    bool operator>(const Event& other) const {
      if (time != other.time) return time > other.time;
      return sequence > other.sequence;
    }
  };

  const Handler handler_;
  void* const context_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
  uint64_t scheduled_ = 0;
  int64_t now_ = 0;
};

// A 4-ary heap of 16-byte keys over pooled slots of 64 bytes, dispatched by a
// table of handlers: the best that a heap is known to do.
class QuadHeapLoop {
 public:
  using Handler = void (*)(void* context, void* payload);

  int64_t now() const { return now_; }
  size_t pending() const { return heap_.size(); }

  uint16_t Register(Handler handler, void* context) {
    types_.push_back({handler, context});
    return static_cast<uint16_t>(types_.size() - 1);
  }

  template <class Payload>
  void At(int64_t time, uint16_t type, const Payload& payload) {
    static_assert(sizeof(Payload) <= sizeof(Slot::payload));
    if (free_.empty()) {
      free_.push_back(static_cast<uint32_t>(slots_.size()));
      slots_.push_back(std::make_unique<Slot>());
    }
    const uint32_t number = free_.back();
    free_.pop_back();
    Slot& slot = *slots_[number];
    std::copy_n(reinterpret_cast<const unsigned char*>(&payload),
                sizeof(Payload), slot.payload);
    slot.type = type;
    Push({static_cast<uint64_t>(time), ++scheduled_ << 24 | number});
  }

  bool Step() {
    if (heap_.empty()) return false;
    const Key key = heap_.front();
    Pop();
    now_ = static_cast<int64_t>(key.time);
    const auto number = static_cast<uint32_t>(key.word & 0xFFFFFF);
    Slot& slot = *slots_[number];
    const Type type = types_[slot.type];
    type.handler(type.context, slot.payload);
    free_.push_back(number);
    return true;
  }

 private:
  struct Key {
    uint64_t time;
    uint64_t word;

    bool operator<(const Key& other) const {
      const auto wide = [](const Key& key) {
        return static_cast<unsigned __int128>(key.time) << 64 | key.word;
      };
      return wide(*this) < wide(other);
    }
  };
  struct alignas(64) Slot {
    unsigned char payload[48];
    uint16_t type;
  };
  struct Type {
    Handler handler;
    void* context;
  };

  void Push(Key key) {
    heap_.push_back(key);
    size_t hole = heap_.size() - 1;
    while (hole > 0) {
      const size_t parent = (hole - 1) / 4;
      if (!(key < heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = key;
  }

  void Pop() {
    const Key last = heap_.back();
    heap_.pop_back();
    const size_t size = heap_.size();
    if (size == 0) return;
    size_t hole = 0;
    for (;;) {
      const size_t first = 4 * hole + 1;
      if (first >= size) break;
      size_t least = first;
      const size_t end = std::min(first + 4, size);
      for (size_t child = first + 1; child < end; ++child) {
        if (heap_[child] < heap_[least]) least = child;
      }
      if (!(heap_[least] < last)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = last;
  }

  std::vector<Key> heap_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<uint32_t> free_;
  std::vector<Type> types_;
  uint64_t scheduled_ = 0;
  int64_t now_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_BENCH_QUEUES_H_
