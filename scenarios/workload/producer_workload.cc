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
          StreamKey::For(world.seed(), plan.process.text(), "body sizes")),
      key_draws_(StreamKey::For(world.seed(), plan.process.text(), "keys")),
      tag_draws_(StreamKey::For(world.seed(), plan.process.text(), "tags")),
      hot_draws_(
          StreamKey::For(world.seed(), plan.process.text(), "hot queues")) {}

void ProducerWorkload::Begin() { ScheduleNext(); }

void ProducerWorkload::ScheduleNext() {
  next_.reset();
  const std::optional<Instant> next = arrivals_.Next(arrival_draws_);
  if (next.has_value()) next_ = world_.engine().At(*next, arrival_);
}

ArrivalPlan ProducerWorkload::Rest() const {
  ArrivalPlan rest;
  rest.from = std::max(world_.now(), plan_.arrivals.from);
  rest.until = plan_.arrivals.until;
  rest.limit = plan_.arrivals.limit - planned_;
  return rest;
}

void ProducerWorkload::ChangeRate(const ArrivalPlan& arrivals) {
  if (next_.has_value()) world_.engine().Cancel(*next_);
  arrivals_ = Arrivals(arrivals);
  ScheduleNext();
}

OutgoingMessage ProducerWorkload::NextMessage() {
  OutgoingMessage message;
  message.topic = plan_.topic;
  message.scheduled = world_.now();
  message.body_size = static_cast<int32_t>(plan_.body_size.Sample(size_draws_));
  if (plan_.keys.has_value()) {
    const int64_t key = plan_.keys->law.has_value()
                            ? plan_.keys->law->Sample(key_draws_)
                            : next_key_++ % plan_.keys->count + 1;
    message.key = static_cast<uint64_t>(key);
    if (plan_.keys->selects_queue) message.selector = QueueSelector::kByHash;
  }
  if (plan_.tag_choice.has_value()) {
    message.tag = plan_.tags[plan_.tag_choice->Pick(tag_draws_)];
  }
  if (plan_.random_queue) message.selector = QueueSelector::kRandom;
  if (!plan_.hot_queues.empty() && Happens(plan_.hot_share, hot_draws_)) {
    message.queue = plan_.hot_queues[next_hot_++ % plan_.hot_queues.size()];
  }
  return message;
}

void ProducerWorkload::OnArrival() {
  ++planned_;
  const OutgoingMessage message = NextMessage();
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
