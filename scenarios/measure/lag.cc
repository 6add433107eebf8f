#include "scenarios/measure/lag.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/base/time.h"

namespace groupsim {

void LagRecovery::Begin(Instant now, int64_t level) {
  begin_ = now;
  level_ = peak_ = level;
  back_ = now;
}

void LagRecovery::Update(Instant now, int64_t lag) {
  if (lag > peak_) {
    peak_ = lag;
    back_.reset();
  } else if (lag <= level_ && !back_.has_value()) {
    back_ = now;
  }
}

std::optional<Duration> LagRecovery::took() const {
  if (!back_.has_value()) return std::nullopt;
  return *back_ - begin_;
}

void LagMeasure::RollSeconds(Instant now) {
  if (now < next_second_) return;
  const int64_t passed =
      std::min<int64_t>((now - next_second_) / Duration(1s) + 1, kSeconds + 1);
  std::move(seconds_.begin() + passed, seconds_.end(), seconds_.begin());
  std::fill(seconds_.end() - passed, seconds_.end(), lag_);
  next_second_ = now - (now - next_second_) % Duration(1s) + 1s;
}

int64_t LagMeasure::Before(Instant now) {
  RollSeconds(now);
  return *std::max_element(seconds_.begin(), seconds_.end());
}

void LagMeasure::Add(int64_t change, Instant now, const Window& window) {
  RollSeconds(now);
  const Duration held = window.Overlap(since_, now);
  if (held > Duration::Zero()) peak_ = std::max(peak_, lag_);
  area_ += static_cast<__int128>(lag_) * held.nanos();
  since_ = now;
  lag_ += change;
  seconds_.back() = std::max(seconds_.back(), lag_);
  if (window.Contains(now)) peak_ = std::max(peak_, lag_);
  if (recovering_) recovery_.Update(now, lag_);
  columns_.Set(now, lag_);
}

void LagMeasure::OnMembersChanged(Instant now, const Window& window) {
  CloseRecovery();
  if (!window.Contains(now)) return;
  recovery_.Begin(now, Before(now));
  recovering_ = true;
}

void LagMeasure::CloseRecovery() {
  if (!recovering_) return;
  recovering_ = false;
  if (const std::optional<Duration> took = recovery_.took()) {
    recovery_times_.Add(*took);
  }
}

void LagMeasure::Finish(Instant end, const Window& window) {
  Add(0, end, window);
  if (recovering_ && !recovery_.took().has_value()) ++unrecovered_;
  CloseRecovery();
  columns_.Finish();
}

}  // namespace groupsim
