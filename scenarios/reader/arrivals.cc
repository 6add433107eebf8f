#include "scenarios/reader/arrivals.h"

#include <cstdint>
#include <optional>

#include "model/base/check.h"
#include "model/base/time.h"

namespace groupsim {
namespace {

constexpr __int128 kUnits = RateProfile::kUnitsPerMessage;

__int128 DividedUp(__int128 number, __int128 by) {
  return (number + by - 1) / by;
}

}  // namespace

__int128 UnitsOf(const ArrivalPlan& plan, Duration time) {
  const __int128 units =
      plan.profile != nullptr
          ? plan.profile->UnitsBefore(time)
          : DividedUp(kUnits * plan.messages * time.nanos(), plan.per.nanos());
  // The first of those that are evenly spaced comes at once.
  return plan.poisson ? units : DividedUp(units, kUnits) * kUnits;
}

__int128 HighestRate(const ArrivalPlan& plan) {
  if (plan.profile != nullptr) return kUnits * plan.profile->highest();
  return DividedUp(kUnits * plan.messages * Duration(1s).nanos(),
                   plan.per.nanos());
}

Arrivals::Arrivals(const ArrivalPlan& plan) : plan_(plan), last_(plan.from) {
  CHECK(plan.messages >= 1 && plan.per > Duration::Zero());
  if (plan.profile != nullptr) {
    walk_.emplace(plan.profile);
    gap_ = Distribution::Exponential(RateProfile::kUnitsPerMessage).value();
  } else if (plan.poisson) {
    gap_ = Distribution::Exponential(plan.per.nanos() / plan.messages).value();
  }
}

std::optional<Instant> Arrivals::Next(RandomStream& draws) {
  if (count_ >= plan_.limit) return std::nullopt;
  if (walk_.has_value()) return NextOfProfile(draws);
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

std::optional<Instant> Arrivals::NextOfProfile(RandomStream& draws) {
  if (plan_.poisson) {
    due_ += gap_.Sample(draws);
  } else {
    due_ = static_cast<__int128>(count_) * RateProfile::kUnitsPerMessage;
  }
  const std::optional<Duration> reached =
      walk_->Reach(due_, plan_.until - plan_.from);
  if (!reached.has_value()) return std::nullopt;
  ++count_;
  return plan_.from + *reached;
}

}  // namespace groupsim
