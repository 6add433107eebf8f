// A producer, as a process.
#ifndef GROUPSIM_MODEL_CLIENT_PRODUCER_H_
#define GROUPSIM_MODEL_CLIENT_PRODUCER_H_

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/client_id.h"
#include "model/client/client_instance.h"
#include "model/client/client_member.h"
#include "model/client/fault_detector.h"
#include "model/client/fault_strategy.h"
#include "model/client/publish_table.h"
#include "model/client/settings.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/process.h"
#include "model/runtime/random.h"
#include "model/runtime/ready_queue.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {

struct ProducerConfig {
  Name producer_group;
  Name client_id;  // Empty to generate one at each start.
  ClientOrigin origin;
  std::vector<Name> name_servers;  // Addresses, at least one.
  SendMode mode = SendMode::kSync;
  // Message i goes to queue i modulo their number, in one attempt if the send
  // is synchronous; where there are none, messages go round the queues of the
  // topic's route.
  std::vector<MessageQueue> queues;
  // How long messages wait at the broker before anybody gets them, as one of
  // its levels (Message.setDelayTimeLevel); 0 for not at all.
  int32_t delay_level = 0;
  ProducerSettings settings;
  ClientSettings client;
  ClientProfile profile = kClientRocketMq53;
};

// How the application chooses a queue, if it does (MessageQueueSelector).
enum class QueueSelector : int8_t {
  kNone,    // It does not.
  kByHash,  // That of the message's key (SelectMessageQueueByHash).
  kRandom,  // Any (SelectMessageQueueByRandom).
};

// What an application wants sent.
struct OutgoingMessage {
  Name topic;
  uint64_t key = 0;
  Name tag;               // Empty for none.
  int32_t body_size = 0;  // Bytes.
  Instant scheduled;      // When the application made it.
  QueueSelector selector = QueueSelector::kNone;
  // The queue, if the application names one: its topic is empty for none.
  MessageQueue queue;
};

// DefaultMQProducer (5.3.3) and the threads of the application that use it.
// Messages are sent independently of each other: as many at once as
// max_in_flight allows, the others wait for one to end, in their order. The end
// of each is a fact, SENT, SENT_ONEWAY or SEND_FAILED. The settings must be
// valid (Validate).
//
// A topic that no name server knows gets the route of the template topic
// TBW102; so the broker that the message is sent to may make the topic.
class Producer final : public Process, private ClientMember {
 public:
  // `env` must outlive it.
  Producer(Env& env, ProducerConfig config);
  ~Producer() override;

  void Start() override;
  void Shutdown() override;

  // Sends a message, if the producer runs; else it has failed. With a fixed
  // list of queues the topic is the queue's.
  void Send(const OutgoingMessage& message);

  Name client_id() const { return instance_.config().client_id; }
  // Messages being sent, and those that wait until one of them is done.
  int in_flight() const { return in_flight_; }
  size_t waiting() const { return waiting_.size(); }

 private:
  // One send on its way.
  struct Sending {
    OutgoingMessage message;
    MessageQueue queue;          // Of the last attempt.
    bool fixed = false;          // The queue was not chosen here.
    int32_t attempts = 0;        // Begun.
    int64_t begin_millis = 0;    // Of the send, by the wall clock.
    int64_t attempt_millis = 0;  // Of the last attempt.
    int64_t failure = 0;         // FailureNumber of the last attempt.
    // An earlier attempt was stored, though not as it should be.
    bool kept = false;
    MessageQueue kept_queue;
    SendMessageReply kept_reply;
  };

  // A thread of the application that sends synchronously, one message after the
  // other; it parks while there is none.
  struct SyncThread {
    Sending sending;
    ReadyResumption resumption;
  };
  class Park;

  std::vector<Name> RouteTopics() const override;
  bool NeedsRoute(Name topic) const override;
  void OnRoute(Name topic, const TopicRoute& route) override;

  void Begin(const OutgoingMessage& message);
  Sending NewSending(const OutgoingMessage& message);
  // Whether the client refuses it without sending (Validators.checkMessage).
  bool IsIllegal(const Sending& sending) const;
  // Whether a route is needed before a queue can be chosen.
  bool NeedsLookUp(const Sending& sending) const;
  int32_t SyncAttempts(const Sending& sending) const;
  // Chooses the queue of the next attempt; false if there is none to choose.
  bool ChooseQueue(Sending& sending);
  bool SelectQueue(Sending& sending);
  // What is left of the time for a send; negative if it is over.
  Duration TimeLeft(const Sending& sending) const;
  // What a synchronous attempt may take of it.
  Duration AttemptTime(const Sending& sending) const;
  SendMessageRequest Compose(const Sending& sending) const;
  void BeginAttempt(Sending& sending);
  // Tells the latency-fault strategy how an attempt ended.
  void Note(const Sending& sending, FaultStrategy::Outcome outcome);
  // Takes in how a synchronous attempt ended; true if the send is over.
  bool EndAttempt(Sending& sending, const CallResult& result);
  void EmitSent(const Sending& sending, const MessageQueue& queue,
                const SendMessageReply& reply);
  void EmitOneway(const Sending& sending);
  // The send is over without an acknowledgement that counts.
  void EmitEnd(const Sending& sending);

  Task<void> RunThread(SyncThread& thread);
  // The master of the queue's broker; empty if it is unknown.
  Name FindMaster(const Sending& sending);

  void BeginAsync(Sending& sending);
  Task<void> BeginAsyncAfterRoute(Sending& sending);
  void AttemptAsync(Sending& sending);
  void OnAsyncEnd(Sending& sending, CallResult result);
  void EndAsync(Sending& sending);

  Task<void> ShutDown();

  Env& env_;
  const ProducerConfig config_;
  ClientInstance instance_;
  PublishTable topics_;
  FaultStrategy fault_strategy_;
  std::optional<FaultDetector> detector_;
  // Of every message; null for none.
  std::shared_ptr<const SendProperties> properties_;
  std::unique_ptr<RandomStream> selector_random_;  // Made when it is needed.
  uint64_t next_fixed_ = 0;
  bool running_ = false;
  int in_flight_ = 0;
  std::deque<OutgoingMessage> waiting_;

  std::vector<std::unique_ptr<SyncThread>> threads_;
  std::vector<SyncThread*> parked_;
  std::vector<std::unique_ptr<Sending>> asyncs_;
  std::vector<Sending*> free_asyncs_;
  Lane async_executor_;  // Where asynchronous sends wait for a route.
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PRODUCER_H_
