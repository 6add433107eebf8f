#include "scenarios/workload/arrivals.h"

#include <cstdint>
#include <optional>

#include "model/base/check.h"
#include "model/base/time.h"

namespace groupsim {

Arrivals::Arrivals(const ArrivalPlan& plan) : plan_(plan), last_(plan.from) {
  CHECK(plan.messages >= 1 && plan.per > Duration::Zero());
  if (plan.poisson) {
    gap_ = Distribution::Exponential(plan.per.nanos() / plan.messages).value();
  }
}

std::optional<Instant> Arrivals::Next(RandomStream& draws) {
  if (count_ >= plan_.limit) return std::nullopt;
  Instant next;
  if (plan_.poisson) {
    next = last_ + Duration::Nanos(gap_.Sample(draws));
  } else {
    const __int128 nanos =
        static_cast<__int128>(count_) * plan_.per.nanos() / plan_.messages;
    next = plan_.from + Duration::Nanos(static_cast<int64_t>(nanos));
  }
  if (next >= plan_.until) return std::nullopt;
  ++count_;
  last_ = next;
  return next;
}

}  // namespace groupsim
