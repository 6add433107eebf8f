#include "scenarios/reader/traffic.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "model/base/time.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

// Changes of all producers together that are followed one by one.
constexpr size_t kMostChanges = 10'000'000;
// Of a rate that changes by itself, over the whole run.
constexpr double kSteps = 2'000;

double Seconds(Duration duration) {
  return static_cast<double>(duration.nanos()) / 1e9;
}

double SecondsOr(const std::string& text, double otherwise) {
  const std::optional<Duration> duration = DurationOf(text);
  return duration ? Seconds(*duration) : otherwise;
}

double RateAt(const schema::Recorded& recorded, double time, bool straight) {
  double before_time = 0;
  double before = 0;
  for (const schema::RatePoint& point : recorded.point()) {
    const double at = SecondsOr(point.time(), 0);
    const auto rate = static_cast<double>(point.per_second());
    if (at > time) {
      return straight && at > before_time
                 ? before + (rate - before) * (time - before_time) /
                                (at - before_time)
                 : before;
    }
    before_time = at;
    before = rate;
  }
  return before;
}

// Messages a second at a time since the begin of a rate.
double RateAt(const schema::Rate& rate, double time, double length) {
  constexpr double kDay = 86'400;
  switch (rate.amount_case()) {
    case schema::Rate::kPerSecond:
      return static_cast<double>(rate.per_second());
    case schema::Rate::kEvery: {
      const double every = SecondsOr(rate.every(), 0);
      return every > 0 ? 1 / every : 0;
    }
    case schema::Rate::kRamp: {
      const auto from = static_cast<double>(rate.ramp().from_per_second());
      const auto to = static_cast<double>(rate.ramp().to_per_second());
      const double over = SecondsOr(rate.ramp().over(), length);
      return time >= over ? to : from + (to - from) * time / over;
    }
    case schema::Rate::kBurst: {
      const schema::Burst& burst = rate.burst();
      const double every = SecondsOr(burst.every(), 1);
      const double lasts = std::min(SecondsOr(burst.lasts(), 0), every);
      const auto low = static_cast<double>(burst.per_second());
      const auto high = static_cast<double>(burst.burst_per_second());
      return every > 0 ? low + (high - low) * lasts / every : low;
    }
    case schema::Rate::kStep:
      return RateAt(rate.step(), time, false);
    case schema::Rate::kDaily:
      return RateAt(rate.daily(), std::fmod(time, kDay), false);
    case schema::Rate::kRecorded:
      return RateAt(rate.recorded(), time, true);
    default:
      return 0;
  }
}

bool Changes(const schema::Rate& rate) {
  return rate.has_ramp() || rate.has_step() || rate.has_daily() ||
         rate.has_recorded();
}

// The highest of a rate at any time.
double HighestOf(const schema::Rate& rate) {
  const auto highest = [](const schema::Recorded& recorded) {
    double most = 0;
    for (const schema::RatePoint& point : recorded.point()) {
      most = std::max(most, static_cast<double>(point.per_second()));
    }
    return most;
  };
  switch (rate.amount_case()) {
    case schema::Rate::kRamp:
      return static_cast<double>(
          std::max(rate.ramp().from_per_second(), rate.ramp().to_per_second()));
    case schema::Rate::kStep:
      return highest(rate.step());
    case schema::Rate::kDaily:
      return highest(rate.daily());
    case schema::Rate::kRecorded:
      return highest(rate.recorded());
    default:
      return RateAt(rate, 0, 0);
  }
}

// Messages between two times, the first of which may be an arrival.
double MessagesIn(const schema::Rate& rate, double length, double of_run) {
  if (!Changes(rate)) {
    // What is whole stays whole.
    return std::ceil(RateAt(rate, 0, length) * length - 1e-6);
  }
  const double steps = std::max(std::ceil(kSteps * length / of_run), 1.0);
  double messages = 0;
  for (double i = 0; i < steps; ++i) {
    messages +=
        RateAt(rate, (i + 0.5) * length / steps, length) * length / steps;
  }
  return messages;
}

}  // namespace

Traffic::Traffic(const Scenario& scenario)
    : scenario_(scenario),
      end_(SecondsOr(scenario.duration(), 0)),
      most_changes_(kMostChanges / std::max(scenario.producer_size(), 1)) {
  for (const schema::Event& event : scenario.at()) {
    if (!event.has_change_rate()) continue;
    if (event.change_rate().producer_size() == 0) Collect(event, of_all_);
    for (const std::string& name : event.change_rate().producer()) {
      Collect(event, of_[name]);
    }
  }
}

void Traffic::Collect(const schema::Event& event, Changes& changes) {
  const schema::Rate& rate = event.change_rate().rate();
  changes.highest = std::max(changes.highest, HighestOf(rate));
  // Whoever has so many is not followed.
  if (changes.timed.size() + changes.whenever.size() > most_changes_) return;
  if (event.has_after()) {
    changes.whenever.push_back({SecondsOr(event.after().from(), 0), &rate});
    return;
  }
  if (!event.has_every()) {
    changes.timed.push_back({SecondsOr(event.time(), 0), &rate});
    return;
  }
  const double every = SecondsOr(event.every(), 0);
  const double from = SecondsOr(event.from(), every);
  const auto times = static_cast<size_t>(MostTimes(event, scenario_));
  const size_t followed = std::min(times, most_changes_ + 1);
  for (size_t i = 0; i < followed; ++i) {
    changes.timed.push_back({from + static_cast<double>(i) * every, &rate});
  }
}

double Traffic::LengthOf(const schema::Producer& producer) const {
  const double until = std::min(SecondsOr(producer.until(), 0), end_);
  return std::max(until - SecondsOr(producer.from(), until), 0.0);
}

double Traffic::MostMessages(const schema::Producer& producer) const {
  const double length = LengthOf(producer);
  if (length <= 0) return 0;
  const double from = SecondsOr(producer.from(), 0);
  const double until = from + length;
  std::vector<Change> timed;
  std::vector<Change> whenever;
  double highest = HighestOf(producer.rate());
  size_t changes = 0;
  const auto own = of_.find(producer.name());
  for (const Changes* some :
       {&of_all_, own == of_.end() ? nullptr : &own->second}) {
    if (some == nullptr) continue;
    highest = std::max(highest, some->highest);
    changes += some->timed.size() + some->whenever.size();
    if (changes > most_changes_) continue;
    timed.insert(timed.end(), some->timed.begin(), some->timed.end());
    whenever.insert(whenever.end(), some->whenever.begin(),
                    some->whenever.end());
  }
  const auto earlier = [](const Change& a, const Change& b) {
    return a.time < b.time;
  };
  double messages = 0;
  if (changes > most_changes_) {
    messages = highest * length;
  } else {
    std::stable_sort(timed.begin(), timed.end(), earlier);
    std::stable_sort(whenever.begin(), whenever.end(), earlier);
    // Between two times nothing changes but by itself. `possible` is the
    // highest rate that a fact may have brought by then.
    const schema::Rate* rate = &producer.rate();
    double possible = 0;
    double now = from;
    size_t next_timed = 0;
    size_t next_whenever = 0;
    while (now < until) {
      for (; next_timed < timed.size() && timed[next_timed].time <= now;
           ++next_timed) {
        rate = timed[next_timed].rate;
      }
      for (; next_whenever < whenever.size() &&
             whenever[next_whenever].time <= now;
           ++next_whenever) {
        possible = std::max(possible, HighestOf(*whenever[next_whenever].rate));
      }
      double then = until;
      if (next_timed < timed.size()) {
        then = std::min(then, timed[next_timed].time);
      }
      if (next_whenever < whenever.size()) {
        then = std::min(then, whenever[next_whenever].time);
      }
      messages += std::max(MessagesIn(*rate, then - now, end_),
                           possible * (then - now));
      now = then;
    }
  }
  if (producer.has_messages()) {
    messages = std::min(messages, static_cast<double>(producer.messages()));
  }
  return messages * (producer.has_count() ? producer.count() : 1);
}

}  // namespace groupsim
