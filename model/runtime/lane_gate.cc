#include "model/runtime/lane_gate.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"

namespace groupsim {

int64_t LaneGates::Close(absl::string_view lane) {
  int64_t closed = 0;
  for (LaneGate* gate : gates_) {
    if (gate->lane_ != lane || gate->closed_) continue;
    gate->closed_ = true;
    ++closed;
  }
  return closed;
}

int64_t LaneGates::Open(absl::string_view lane) {
  int64_t opened = 0;
  for (LaneGate* gate : gates_) {
    if (gate->lane_ != lane || !gate->closed_) continue;
    gate->Open();
    ++opened;
  }
  return opened;
}

int64_t LaneGates::CountClosed(absl::string_view lane) const {
  return std::count_if(gates_.begin(), gates_.end(),
                       [lane](const LaneGate* gate) {
                         return gate->lane_ == lane && gate->closed_;
                       });
}

LaneGate::LaneGate(LaneGates& gates, ReadyQueue& ready, absl::string_view lane,
                   absl::AnyInvocable<void()> on_open)
    : gates_(gates), ready_(ready), lane_(lane), on_open_(std::move(on_open)) {
  gates_.gates_.push_back(this);
}

LaneGate::~LaneGate() {
  gates_.gates_.erase(
      std::find(gates_.gates_.begin(), gates_.gates_.end(), this));
}

void LaneGate::Open() {
  closed_ = false;
  if (waiter_ != nullptr) {
    ready_.Post(std::exchange(waiter_, nullptr)->resumption_);
  }
  if (on_open_ != nullptr) on_open_();
}

}  // namespace groupsim
