#include "model/allocation/by_config.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

class ConfigPlan final : public AllocationPlan {
 public:
  explicit ConfigPlan(std::vector<MessageQueue> queues)
      : queues_(std::move(queues)) {}

  absl::StatusOr<std::vector<MessageQueue>> For(
      Name /*client_id*/) const override {
    return queues_;
  }

 private:
  const std::vector<MessageQueue> queues_;
};

}  // namespace

AllocateByConfig::AllocateByConfig(std::vector<MessageQueue> queues)
    : plan_(std::make_shared<const ConfigPlan>(std::move(queues))) {}

AllocationPlanPtr AllocateByConfig::Prepare(
    const AllocationView& /*view*/) const {
  return plan_;
}

}  // namespace groupsim
