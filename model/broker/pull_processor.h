// Pulls: checks, reading, answering, holding (PullMessageProcessor,
// DefaultPullMessageResultHandler, PullRequestHoldService, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_PULL_PROCESSOR_H_
#define GROUPSIM_MODEL_BROKER_PULL_PROCESSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "model/base/name.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/consumer_table.h"
#include "model/broker/offset_service.h"
#include "model/broker/pull_hold.h"
#include "model/broker/request_executors.h"
#include "model/broker/tag_filter.h"
#include "model/runtime/env.h"
#include "model/runtime/random.h"
#include "model/runtime/remoting.h"
#include "model/runtime/timer.h"
#include "model/wire/command.h"

namespace groupsim {

class MessageWriter;

class PullProcessor {
 public:
  // The references outlive it.
  PullProcessor(Env& env, const BrokerConfig& config, BrokerDisk& disk,
                const ConsumerTable& consumers, OffsetService& offsets,
                RequestExecutor& executor);
  PullProcessor(const PullProcessor&) = delete;
  PullProcessor& operator=(const PullProcessor&) = delete;

  // Where events about illegal offsets go. Once, before Start; outlives it.
  void SetWriter(MessageWriter& writer) { writer_ = &writer; }

  // Begins to look at held pulls: a full interval after now, and then after
  // the end of each look. A look is up to 1 ms late, as a sleeping thread is.
  void Start();
  // Ends that. Held pulls are forgotten unanswered.
  void Stop();

  // PULL_MESSAGE, LITE_PULL_MESSAGE.
  void OnPull(const PullMessageRequest& request, Responder responder) {
    Process(request, responder, Arrival::kFirst);
  }

  // A message of `queue` became visible; wakes the pulls held for it.
  void OnArrived(const StoredQueue& queue, int32_t tags_code) {
    if (!config_.settings.long_polling_enable ||
        !hold_.HoldsAny(queue.index())) {
      return;
    }
    Wake(queue, tags_code);
  }

  // How many pulls are held.
  size_t held() const { return hold_.size(); }

 private:
  // A pull that was held and woken is processed from the beginning, but is
  // neither held again nor stores the offset that it brought.
  enum class Arrival { kFirst, kWoken };

  // What the checks before the reading lead to.
  struct Admission {
    ResponseCode refusal = ResponseCode::kSuccess;
    const char* remark = "";
    StoredQueue* queue = nullptr;
    const TagFilterPtr* filter = nullptr;  // Null for all messages.
  };

  void Process(const PullMessageRequest& request, Responder& responder,
               Arrival arrival);
  Admission Admit(const PullMessageRequest& request);
  // That of a subscription which a pull brought, until the next call; null
  // where it takes all. Upstream parses the expression at each pull.
  const TagFilterPtr* FilterOf(Name expression);
  void Wake(const StoredQueue& queue, int32_t tags_code);
  // PullMessageProcessor.generateOffsetMovedEvent.
  void StoreOffsetMovedEvent();
  // Has a pull processed that is held no more.
  void OnWoken(HeldPull& pull);
  void Scan();
  void ArmScan();

  Env& env_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  const ConsumerTable& consumers_;
  OffsetService& offsets_;
  MessageWriter* writer_ = nullptr;
  RequestExecutor& executor_;
  PullHold hold_;
  absl::flat_hash_map<Name, TagFilterPtr> filters_;  // By expression.
  std::unique_ptr<RandomStream> lateness_;
  Timer scan_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_PULL_PROCESSOR_H_
