#include "scenarios/measure/columns.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "model/base/check.h"

namespace groupsim {

Columns::Columns(Duration total, int count)
    : end_(Instant::Start() + total),
      width_(Duration::Nanos((total.nanos() + count - 1) / count)),
      columns_(static_cast<size_t>(count)) {
  CHECK(total > Duration::Zero() && count >= 1);
}

void Columns::HoldUntil(Instant now) {
  now = std::min(now, end_);
  while (since_ < now) {
    const Instant column_end = std::min(
        end_, Instant::Start() + width_ * static_cast<int64_t>(column_ + 1));
    Column& column = columns_[column_];
    column.min = touched_ ? std::min(column.min, value_) : value_;
    column.max = touched_ ? std::max(column.max, value_) : value_;
    column.last = value_;
    touched_ = true;
    since_ = std::min(now, column_end);
    if (since_ == column_end && column_ + 1 < columns_.size()) {
      ++column_;
      touched_ = false;
    }
  }
}

void Columns::Set(Instant now, int64_t value) {
  if (value == value_) return;
  HoldUntil(now);
  value_ = value;
}

void Columns::Finish() { HoldUntil(end_); }

}  // namespace groupsim
