#include "scenarios/workload/scenario_listener.h"

#include <algorithm>
#include <cstdint>

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

bool ScenarioListener::Hangs(const ListenerCall& call) {
  bool hangs = false;
  for (const Hang& hang : hangs_) {
    if (!Concerns(hang, call.queue)) continue;
    for (const Message& message : call.messages) {
      if (std::find(hang.offsets.begin(), hang.offsets.end(),
                    message.queue_offset) == hang.offsets.end()) {
        continue;
      }
      int64_t& times = hung_[{call.queue, message.queue_offset}];
      if (times >= hang.times) continue;
      ++times;
      hangs = true;
    }
  }
  return hangs;
}

ListenerPlan ScenarioListener::Plan(const ListenerCall& call,
                                    RandomStream& draws) {
  ListenerPlan plan;
  // Drawn in any case, so that a hang moves no other call's time.
  plan.service_time = Duration::Nanos(service_time_.Sample(draws));
  plan.hangs = !hangs_.empty() && Hangs(call);
  return plan;
}

}  // namespace groupsim
