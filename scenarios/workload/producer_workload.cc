#include "scenarios/workload/producer_workload.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"

namespace groupsim {

ProducerWorkload::ProducerWorkload(World& world, const Plan& plan)
    : world_(world),
      plan_(plan),
      arrival_(world.engine().Register<&ProducerWorkload::OnArrival>(
          absl::StrCat("workload.arrival ", plan.process.text()), this)),
      arrivals_(plan.arrivals),
      arrival_draws_(
          StreamKey::For(world.seed(), plan.process.text(), "arrivals")),
      size_draws_(
          StreamKey::For(world.seed(), plan.process.text(), "body sizes")) {}

void ProducerWorkload::Begin() { ScheduleNext(); }

void ProducerWorkload::ScheduleNext() {
  next_.reset();
  const std::optional<Instant> next = arrivals_.Next(arrival_draws_);
  if (next.has_value()) next_ = world_.engine().At(*next, arrival_);
}

void ProducerWorkload::ChangeRate(ArrivalPlan arrivals) {
  if (next_.has_value()) world_.engine().Cancel(*next_);
  arrivals.from = std::max(world_.now(), plan_.arrivals.from);
  arrivals.until = plan_.arrivals.until;
  arrivals.limit = plan_.arrivals.limit - planned_;
  arrivals_ = Arrivals(arrivals);
  ScheduleNext();
}

void ProducerWorkload::OnArrival() {
  ++planned_;
  OutgoingMessage message;
  message.topic = plan_.topic;
  message.scheduled = world_.now();
  // Drawn in any case, so that a producer's absence moves no later size.
  message.body_size = static_cast<int32_t>(plan_.body_size.Sample(size_draws_));
  if (host_->transport().gate().closed()) {
    waiting_.push_back(message);
    host_->transport().gate().Hold(*this, 0);
  } else {
    Send(message);
  }
  ScheduleNext();
}

void ProducerWorkload::Send(const OutgoingMessage& message) {
  if (host_->state() != HostState::kRunning) return;
  ++arrived_;
  producer_->Send(message);
}

void ProducerWorkload::OnReleased(uint64_t /*id*/) {
  const OutgoingMessage message = waiting_.front();
  waiting_.pop_front();
  Send(message);
}

}  // namespace groupsim
