// When messages arrive at a producer.
#ifndef GROUPSIM_SCENARIOS_READER_ARRIVALS_H_
#define GROUPSIM_SCENARIOS_READER_ARRIVALS_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "model/base/time.h"
#include "model/runtime/random.h"
#include "scenarios/reader/rate_profile.h"
#include "sim/random/distribution.h"

namespace groupsim {

struct ArrivalPlan {
  // Messages per `per`; both at least 1.
  int64_t messages = 1;
  Duration per = 1s;
  // Instead of that, a rate that changes, counted from `from`; null for none.
  std::shared_ptr<const RateProfile> profile;
  // Independent of each other (Poisson) instead of evenly spaced.
  bool poisson = false;
  Instant from;               // The first one comes here, or, if random, later.
  Instant until;              // None comes then or later.
  int64_t limit = INT64_MAX;  // How many there are at most.
};

// How many arrivals a plan has in a time from its begin, in units of
// RateProfile: exactly, or, where they are random, on average. Its end and its
// limit are not looked at. `time` is at most 30 days.
__int128 UnitsOf(const ArrivalPlan& plan, Duration time);

// The highest rate of a plan at any time, in units a second, rounded up.
__int128 HighestRate(const ArrivalPlan& plan);

// The arrivals of one producer, one after another. Evenly spaced ones do not
// drift: the n-th comes at from + n * per / messages, rounded down. With a rate
// that changes it comes when n messages are due by the area below the rate, and
// random ones when so many are due as intervals of mean one, drawn, add up to.
class Arrivals {
 public:
  explicit Arrivals(const ArrivalPlan& plan);

  // The next arrival, or nothing if there is none. `draws` is used where
  // arrivals are random; one draw each.
  std::optional<Instant> Next(RandomStream& draws);

 private:
  std::optional<Instant> NextOfProfile(RandomStream& draws);

  ArrivalPlan plan_;
  Distribution gap_;
  std::optional<RateProfile::Walk> walk_;
  __int128 due_ = 0;  // Units, where arrivals are random and the rate changes.
  int64_t count_ = 0;
  Instant last_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_ARRIVALS_H_
