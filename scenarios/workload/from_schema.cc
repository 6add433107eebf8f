#include "scenarios/workload/from_schema.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/base/check.h"
#include "model/base/time.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"
#include "sim/random/distribution.h"

namespace groupsim {
namespace {

template <class T>
T Valid(absl::StatusOr<T> value) {
  CHECK(value.ok()) << value.status().ToString();
  return *std::move(value);
}

}  // namespace

void ApplyRate(const schema::Rate& rate, ArrivalPlan& plan) {
  if (rate.has_every()) {
    plan.messages = 1;
    plan.per = Valid(ParseDuration(rate.every()));
  } else {
    plan.messages = rate.per_second();
    plan.per = 1s;
  }
  plan.poisson = rate.arrivals() == schema::Rate::POISSON;
}

std::unique_ptr<ScenarioListener> MakeListener(const schema::Listener& listener,
                                               NameTable& names) {
  ScenarioListener::Description made;
  made.service_time = listener.has_service_time()
                          ? Valid(MakeDistribution(listener.service_time(),
                                                   FieldRule::DURATION))
                          : Valid(Distribution::Constant(1'000'000));
  if (listener.has_time_per_cent()) {
    made.time_per_cent = listener.time_per_cent();
  }
  for (const schema::Hang& from : listener.hang()) {
    ScenarioListener::Hang hang;
    hang.topic = names.Intern(from.topic());
    for (const QueueRange& range : Valid(ParseQueues(from.queues()))) {
      const bool all = range.last == QueueRange::kAllQueues;
      hang.queues.push_back({names.Intern(range.broker), all ? 0 : range.first,
                             all ? INT32_MAX : range.last});
    }
    hang.offsets.assign(from.offset().begin(), from.offset().end());
    if (from.has_times()) hang.times = from.times();
    if (from.has_lasts()) hang.lasts = Valid(ParseDuration(from.lasts()));
    made.hangs.push_back(std::move(hang));
  }
  return std::make_unique<ScenarioListener>(std::move(made));
}

}  // namespace groupsim
