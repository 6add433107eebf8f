#include "scenarios/workload/scenario_listener.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/base/time.h"
#include "model/wire/message.h"

namespace groupsim {
namespace {

bool Concerns(const ScenarioListener::Hang& hang, const MessageQueue& queue) {
  if (!hang.topic.empty() && hang.topic != queue.topic) return false;
  if (hang.queues.empty()) return true;
  return std::any_of(hang.queues.begin(), hang.queues.end(),
                     [&](const ScenarioListener::Hang::Queues& range) {
                       return range.broker == queue.broker &&
                              queue.queue_id >= range.first &&
                              queue.queue_id <= range.last;
                     });
}

}  // namespace

void ScenarioListener::ApplyHangs(const ListenerCall& call,
                                  ListenerPlan& plan) {
  std::optional<Duration> longest;
  for (const Hang& hang : description_.hangs) {
    if (!Concerns(hang, call.queue)) continue;
    for (const Message& message : call.messages) {
      if (std::find(hang.offsets.begin(), hang.offsets.end(),
                    message.queue_offset) == hang.offsets.end()) {
        continue;
      }
      int64_t& times = hung_[{call.queue, message.queue_offset}];
      if (times >= hang.times) continue;
      ++times;
      if (!hang.lasts.has_value()) plan.hangs = true;
      if (hang.lasts.has_value()) {
        longest = std::max(longest.value_or(*hang.lasts), *hang.lasts);
      }
    }
  }
  if (longest.has_value()) plan.service_time = *longest;
}

ListenerPlan ScenarioListener::Plan(const ListenerCall& call,
                                    RandomStream& draws) {
  ListenerPlan plan;
  // Drawn in any case, so that a hang moves no other call's time.
  const int64_t drawn = description_.service_time.Sample(draws);
  plan.service_time = Duration::Nanos(static_cast<int64_t>(
      static_cast<__int128>(drawn) * description_.time_per_cent / 100));
  if (!description_.hangs.empty()) ApplyHangs(call, plan);
  return plan;
}

}  // namespace groupsim
