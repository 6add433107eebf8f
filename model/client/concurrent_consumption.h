// Hands messages to a concurrent listener and deals with its answers.
#ifndef GROUPSIM_MODEL_CLIENT_CONCURRENT_CONSUMPTION_H_
#define GROUPSIM_MODEL_CLIENT_CONCURRENT_CONSUMPTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/consume_pool.h"
#include "model/client/consumed_offsets.h"
#include "model/client/consumption.h"
#include "model/client/owned_queues.h"
#include "model/client/send_back.h"
#include "model/client/settings.h"
#include "model/facts/causes.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/wire/message.h"

namespace groupsim {

// ConsumeMessageConcurrentlyService, 5.3.3. Messages of one queue are consumed
// in parallel and finish in any order; the offset of a queue is that of its
// lowest unfinished message.
//
// A message that failed is sent back: its copy comes by the retry topic. Where
// that fails too, it comes again here after resubmit_delay and meanwhile holds
// the offset back. A message whose call takes longer than consume_timeout is
// sent back although the call goes on.
//
// Where the group broadcasts, a message that failed is forgotten.
class ConcurrentConsumption final : public PooledConsumption {
 public:
  struct Config {
    Name group;
    int workers = 20;    // consume_thread_min
    int batch_size = 1;  // consume_message_batch_max_size
    Duration consume_timeout;
    ClientProfile profile;
    MessageModel model = MessageModel::kClustering;
  };

  // All references must outlive it.
  ConcurrentConsumption(Env& env, Config config, OwnedQueues& owned,
                        ConsumedOffsets& offsets, SendBack& send_back);
  // Listener calls under way are abandoned.
  ~ConcurrentConsumption() override;
  ConcurrentConsumption(const ConcurrentConsumption&) = delete;
  ConcurrentConsumption& operator=(const ConcurrentConsumption&) = delete;

  // Begins to look for messages that take too long.
  void Start() override;
  // Queues the messages for the listener, in batches.
  bool Submit(const OwnedQueuePtr& owned, absl::Span<const Message> messages,
              bool start) override;
  Task<void> Shutdown(Duration limit) override;

 private:
  // One batch on its way through the listener.
  struct Batch final : ConsumePoolJob, ListenerDone {
    explicit Batch(ConcurrentConsumption& s) : service(s) {}
    void OnListenerDone(const ListenerResult& result) override {
      run = 0;
      service.OnDone(*this, result);
    }

    ConcurrentConsumption& service;
    OwnedQueuePtr owned;
    MessageBatch messages;
    ListenerRunId run = 0;      // While the listener has it.
    int64_t start_millis = 0;   // Wall clock at the call (CONSUME_START_TIME).
    bool some_expired = false;  // Some messages left the cache meanwhile.
    // What the listener answered, if not all succeeded.
    ConsumeStatus failure = ConsumeStatus::kReconsumeLater;
  };

  // Messages that come again.
  struct Resubmission {
    OwnedQueuePtr owned;
    std::vector<Message> messages;
    std::unique_ptr<Timer> timer;
  };

  Batch& NewBatch();
  void Recycle(Batch& batch);
  void Forget(ConsumePoolJob& job) override {
    Recycle(static_cast<Batch&>(job));
  }
  void InterruptAll() override;
  // Uses a worker for this batch, and then for those that wait.
  void Work(Batch* batch);
  void CallListener(Batch& batch);
  void OnDone(Batch& batch, const ListenerResult& result);
  // Sends back what failed, message by message, while the worker waits.
  Task<void> SendBackFailed(Batch& batch, size_t succeeded,
                            int32_t delay_level);
  // Those of the batch that are to leave the cache now.
  void EmitSettled(const Batch& batch, size_t succeeded);
  // What is in the batch is done with; so is its worker (processConsumeResult).
  void Finish(Batch& batch);
  void ResubmitLater(const OwnedQueuePtr& owned, std::vector<Message> messages);
  void Resubmit(const Resubmission* due);

  // cleanExpireMsg
  Task<void> CleanExpired();
  Task<void> CleanExpired(OwnedQueuePtr owned);
  // The batch of the message at `offset`, if the listener has it for too long.
  Batch* FindExpired(const OwnedQueue& owned, int64_t offset) const;
  // Whether the result counts for a message: it is still cached.
  static bool Counts(const Batch& batch, const Message& message);

  Env& env_;
  const Config config_;
  OwnedQueues& owned_;
  ConsumedOffsets& offsets_;
  SendBack& send_back_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<Batch*> free_batches_;
  std::vector<std::unique_ptr<Resubmission>> resubmissions_;
  std::unique_ptr<Resubmission> fired_;
  Lane cleaner_;  // cleanExpireMsgExecutors
  std::optional<FixedRateJob> clean_expired_;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CONCURRENT_CONSUMPTION_H_
