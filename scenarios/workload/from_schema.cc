#include "scenarios/workload/from_schema.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/runtime/listener_executor.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"
#include "scenarios/workload/rate_profile.h"
#include "sim/random/distribution.h"

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

// Which messages a Hang or a Failure is about.
template <class Schema>
ScenarioListener::Selection SelectionOf(const Schema& from, NameTable& names) {
  ScenarioListener::Selection selection;
  selection.topic = names.Intern(from.topic());
  for (const QueueRange& range : Valid(ParseQueues(from.queues()))) {
    selection.queues.push_back(
        {names.Intern(range.broker), range.first, range.last});
  }
  selection.offsets.assign(from.offset().begin(), from.offset().end());
  return selection;
}

ListenerResult ResultOf(const schema::Failure& from) {
  ListenerResult result;
  if (from.has_ack_index()) {
    result.ack_index = from.ack_index();
  } else if (from.how() == schema::Failure::THROW) {
    result.status = ConsumeStatus::kException;
  } else if (from.how() == schema::Failure::NULL_RESULT) {
    result.status = ConsumeStatus::kNull;
  } else if (from.how() == schema::Failure::LATER) {
    result.status = ConsumeStatus::kReconsumeLater;
  }
  result.delay_level = from.delay_level();
  return result;
}

ScenarioListener::Failure FailureOf(const schema::Failure& from,
                                    NameTable& names) {
  ScenarioListener::Failure failure;
  failure.messages = SelectionOf(from, names);
  if (from.has_tag()) failure.tag = names.Intern(from.tag());
  failure.keys.assign(from.key().begin(), from.key().end());
  if (from.has_per_mille()) failure.per_mille = from.per_mille();
  if (from.has_per_mille_of_messages()) {
    failure.per_mille_of_messages = from.per_mille_of_messages();
  }
  if (from.has_times()) failure.times = from.times();
  failure.result = ResultOf(from);
  if (from.has_lasts()) failure.lasts = Parsed(from.lasts());
  failure.hangs = from.how() == schema::Failure::HANG && !from.has_lasts();
  return failure;
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

std::unique_ptr<ScenarioListener> MakeListener(const schema::Listener& listener,
                                               const ListenerDraws& draws,
                                               NameTable& names) {
  ScenarioListener::Description made;
  made.drawer = draws.drawer;
  made.seed = draws.seed;
  made.names = &names;
  made.service_time = listener.has_service_time()
                          ? Valid(MakeDistribution(listener.service_time(),
                                                   FieldRule::DURATION))
                          : Valid(Distribution::Constant(1'000'000));
  if (listener.has_time_per_cent()) {
    made.time_per_cent = listener.time_per_cent();
  }
  for (const schema::Hang& from : listener.hang()) {
    ScenarioListener::Hang hang;
    hang.messages = SelectionOf(from, names);
    if (from.has_times()) hang.times = from.times();
    if (from.has_lasts()) hang.lasts = Parsed(from.lasts());
    made.hangs.push_back(std::move(hang));
  }
  for (const schema::Failure& from : listener.fails()) {
    made.failures.push_back(FailureOf(from, names));
  }
  return std::make_unique<ScenarioListener>(std::move(made));
}

}  // namespace groupsim
