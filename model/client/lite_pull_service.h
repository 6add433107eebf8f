// Pulls the queues of a lite pull consumer into one cache.
#ifndef GROUPSIM_MODEL_CLIENT_LITE_PULL_SERVICE_H_
#define GROUPSIM_MODEL_CLIENT_LITE_PULL_SERVICE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/client_instance.h"
#include "model/client/lite_pull_settings.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/queue_tasks.h"
#include "model/client/settings.h"
#include "model/client/start_offsets.h"
#include "model/client/subscriptions.h"
#include "model/client/sync_pull.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// DefaultLitePullConsumerImpl.PullTaskImpl with AssignedMessageQueue, 5.3.3.
//
// Each queue has one task, which pulls as soon as it may: on one of a few
// threads, and that thread waits for the broker. With more queues than threads,
// a queue without messages keeps a thread for as long as its broker holds the
// pull, and others wait for their turn. What is found goes, pull by pull, to
// the end of one cache for all queues, from whose beginning it is taken.
//
// Three positions belong to a queue: from where it is pulled next, up to where
// messages were taken, and, for a moment, where the application wants it to go
// on.
class LitePullService {
 public:
  struct Config {
    Name group;
    LitePullSettings settings;
    LitePullProfile profile;
    // Next to nothing is left to pull a queue for which the broker has no time.
    Duration pull_delay_broker_flow_control;
  };

  // All references must outlive it. Of topics that are not among `wanted` it
  // wants all messages.
  LitePullService(Env& env, const Config& config, ClientInstance& instance,
                  const Subscriptions& wanted, OwnedQueues& owned,
                  OffsetStore& store, StartOffsets& start_offsets);
  ~LitePullService();
  LitePullService(const LitePullService&) = delete;
  LitePullService& operator=(const LitePullService&) = delete;

  // Pulls these queues of a topic, all in the table, and no others of it
  // (updateAssignedMessageQueue, updatePullTask).
  void SetQueues(Name topic, const std::vector<OwnedQueuePtr>& queues);

  // Messages of one queue, by one pull.
  struct Batch {
    OwnedQueuePtr owned;
    std::vector<Message> messages;
  };
  // Waits up to `limit` for a batch and takes it, so that what is before it
  // counts as consumed; nothing if none came (the latter part of poll). One
  // caller at a time.
  Task<std::optional<Batch>> Take(Duration limit);

  // Notes what was taken in the offset store, of all queues (commitAll).
  void CommitAll();

  // A paused queue is not pulled; what is cached of it can be taken. Queues
  // that it does not have are left alone.
  void Pause(const MessageQueue& queue) { SetPaused(queue, true); }
  void Resume(const MessageQueue& queue) { SetPaused(queue, false); }

  // Forgets what is cached of the queue and pulls it from there on; a pull
  // under way is interrupted. False if it does not have the queue.
  bool SeekTo(const MessageQueue& queue, int64_t offset);

  // No task begins any more, and pulls under way count no more.
  void Stop();

  // Messages in the cache, each batch counted as a full one.
  int64_t cached_messages() const {
    return static_cast<int64_t>(cache_.size()) *
           config_.settings.pull_batch_size;
  }

 private:
  static constexpr int64_t kNone = -1;

  // Of one queue, until it is lost.
  struct Assigned {
    OwnedQueuePtr owned;
    bool paused = false;
    int64_t pull_offset = kNone;
    int64_t consume_offset = kNone;
    int64_t seek_offset = kNone;
    QueueTasks::Number task = 0;  // Others count no more.
  };
  void Begin(Assigned& assigned);
  // Null if the task is not that of its queue any more.
  Assigned* AssignedOf(const MessageQueue& queue, QueueTasks::Number task);
  // How long until the next run; nothing if the task ends.
  Task<std::optional<Duration>> RunOnce(MessageQueue queue,
                                        QueueTasks::Number task);
  bool MustWait(const Assigned& assigned) const;
  Task<std::optional<int64_t>> NextOffset(MessageQueue queue);
  Task<CallResult> Pull(MessageQueue queue, int64_t offset);
  Duration OnAnswer(Assigned& assigned, int64_t offset, CallResult result);
  void SetPaused(const MessageQueue& queue, bool paused);

  Env& env_;
  const Config config_;
  const Subscriptions& wanted_;
  OwnedQueues& owned_;
  OffsetStore& store_;
  StartOffsets& start_offsets_;

  SyncPull pull_;

  absl::btree_map<MessageQueue, Assigned> assigned_;
  bool stopped_ = false;
  std::deque<Batch> cache_;
  Signal arrived_;
  QueueTasks tasks_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_LITE_PULL_SERVICE_H_
