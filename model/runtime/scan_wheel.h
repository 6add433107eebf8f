// Calls by the scan at which they expire.
#ifndef GROUPSIM_MODEL_RUNTIME_SCAN_WHEEL_H_
#define GROUPSIM_MODEL_RUNTIME_SCAN_WHEEL_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace groupsim::internal {

// Scans are numbered from 0. Adding and removing cost the same however many
// calls there are: each is on the list of its scan, or, if that is far away, on
// the list of the farthest one, from where it is added again in time.
class ScanWheel {
 public:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

  // What is on the wheel; at most once at a time.
  class Node {
   public:
    Node() = default;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    bool on_wheel() const { return links_.next != nullptr; }
    // The scan at which it expires.
    int64_t scan() const { return scan_; }

   protected:
    ~Node() = default;

   private:
    friend class ScanWheel;
    struct Links {
      Links* next = nullptr;
      Links* previous = nullptr;
    };
    static Node* Of(Links* links) { return reinterpret_cast<Node*>(links); }

    Links links_;  // First member, so that a Links* is a Node*.
    int64_t scan_ = 0;
  };

  ScanWheel() {
    for (Node::Links& head : heads_) head.next = head.previous = &head;
  }
  ScanWheel(const ScanWheel&) = delete;
  ScanWheel& operator=(const ScanWheel&) = delete;

  // Adds `node`, to expire at `scan` but not before the one after `past`, the
  // last scan that is over. Returns the scan at which to look at it.
  int64_t Add(Node& node, int64_t scan, int64_t past) {
    node.scan_ = std::max(scan, past + 1);
    const int64_t place = std::min(node.scan_, past + kSlots);
    Node::Links& head = heads_[place % kSlots];
    node.links_.next = &head;
    node.links_.previous = head.previous;
    head.previous->next = &node.links_;
    head.previous = &node.links_;
    return place;
  }

  static void Remove(Node& node) {
    if (!node.on_wheel()) return;
    node.links_.next->previous = node.links_.previous;
    node.links_.previous->next = node.links_.next;
    node.links_ = Node::Links();
  }

  // Takes off the oldest node of the list of `scan`; null if there is none.
  Node* Take(int64_t scan) {
    Node::Links& head = heads_[scan % kSlots];
    if (head.next == &head) return nullptr;
    Node* node = Node::Of(head.next);
    Remove(*node);
    return node;
  }

  // The first scan after `past` whose list is not empty, or kNone.
  int64_t FirstAfter(int64_t past) const {
    for (int64_t scan = past + 1; scan <= past + kSlots; ++scan) {
      const Node::Links& head = heads_[scan % kSlots];
      if (head.next != &head) return scan;
    }
    return kNone;
  }

  static constexpr int64_t kSlots = 64;  // A 30 s pull needs 32.

 private:
  std::array<Node::Links, kSlots> heads_;
};

}  // namespace groupsim::internal

#endif  // GROUPSIM_MODEL_RUNTIME_SCAN_WHEEL_H_
