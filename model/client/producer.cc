#include "model/client/producer.h"

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/client_id.h"
#include "model/client/publish_info.h"
#include "model/client/send_rules.h"
#include "model/client/settings.h"
#include "model/client/topic_routes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {
namespace {

ProducerConfig Completed(Env& env, ProducerConfig config) {
  CHECK(Validate(config.settings).ok()) << Validate(config.settings).message();
  CHECK(Validate(config.client).ok()) << Validate(config.client).message();
  if (config.client_id.empty()) {
    config.client_id = GenerateClientId(env, config.origin);
  }
  return config;
}

}  // namespace

// `co_await Park(producer, thread)`: until a message is given to the thread.
class Producer::Park {
 public:
  Park(Producer& producer, SyncThread& thread)
      : producer_(producer), thread_(thread) {}
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> waiter) {
    thread_.resumption.set_handle(waiter);
    producer_.parked_.push_back(&thread_);
  }
  void await_resume() {}

 private:
  Producer& producer_;
  SyncThread& thread_;
};

Producer::Producer(Env& env, ProducerConfig config)
    : env_(env),
      config_(Completed(env, std::move(config))),
      instance_(env, {config_.client_id, config_.name_servers, config_.client,
                      config_.profile}),
      random_(env.Random("publish-index")),
      fault_strategy_({}),
      async_executor_(env, env.cpus()),
      scope_(env.ready()) {
  instance_.ServeProducer(*this, config_.producer_group);
}

Producer::~Producer() = default;

// DefaultMQProducerImpl.start. The heartbeat that upstream sends here reaches
// nobody: no broker is known before the first route.
void Producer::Start() {
  instance_.Start();
  running_ = true;
  env_.lifecycle().OnReady();
}

void Producer::Shutdown() { scope_.Spawn(ShutDown()); }

// DefaultMQProducerImpl.shutdown. Sends under way are not waited for.
Task<void> Producer::ShutDown() {
  co_await instance_.Unregister();
  running_ = false;
  co_await instance_.Shutdown();
  env_.lifecycle().OnStopped();
}

// ---- For the instance ----

std::vector<Name> Producer::RouteTopics() const {
  std::vector<Name> topics;
  for (const auto& [topic, info] : publish_info_) topics.push_back(topic);
  std::sort(topics.begin(), topics.end());
  return topics;
}

bool Producer::NeedsRoute(Name topic) const {
  const auto it = publish_info_.find(topic);
  return it == publish_info_.end() || !it->second.ok();
}

void Producer::OnRoute(Name topic, const TopicRoute& route) {
  const auto start = static_cast<uint32_t>(random_->Next());
  publish_info_.insert_or_assign(
      topic, PublishInfo(WritableQueues(topic, route), start));
}

// ---- Both ways of sending ----

void Producer::Send(const OutgoingMessage& message) {
  if (!running_) {
    EmitFailed(NewSending(message));
  } else if (in_flight_ < config_.settings.max_in_flight) {
    ++in_flight_;
    Begin(message);
  } else {
    waiting_.push_back(message);
  }
}

Producer::Sending Producer::NewSending(const OutgoingMessage& message) {
  Sending sending;
  sending.message = message;
  sending.begin_millis = env_.WallMillis();
  if (config_.queues.empty()) return sending;
  sending.fixed = true;
  sending.queue = config_.queues[next_fixed_++ % config_.queues.size()];
  sending.message.topic = sending.queue.topic;
  return sending;
}

bool Producer::ChooseQueue(Sending& sending) {
  if (sending.fixed) return true;
  const auto it = publish_info_.find(sending.message.topic);
  if (it == publish_info_.end() || !it->second.ok()) return false;
  sending.queue = fault_strategy_.Select(it->second, sending.queue.broker,
                                         env_.WallMillis());
  return true;
}

Duration Producer::TimeLeft(const Sending& sending) const {
  return config_.settings.send_msg_timeout -
         Duration::Millis(env_.WallMillis() - sending.begin_millis);
}

SendMessageRequest Producer::Compose(const Sending& sending) const {
  SendMessageRequest request;
  request.producer_group = config_.producer_group;
  request.topic = sending.queue.topic;
  request.queue_id = sending.queue.queue_id;
  request.born = env_.Now();
  request.key = sending.message.key;
  request.tag = sending.message.tag;
  request.body_size = sending.message.body_size;
  return request;
}

void Producer::EmitSent(const Sending& sending, const SendMessageReply& reply) {
  Fact fact = QueueFact(FactKind::SENT, Name(), sending.queue);
  fact.queue = static_cast<uint16_t>(reply.queue_id);
  fact.offset = reply.queue_offset;
  fact.count = sending.attempts;
  fact.value = sending.message.scheduled.nanos();
  env_.Emit(fact);
}

void Producer::EmitFailed(const Sending& sending) {
  Fact fact;
  fact.kind = FactKind::SEND_FAILED;
  fact.topic = sending.message.topic.id();
  fact.count = sending.attempts;
  fact.value = sending.message.scheduled.nanos();
  env_.Emit(fact);
}

void Producer::Begin(const OutgoingMessage& message) {
  if (config_.mode == SendMode::kAsync) {
    if (free_asyncs_.empty()) {
      asyncs_.push_back(std::make_unique<Sending>());
      free_asyncs_.push_back(asyncs_.back().get());
    }
    Sending& sending = *free_asyncs_.back();
    free_asyncs_.pop_back();
    sending = NewSending(message);
    BeginAsync(sending);
    return;
  }
  if (!parked_.empty()) {
    SyncThread& thread = *parked_.back();
    parked_.pop_back();
    thread.sending = NewSending(message);
    env_.ready().Post(thread.resumption);
    return;
  }
  threads_.push_back(std::make_unique<SyncThread>());
  threads_.back()->sending = NewSending(message);
  scope_.Spawn(RunThread(*threads_.back()));
}

// ---- Synchronously (DefaultMQProducerImpl.sendDefaultImpl) ----

Task<Name> Producer::FindBroker(MessageQueue queue) {
  publish_info_.try_emplace(queue.topic);
  co_await instance_.routes().Refresh(queue.topic);
  co_return instance_.brokers().FindMaster(queue.broker);
}

Task<void> Producer::RunThread(SyncThread& thread) {
  Sending& sending = thread.sending;
  while (true) {
    bool sent = false;
    if (!sending.fixed && !HasPublishInfo(sending.message.topic)) {
      // Noted from now on, so that the periodic refresh asks for it too.
      publish_info_.try_emplace(sending.message.topic);
      co_await instance_.routes().Refresh(sending.message.topic);
    }
    const int32_t limit =
        sending.fixed ? 1 : 1 + config_.settings.retry_times_when_send_failed;
    while (running_ && sending.attempts < limit && ChooseQueue(sending)) {
      if (TimeLeft(sending) <= Duration::Zero()) break;
      ++sending.attempts;
      Name address = instance_.brokers().FindMaster(sending.queue.broker);
      if (address.empty()) address = co_await FindBroker(sending.queue);
      if (address.empty()) continue;
      const SendMessageRequest request = Compose(sending);
      const Duration left = TimeLeft(sending);
      if (left <= Duration::Zero()) break;  // Looking for the broker took it.
      const CallResult result =
          co_await instance_.remoting().Call(address, request, left);
      const auto* reply = std::get_if<SendMessageReply>(&result.reply.body);
      if (result.ok() && reply != nullptr) {
        EmitSent(sending, *reply);
        sent = true;
        break;
      }
      if (result.replied() && !IsRetriedOnAnotherBroker(result.reply.code)) {
        break;
      }
    }
    if (!sent) EmitFailed(sending);
    if (waiting_.empty()) {
      --in_flight_;
      co_await Park(*this, thread);
    } else {
      sending = NewSending(waiting_.front());
      waiting_.pop_front();
    }
  }
}

// ---- Asynchronously (MQClientAPIImpl.sendMessageAsync) ----

void Producer::BeginAsync(Sending& sending) {
  const bool ready =
      sending.fixed
          ? !instance_.brokers().FindMaster(sending.queue.broker).empty()
          : HasPublishInfo(sending.message.topic);
  if (ready) {
    AttemptAsync(sending);
    return;
  }
  async_executor_.PostTask(
      [this, &sending] { return BeginAsyncAfterRoute(sending); });
}

Task<void> Producer::BeginAsyncAfterRoute(Sending& sending) {
  publish_info_.try_emplace(sending.message.topic);
  co_await instance_.routes().Refresh(sending.message.topic);
  AttemptAsync(sending);
}

void Producer::AttemptAsync(Sending& sending) {
  const Duration left = TimeLeft(sending);
  if (left <= Duration::Zero() || !ChooseQueue(sending)) {
    EmitFailed(sending);
    EndAsync(sending);
    return;
  }
  ++sending.attempts;
  const Name address = instance_.brokers().FindMaster(sending.queue.broker);
  if (address.empty()) {
    EmitFailed(sending);
    EndAsync(sending);
    return;
  }
  instance_.remoting().CallAsync(address, Compose(sending), left,
                                 [this, &sending](CallResult result) {
                                   OnAsyncEnd(sending, std::move(result));
                                 });
}

void Producer::OnAsyncEnd(Sending& sending, CallResult result) {
  const auto* reply = std::get_if<SendMessageReply>(&result.reply.body);
  if (result.ok() && reply != nullptr) {
    EmitSent(sending, *reply);
    EndAsync(sending);
    return;
  }
  const bool retry =
      IsAsyncRetried(result) && TimeLeft(sending) > Duration::Zero() &&
      running_ &&
      sending.attempts <= config_.settings.retry_times_when_send_async_failed;
  if (retry) {
    AttemptAsync(sending);
    return;
  }
  EmitFailed(sending);
  EndAsync(sending);
}

void Producer::EndAsync(Sending& sending) {
  if (waiting_.empty()) {
    --in_flight_;
    free_asyncs_.push_back(&sending);
    return;
  }
  sending = NewSending(waiting_.front());
  waiting_.pop_front();
  // Not from here: it may fail at once, and so may all that wait.
  async_executor_.Post([this, &sending] { BeginAsync(sending); });
}

}  // namespace groupsim
