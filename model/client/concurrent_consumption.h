// Hands messages to a concurrent listener and deals with its answers.
#ifndef GROUPSIM_MODEL_CLIENT_CONCURRENT_CONSUMPTION_H_
#define GROUPSIM_MODEL_CLIENT_CONCURRENT_CONSUMPTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/consume_pool.h"
#include "model/client/consumed_offsets.h"
#include "model/client/owned_queues.h"
#include "model/runtime/env.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/runtime/waiting.h"
#include "model/wire/message.h"

namespace groupsim {

// ConsumeMessageConcurrentlyService, 5.3.3. Messages of one queue are consumed
// in parallel and finish in any order; the offset of a queue is that of its
// lowest unfinished message.
//
// A message that the listener wants later (RECONSUME_LATER) comes again here
// after resubmit_delay and meanwhile holds the offset back. That is what
// upstream does where sending the message back to the broker fails.
class ConcurrentConsumption {
 public:
  struct Config {
    Name group;
    int workers = 20;    // consume_thread_min
    int batch_size = 1;  // consume_message_batch_max_size
    Duration resubmit_delay;
  };

  // All references must outlive it.
  ConcurrentConsumption(Env& env, Config config, OwnedQueues& owned,
                        ConsumedOffsets& offsets);
  // Listener calls under way are abandoned.
  ~ConcurrentConsumption();
  ConcurrentConsumption(const ConcurrentConsumption&) = delete;
  ConcurrentConsumption& operator=(const ConcurrentConsumption&) = delete;

  // Queues messages of one queue for the listener, in batches; they are in the
  // queue's cache already. False after a shutdown: nothing was queued
  // (submitConsumeRequest).
  bool Submit(const OwnedQueuePtr& owned, absl::Span<const Message> messages);

  // Takes nothing any more. Waits up to `limit` for what was submitted; then
  // forgets what has not begun, and waits up to `limit` again for what has.
  // Listeners do not care for being interrupted: they go on, and their results
  // count as long as their queues are not dropped (ThreadUtils
  // .shutdownGracefully).
  Task<void> Shutdown(Duration limit);

  // Listener calls under way, and batches that wait for a worker.
  int running() const { return pool_.busy(); }
  int64_t waiting() const { return pool_.waiting(); }

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
    ListenerRunId run = 0;  // While the listener has it.
  };

  // Messages that come again.
  struct Resubmission {
    OwnedQueuePtr owned;
    std::vector<Message> messages;
    std::unique_ptr<Timer> timer;
  };

  Batch& NewBatch();
  void Recycle(Batch& batch);
  // Uses a worker for this batch, and then for those that wait.
  void Work(Batch* batch);
  void CallListener(Batch& batch);
  void OnDone(Batch& batch, const ListenerResult& result);
  // processConsumeResult
  void HandleResult(Batch& batch, size_t succeeded);
  void ResubmitLater(const OwnedQueuePtr& owned, std::vector<Message> messages);
  void Resubmit(const Resubmission* due);

  Env& env_;
  const Config config_;
  const uint16_t group_id_;
  OwnedQueues& owned_;
  ConsumedOffsets& offsets_;
  ConsumePool pool_;
  bool accepting_ = true;
  Signal idle_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<Batch*> free_batches_;
  std::vector<std::unique_ptr<Resubmission>> resubmissions_;
  std::unique_ptr<Resubmission> fired_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CONCURRENT_CONSUMPTION_H_
