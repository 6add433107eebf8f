#include "scenarios/reader/rates.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/time.h"
#include "scenarios/reader/rate_profile.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

using Pieces = std::vector<RateProfile::Piece>;
using ProfilePtr = std::shared_ptr<const RateProfile>;

constexpr Duration kDay = 24h;

ProfilePtr RampOf(const schema::Ramp& ramp, Duration whole) {
  const Duration over = ramp.has_over() ? Parsed(ramp.over()) : whole;
  return std::make_shared<const RateProfile>(
      Pieces{{over, ramp.from_per_second(), ramp.to_per_second()}},
      Pieces{{kDay, ramp.to_per_second(), ramp.to_per_second()}});
}

ProfilePtr BurstsOf(const schema::Burst& burst) {
  const Duration every = Parsed(burst.every());
  const Duration lasts = std::min(Parsed(burst.lasts()), every);
  const int64_t low = burst.per_second();
  const int64_t high = burst.burst_per_second();
  return std::make_shared<const RateProfile>(
      Pieces{{every, low, low}},
      Pieces{{lasts, high, high}, {every - lasts, low, low}});
}

// From the begin to the last point: steps, or straight lines, the first of them
// from nothing.
Pieces PiecesOf(const schema::Recorded& recorded, bool straight) {
  Pieces pieces;
  Duration time;
  int64_t rate = 0;
  for (const schema::RatePoint& point : recorded.point()) {
    const Duration next = Parsed(point.time());
    pieces.push_back({next - time, rate, straight ? point.per_second() : rate});
    time = next;
    rate = point.per_second();
  }
  return pieces;
}

// What holds from the last point on.
Pieces LastOf(const schema::Recorded& recorded) {
  const int64_t rate = recorded.point().rbegin()->per_second();
  return {{kDay, rate, rate}};
}

ProfilePtr DaysOf(const schema::Recorded& recorded) {
  Pieces day = PiecesOf(recorded, /*straight=*/false);
  const schema::RatePoint& last = *recorded.point().rbegin();
  day.push_back(
      {kDay - Parsed(last.time()), last.per_second(), last.per_second()});
  return std::make_shared<const RateProfile>(Pieces{}, day);
}

}  // namespace

void ApplyRate(const schema::Rate& rate, ArrivalPlan& plan) {
  plan.poisson = rate.arrivals() == schema::Rate::POISSON;
  switch (rate.amount_case()) {
    case schema::Rate::kEvery:
      plan.messages = 1;
      plan.per = Parsed(rate.every());
      return;
    case schema::Rate::kRamp:
      plan.profile = RampOf(rate.ramp(), plan.until - plan.from);
      return;
    case schema::Rate::kBurst:
      plan.profile = BurstsOf(rate.burst());
      return;
    case schema::Rate::kStep:
      plan.profile = std::make_shared<const RateProfile>(
          PiecesOf(rate.step(), /*straight=*/false), LastOf(rate.step()));
      return;
    case schema::Rate::kDaily:
      plan.profile = DaysOf(rate.daily());
      return;
    case schema::Rate::kRecorded:
      plan.profile = std::make_shared<const RateProfile>(
          PiecesOf(rate.recorded(), /*straight=*/true),
          LastOf(rate.recorded()));
      return;
    default:
      plan.messages = rate.per_second();
      plan.per = 1s;
  }
}

}  // namespace groupsim
