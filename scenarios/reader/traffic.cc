#include "scenarios/reader/traffic.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/base/time.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/rate_profile.h"
#include "scenarios/reader/rates.h"
#include "scenarios/reader/roster.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

// Changes of all producers together that are followed one by one.
constexpr size_t kMostChanges = 10'000'000;
constexpr __int128 kUnits = RateProfile::kUnitsPerMessage;
constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int32_t kMostProcesses = 1'000;
constexpr Duration kLongest = 24h * 30;

bool IsRate(int64_t per_second) {
  return per_second >= 0 && per_second <= 1'000'000;
}

bool IsTime(const std::string& text) {
  const std::optional<Duration> time = DurationOf(text);
  return time.has_value() && *time > Duration::Zero() && *time <= kLongest;
}

bool MakesSense(const schema::Recorded& recorded, Duration end) {
  std::optional<Duration> before;
  for (const schema::RatePoint& point : recorded.point()) {
    const std::optional<Duration> time = DurationOf(point.time());
    if (!time.has_value() || *time > end || !IsRate(point.per_second()) ||
        (before.has_value() && *time <= *before)) {
      return false;
    }
    before = time;
  }
  return before.has_value();
}

// Whether arrivals can be made of a rate. What is wrong is told elsewhere.
bool MakesSense(const schema::Rate& rate) {
  switch (rate.amount_case()) {
    case schema::Rate::kPerSecond:
      return rate.per_second() > 0 && IsRate(rate.per_second());
    case schema::Rate::kEvery:
      return IsTime(rate.every());
    case schema::Rate::kRamp:
      return IsRate(rate.ramp().from_per_second()) &&
             IsRate(rate.ramp().to_per_second()) &&
             (!rate.ramp().has_over() || IsTime(rate.ramp().over()));
    case schema::Rate::kBurst:
      return IsRate(rate.burst().per_second()) &&
             IsRate(rate.burst().burst_per_second()) &&
             IsTime(rate.burst().every()) && IsTime(rate.burst().lasts());
    case schema::Rate::kStep:
      return MakesSense(rate.step(), kLongest);
    case schema::Rate::kDaily:
      return MakesSense(rate.daily(), Duration(24h) - Duration::Nanos(1));
    case schema::Rate::kRecorded:
      return MakesSense(rate.recorded(), kLongest);
    default:
      return false;
  }
}

// Adds what has times, in their order; of one time, in that of the timeline.
template <class Timed>
void Add(const std::vector<Timed>& some, std::vector<Timed>& all) {
  all.insert(all.end(), some.begin(), some.end());
  std::stable_sort(all.begin(), all.end(), [](const Timed& a, const Timed& b) {
    return std::tie(a.time, a.event) < std::tie(b.time, b.event);
  });
}

}  // namespace

// What arrives at one producer, from one change to the next.
class Traffic::Segments {
 public:
  Segments(Duration from, Duration until) : now_(from), until_(until) {}

  // From now on this rate holds.
  void Take(const Rate& rate) {
    rate_ = &rate;
    since_ = now_;
    plan_ = rate.plan;
    if (rate.until_end == nullptr) return;
    plan_.from = Instant::Start() + now_;
    plan_.until = Instant::Start() + until_;
    ApplyRate(*rate.until_end, plan_);
  }

  // From now on a fact may have brought so many units a second.
  void Allow(__int128 possible) { possible_ = std::max(possible_, possible); }

  void GoTo(Duration then) {
    units_ += Units(then);
    now_ = then;
  }

  Duration now() const { return now_; }
  __int128 units() const { return units_; }

 private:
  static __int128 Flat(__int128 per_second, Duration length) {
    return (per_second * length.nanos() + kNanosPerSecond - 1) /
           kNanosPerSecond;
  }

  __int128 Units(Duration then) const {
    const Duration length = then - now_;
    const __int128 usual = rate_->sends ? UnitsOf(plan_, then - since_) -
                                              UnitsOf(plan_, now_ - since_)
                                        : 0;
    if (possible_ == 0) return usual;
    const __int128 unusual = Flat(possible_, length);
    if (plan_.profile == nullptr) return std::max(usual, unusual);
    // Now the one may be higher and now the other.
    return std::min(usual + unusual,
                    Flat(std::max(rate_->highest, possible_), length));
  }

  Duration now_;
  const Duration until_;
  const Rate* rate_ = nullptr;
  ArrivalPlan plan_;
  Duration since_;
  __int128 possible_ = 0;
  __int128 units_ = 0;
};

Traffic::Traffic(const Scenario& scenario)
    : scenario_(scenario),
      end_(DurationOr(scenario.duration(), Duration::Zero())),
      most_changes_(kMostChanges / std::max(scenario.producer_size(), 1)) {
  for (const schema::Event& event : scenario.at()) {
    if (!event.has_change_rate()) continue;
    rates_.push_back(Read(event.change_rate().rate()));
    const Rate& rate = rates_.back();
    if (event.change_rate().producer_size() == 0) {
      Collect(event, rate, of_all_);
    }
    for (const std::string& name : event.change_rate().producer()) {
      Collect(event, rate, of_[name]);
    }
  }
}

Traffic::Rate Traffic::Read(const schema::Rate& written) {
  Rate rate;
  if (!MakesSense(written)) return rate;
  rate.sends = true;
  if (written.has_ramp() && !written.ramp().has_over()) {
    rate.until_end = &written;
    // Its height does not depend on its length.
    rate.plan.until = rate.plan.from + Duration(1s);
  }
  ApplyRate(written, rate.plan);
  rate.highest = HighestRate(rate.plan);
  return rate;
}

void Traffic::Collect(const schema::Event& event, const Rate& rate,
                      Changes& changes) {
  const size_t place = rates_.size();
  changes.highest = std::max(changes.highest, rate.highest);
  const int64_t times = MostTimes(event, scenario_);
  changes.count += times;
  // Whoever has so many is not followed.
  if (changes.count > static_cast<int64_t>(most_changes_)) return;
  if (event.has_after()) {
    changes.whenever.push_back(
        {DurationOr(event.after().from(), Duration::Zero()), &rate, place});
    return;
  }
  if (!event.has_every()) {
    changes.timed.push_back(
        {DurationOr(event.time(), Duration::Zero()), &rate, place});
    return;
  }
  const Duration every = DurationOr(event.every(), Duration::Zero());
  Duration time = DurationOr(event.from(), every);
  for (int64_t i = 0; i < times; ++i) {
    changes.timed.push_back({time, &rate, place});
    time += every;
  }
}

Traffic::Changes Traffic::ChangesOf(const std::string& producer) const {
  Changes all;
  const auto own = of_.find(producer);
  for (const Changes* some :
       {&of_all_, own == of_.end() ? nullptr : &own->second}) {
    if (some == nullptr) continue;
    all.highest = std::max(all.highest, some->highest);
    all.count += some->count;
    if (all.count > static_cast<int64_t>(most_changes_)) continue;
    Add(some->timed, all.timed);
    Add(some->whenever, all.whenever);
  }
  return all;
}

double Traffic::LengthOf(const schema::Producer& producer) const {
  const Duration until =
      std::min(DurationOr(producer.until(), Duration()), end_);
  const Duration length = until - DurationOr(producer.from(), until);
  return static_cast<double>(std::max(length, Duration::Zero()).nanos()) /
         kNanosPerSecond;
}

__int128 Traffic::Follow(const Rate& usual, const Changes& changes,
                         Duration from, Duration until) {
  Segments segments(from, until);
  segments.Take(usual);
  auto timed = changes.timed.begin();
  auto whenever = changes.whenever.begin();
  while (segments.now() < until) {
    const Rate* rate = nullptr;
    for (; timed != changes.timed.end() && timed->time <= segments.now();
         ++timed) {
      rate = timed->rate;
    }
    if (rate != nullptr) segments.Take(*rate);
    for (;
         whenever != changes.whenever.end() && whenever->time <= segments.now();
         ++whenever) {
      segments.Allow(whenever->rate->highest);
    }
    Duration then = until;
    if (timed != changes.timed.end()) then = std::min(then, timed->time);
    if (whenever != changes.whenever.end()) {
      then = std::min(then, whenever->time);
    }
    segments.GoTo(then);
  }
  return segments.units();
}

double Traffic::MostMessages(const schema::Producer& producer) const {
  const Rate usual = Read(producer.rate());
  if (!producer.has_count()) {
    return MostMessages(producer, usual, producer.name());
  }
  if (producer.count() < 1 || producer.count() > kMostProcesses) return 0;
  // Most of them have no changes of their own.
  std::optional<double> common;
  double messages = 0;
  for (const std::string& process : NamesOf(producer)) {
    if (of_.contains(process)) {
      messages += MostMessages(producer, usual, process);
      continue;
    }
    if (!common.has_value()) common = MostMessages(producer, usual, process);
    messages += *common;
  }
  return messages;
}

double Traffic::MostMessages(const schema::Producer& producer,
                             const Rate& usual,
                             const std::string& process) const {
  const Duration from = DurationOr(producer.from(), Duration::Zero());
  const Duration until =
      std::min(DurationOr(producer.until(), Duration::Zero()), end_);
  if (from >= until) return 0;
  const Changes changes = ChangesOf(process);
  // Each of too many changes may begin with a message.
  const __int128 units = changes.count > static_cast<int64_t>(most_changes_)
                             ? std::max(usual.highest, changes.highest) *
                                       (until - from).nanos() /
                                       kNanosPerSecond +
                                   kUnits * changes.count
                             : Follow(usual, changes, from, until);
  // What is whole stays whole.
  double messages =
      static_cast<double>(units / kUnits) +
      static_cast<double>(units % kUnits) / static_cast<double>(kUnits);
  if (producer.has_messages()) {
    messages = std::min(messages, static_cast<double>(producer.messages()));
  }
  return messages;
}

}  // namespace groupsim
