#include "model/client/message_window.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "model/wire/message.h"

namespace groupsim {

int64_t MessageWindow::FirstOffset() const {
  CHECK(!empty());
  if (aside_.empty()) return base_;
  if (in_ring_ == 0) return aside_.begin()->first;
  return std::min(base_, aside_.begin()->first);
}

int64_t MessageWindow::LastOffset() const {
  CHECK(!empty());
  const int64_t last_in_ring = base_ + span_ - 1;
  if (aside_.empty()) return last_in_ring;
  if (in_ring_ == 0) return aside_.rbegin()->first;
  return std::max(last_in_ring, aside_.rbegin()->first);
}

bool MessageWindow::Put(const Message& message) {
  CHECK(message.queue_offset != kVacant);
  if (!aside_.empty()) {
    const auto it = aside_.find(message.queue_offset);
    if (it != aside_.end()) {
      it->second = message;
      return false;
    }
  }
  return PutInRing(message);
}

bool MessageWindow::PutInRing(const Message& message) {
  const int64_t offset = message.queue_offset;
  if (in_ring_ == 0) {
    base_ = offset;
    span_ = 0;
  }
  if (offset < base_) {
    if (base_ + span_ - offset > kMaxSpan) {
      aside_.emplace(offset, message);
      return true;
    }
    Reserve(base_ + span_ - offset);
    span_ += base_ - offset;
    base_ = offset;
  } else if (offset - base_ >= span_) {
    while (in_ring_ > 0 && offset - base_ >= kMaxSpan) SetFirstAside();
    if (in_ring_ == 0) base_ = offset;
    Reserve(offset - base_ + 1);
    span_ = offset - base_ + 1;
  }
  Message& slot = Slot(offset);
  const bool is_new = slot.queue_offset != offset;
  slot = message;
  if (is_new) ++in_ring_;
  return is_new;
}

const Message* MessageWindow::Find(int64_t offset) const {
  if (InRing(offset)) return &Slot(offset);
  const auto it = aside_.find(offset);
  return it == aside_.end() ? nullptr : &it->second;
}

bool MessageWindow::Erase(int64_t offset) {
  if (InRing(offset)) {
    VacateRing(offset);
    return true;
  }
  return !aside_.empty() && aside_.erase(offset) == 1;
}

Message MessageWindow::TakeFirst() {
  const int64_t offset = FirstOffset();
  if (InRing(offset)) {
    const Message message = Slot(offset);
    VacateRing(offset);
    return message;
  }
  const auto it = aside_.begin();
  const Message message = it->second;
  aside_.erase(it);
  return message;
}

void MessageWindow::Clear() {
  for (int64_t i = 0; i < span_; ++i) Slot(base_ + i).queue_offset = kVacant;
  span_ = 0;
  in_ring_ = 0;
  aside_.clear();
}

void MessageWindow::Reserve(int64_t span) {
  const size_t needed = static_cast<size_t>(span);
  if (needed <= ring_.size()) return;
  size_t capacity = std::max<size_t>(ring_.size(), 4);
  while (capacity < needed) capacity *= 2;
  Message vacant;
  vacant.queue_offset = kVacant;
  std::vector<Message> old =
      std::exchange(ring_, std::vector<Message>(capacity, vacant));
  for (const Message& message : old) {
    if (message.queue_offset != kVacant) Slot(message.queue_offset) = message;
  }
}

void MessageWindow::VacateRing(int64_t offset) {
  Slot(offset).queue_offset = kVacant;
  if (--in_ring_ == 0) {
    span_ = 0;
    return;
  }
  while (Slot(base_).queue_offset == kVacant) {
    ++base_;
    --span_;
  }
  while (Slot(base_ + span_ - 1).queue_offset == kVacant) --span_;
}

void MessageWindow::SetFirstAside() {
  aside_.emplace(base_, Slot(base_));
  VacateRing(base_);
}

}  // namespace groupsim
