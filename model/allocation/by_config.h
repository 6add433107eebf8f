// The same fixed list of queues for everyone who asks.
#ifndef GROUPSIM_MODEL_ALLOCATION_BY_CONFIG_H_
#define GROUPSIM_MODEL_ALLOCATION_BY_CONFIG_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "model/allocation/strategy.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// AllocateMessageQueueByConfig.allocate, 5.3.3. Each consumer is given a list
// of its own; the group, the topic and the other clients are not looked at, so
// nothing is ever refused, and the list may name queues of other topics.
// Whether every queue is somebody's is up to whoever wrote the lists.
class AllocateByConfig final : public AllocationStrategy {
 public:
  // An empty list stands for upstream's missing one, too.
  explicit AllocateByConfig(std::vector<MessageQueue> queues);

  absl::string_view name() const override { return "CONFIG"; }
  AllocationPlanPtr Prepare(const AllocationView& view) const override;

 private:
  const AllocationPlanPtr plan_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_BY_CONFIG_H_
