// Messages by queue offset, made for offsets that come nearly in a row.
#ifndef GROUPSIM_MODEL_CLIENT_MESSAGE_WINDOW_H_
#define GROUPSIM_MODEL_CLIENT_MESSAGE_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/wire/message.h"

namespace groupsim {

// An ordered map from queue offset to message. Neighbours live in a ring that
// is indexed by offset, so that adding at the end, removing anywhere and asking
// for the ends cost a few instructions. What lies too far apart is put aside in
// a tree: a message that stays for long while thousands behind it come and go,
// or one far below the others.
class MessageWindow {
 public:
  // Offsets that the ring spans at most.
  static constexpr int64_t kMaxSpan = 4'096;

  bool empty() const { return size() == 0; }
  size_t size() const { return in_ring_ + aside_.size(); }

  // Smallest and largest offset; not when empty.
  int64_t FirstOffset() const;
  int64_t LastOffset() const;

  // Adds the message, or puts it in the place of the one with its offset. True
  // if there was none.
  bool Put(const Message& message);

  // Null if there is none. Valid until the next change.
  const Message* Find(int64_t offset) const;

  // False if there is none.
  bool Erase(int64_t offset);

  // Removes the message with the smallest offset; not when empty.
  Message TakeFirst();

  void Clear();

 private:
  // Marks a slot without message; no message has this offset.
  static constexpr int64_t kVacant = INT64_MIN;

  Message& Slot(int64_t offset) {
    return ring_[static_cast<uint64_t>(offset) & (ring_.size() - 1)];
  }
  const Message& Slot(int64_t offset) const {
    return ring_[static_cast<uint64_t>(offset) & (ring_.size() - 1)];
  }
  bool InRing(int64_t offset) const {
    return offset >= base_ && offset - base_ < span_ &&
           Slot(offset).queue_offset == offset;
  }
  bool PutInRing(const Message& message);
  void Reserve(int64_t span);
  void VacateRing(int64_t offset);
  void SetFirstAside();

  // The ring holds the offsets [base_, base_ + span_), some of them vacant, but
  // neither the first nor the last. All slots outside are vacant.
  std::vector<Message> ring_;  // Its size is a power of two, or 0.
  int64_t base_ = 0;
  int64_t span_ = 0;
  size_t in_ring_ = 0;
  absl::btree_map<int64_t, Message> aside_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_MESSAGE_WINDOW_H_
