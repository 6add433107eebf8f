// What travels, kept outside of the events that make it arrive.
#ifndef GROUPSIM_SIM_NETWORK_SEGMENT_POOL_H_
#define GROUPSIM_SIM_NETWORK_SEGMENT_POOL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/base/time.h"
#include "model/runtime/transport.h"

namespace groupsim {

// One unit on the way from one end of a connection to the other.
struct Segment {
  enum class Kind : uint8_t {
    kSyn,     // Asks for a connection.
    kSynAck,  // Grants it.
    kFrame,
    kFin,    // Ends it after what was sent before.
    kReset,  // Says that there is no such connection.
    // A kSyn that was granted while the process could not be told.
    kGranted,
  };
  Kind kind = Kind::kFrame;
  uint32_t next = 0;  // The segment sent after this one; 0 for none.
  Duration latency;   // Where it could not leave at once.
  Frame frame;        // Of kFrame.
};

// Segments by number, from 1. The one freed last is taken first; memory is kept
// until the pool dies, what frames refer to only until they arrive.
class SegmentPool {
 public:
  SegmentPool() = default;
  SegmentPool(const SegmentPool&) = delete;
  SegmentPool& operator=(const SegmentPool&) = delete;

  uint32_t Take() {
    ++taken_;
    if (last_free_ == 0) return TakeFresh();
    const uint32_t number = last_free_;
    last_free_ = At(number).next;
    return number;
  }

  // Gives a segment back, with an empty frame.
  void Free(uint32_t number) {
    --taken_;
    At(number).next = std::exchange(last_free_, number);
  }

  Segment& At(uint32_t number) {
    return blocks_[number >> kBlockBits][number & kBlockMask];
  }

  // Segments taken and not given back.
  int64_t taken() const { return taken_; }

 private:
  static constexpr int kBlockBits = 7;
  static constexpr uint32_t kBlockSize = uint32_t{1} << kBlockBits;
  static constexpr uint32_t kBlockMask = kBlockSize - 1;

  uint32_t TakeFresh() {
    if ((used_ & kBlockMask) == 0 || blocks_.empty()) {
      blocks_.push_back(std::make_unique<Segment[]>(kBlockSize));
    }
    return used_++;
  }

  std::vector<std::unique_ptr<Segment[]>> blocks_;
  uint32_t used_ = 1;
  uint32_t last_free_ = 0;
  int64_t taken_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_NETWORK_SEGMENT_POOL_H_
