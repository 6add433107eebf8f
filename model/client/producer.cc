#include "model/client/producer.h"

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/client_id.h"
#include "model/client/fault_detector.h"
#include "model/client/fault_strategy.h"
#include "model/client/publish_info.h"
#include "model/client/send_rules.h"
#include "model/client/settings.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/codes.h"
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

FaultStrategy::Config FaultConfigOf(const ProducerSettings& settings,
                                    const ClientProfile& profile) {
  FaultStrategy::Config config;
  config.send_latency_enable = settings.send_latency_enable;
  config.start_detector_enable = settings.start_detector_enable;
  config.latency_max = settings.latency_max;
  config.not_available_duration = settings.not_available_duration;
  config.failed_send_latency = profile.failed_send_latency;
  return config;
}

// The place of a key among so many queues, as SelectMessageQueueByHash finds it
// for a number as the argument.
size_t PlaceOf(uint64_t key, size_t queues) {
  const auto hash = static_cast<int32_t>(
      static_cast<uint32_t>(key ^ (key >> 32)));  // Long.hashCode
  const int64_t rest = hash % static_cast<int64_t>(queues);
  return static_cast<size_t>(rest < 0 ? -rest : rest);
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
      topics_(instance_.routes(), env.Random("publish-index"),
              config_.settings.default_topic_queue_nums),
      fault_strategy_(FaultConfigOf(config_.settings, config_.profile)),
      async_executor_(env, env.cpus()),
      scope_(env.ready()) {
  instance_.ServeProducer(*this, config_.producer_group);
  if (config_.delay_level == 0) return;
  SendProperties properties;
  properties.delay_level = config_.delay_level;
  properties_ = std::make_shared<const SendProperties>(properties);
}

Producer::~Producer() = default;

// DefaultMQProducerImpl.start. The heartbeat that upstream sends here reaches
// nobody: no broker is known before the first route.
void Producer::Start() {
  instance_.Start();
  if (config_.settings.start_detector_enable) {
    detector_.emplace(env_,
                      FaultDetector::Config{config_.settings.detect_interval,
                                            config_.settings.detect_timeout,
                                            config_.profile.detector_round},
                      instance_.remoting(), instance_.brokers(), topics_,
                      fault_strategy_.tolerance());
    detector_->Start();
  }
  running_ = true;
  env_.lifecycle().OnReady();
}

void Producer::Shutdown() { scope_.Spawn(ShutDown()); }

// DefaultMQProducerImpl.shutdown. Sends under way are not waited for.
Task<void> Producer::ShutDown() {
  co_await instance_.Unregister();
  running_ = false;
  if (detector_.has_value()) detector_->Stop();
  co_await instance_.Shutdown();
  env_.lifecycle().OnStopped();
}

// ---- For the instance ----

std::vector<Name> Producer::RouteTopics() const { return topics_.Topics(); }

bool Producer::NeedsRoute(Name topic) const { return !topics_.Has(topic); }

void Producer::OnRoute(Name topic, const TopicRoute& route) {
  topics_.OnRoute(topic, route);
}

// ---- All ways of sending ----

void Producer::Send(const OutgoingMessage& message) {
  if (!running_) {
    EmitEnd(NewSending(message));
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
  if (IsIllegal(sending)) {
    sending.failure = static_cast<int64_t>(ResponseCode::kMessageIllegal);
  }
  if (!config_.queues.empty()) {
    sending.queue = config_.queues[next_fixed_++ % config_.queues.size()];
  } else if (!message.queue.topic.empty()) {
    sending.queue = message.queue;
  } else {
    sending.fixed = message.selector != QueueSelector::kNone;
    return sending;
  }
  sending.fixed = true;
  sending.message.topic = sending.queue.topic;
  return sending;
}

bool Producer::IsIllegal(const Sending& sending) const {
  return sending.message.body_size > config_.settings.max_message_size;
}

bool Producer::NeedsLookUp(const Sending& sending) const {
  return sending.queue.topic.empty() && NeedsRoute(sending.message.topic);
}

int32_t Producer::SyncAttempts(const Sending& sending) const {
  if (IsIllegal(sending)) return 0;
  if (sending.fixed || config_.mode == SendMode::kOneway) return 1;
  return 1 + config_.settings.retry_times_when_send_failed;
}

bool Producer::ChooseQueue(Sending& sending) {
  if (sending.fixed) return SelectQueue(sending);
  PublishInfo* info = topics_.Find(sending.message.topic);
  if (info == nullptr) return false;
  if (sending.attempts > 0 && fault_strategy_.on() &&
      config_.mode != SendMode::kAsync) {
    info->ResetIndex(topics_.DrawIndex());
  }
  const MessageQueue& queue =
      fault_strategy_.Select(*info, sending.queue.broker, env_.WallMillis());
  if (sending.attempts > 0 && config_.mode == SendMode::kAsync) {
    // The request goes out once more as it is, to another broker.
    sending.queue.broker = queue.broker;
  } else {
    sending.queue = queue;
  }
  return true;
}

bool Producer::SelectQueue(Sending& sending) {
  if (!sending.queue.topic.empty()) return true;
  const PublishInfo* info = topics_.Find(sending.message.topic);
  if (info == nullptr) return false;
  const size_t count = info->queues().size();
  size_t place = 0;
  if (sending.message.selector == QueueSelector::kByHash) {
    place = PlaceOf(sending.message.key, count);
  } else {
    if (selector_random_ == nullptr) {
      selector_random_ = env_.Random("queue-selector");
    }
    place = selector_random_->Below(count);
  }
  sending.queue = info->queues()[place];
  return true;
}

Duration Producer::TimeLeft(const Sending& sending) const {
  return config_.settings.send_msg_timeout -
         Duration::Millis(env_.WallMillis() - sending.begin_millis);
}

Duration Producer::AttemptTime(const Sending& sending) const {
  const Duration limit = config_.settings.send_msg_max_timeout_per_request;
  const Duration left = TimeLeft(sending);
  return limit > Duration::Zero() ? std::min(left, limit) : left;
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
  request.default_topic_queue_nums = config_.settings.default_topic_queue_nums;
  request.properties = properties_;
  return request;
}

void Producer::BeginAttempt(Sending& sending) {
  ++sending.attempts;
  sending.attempt_millis = env_.WallMillis();
}

void Producer::Note(const Sending& sending, FaultStrategy::Outcome outcome) {
  if (!fault_strategy_.on()) return;
  const int64_t now = env_.WallMillis();
  const int64_t took = now - sending.attempt_millis;
  const int64_t isolated =
      fault_strategy_.Note(sending.queue.broker, took, outcome, now);
  if (isolated == 0) return;
  Fact fact;
  fact.kind = FactKind::BROKER_ISOLATED;
  fact.topic = sending.message.topic.id();
  fact.broker = NarrowId(sending.queue.broker);
  fact.count = Duration::Millis(took).nanos();
  fact.value = Duration::Millis(isolated).nanos();
  env_.Emit(fact);
}

void Producer::EmitSent(const Sending& sending, const MessageQueue& queue,
                        const SendMessageReply& reply) {
  Fact fact = QueueFact(FactKind::SENT, Name(), queue);
  fact.queue = static_cast<uint16_t>(reply.queue_id);
  // Of one that waits, the answer tells the place among those that do.
  fact.offset = properties_ == nullptr ? reply.queue_offset : -1;
  fact.count = sending.attempts;
  fact.value = sending.message.scheduled.nanos();
  env_.Emit(fact);
}

void Producer::EmitOneway(const Sending& sending) {
  Fact fact = QueueFact(FactKind::SENT_ONEWAY, Name(), sending.queue);
  fact.value = sending.message.scheduled.nanos();
  env_.Emit(fact);
}

void Producer::EmitEnd(const Sending& sending) {
  if (sending.kept) {
    EmitSent(sending, sending.kept_queue, sending.kept_reply);
    return;
  }
  Fact fact;
  fact.kind = FactKind::SEND_FAILED;
  fact.topic = sending.message.topic.id();
  fact.count = sending.attempts;
  fact.value = sending.message.scheduled.nanos();
  fact.offset = sending.failure;
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

// ---- Synchronously, or one way (DefaultMQProducerImpl.sendDefaultImpl) ----

Name Producer::FindMaster(const Sending& sending) {
  return instance_.brokers().FindMaster(sending.queue.broker);
}

bool Producer::EndAttempt(Sending& sending, const CallResult& result) {
  sending.failure = FailureNumber(result);
  if (!sending.fixed) Note(sending, SyncOutcome(result));
  switch (JudgeAttempt(
      result, config_.settings.retry_another_broker_when_not_store_ok)) {
    case AttemptEnd::kSent:
      EmitSent(sending, sending.queue,
               std::get<SendMessageReply>(result.reply.body));
      return true;
    case AttemptEnd::kKeptToRetry:
      sending.kept = true;
      sending.kept_queue = sending.queue;
      sending.kept_reply = std::get<SendMessageReply>(result.reply.body);
      break;
    case AttemptEnd::kRetry:
      break;
    case AttemptEnd::kFailed:
      EmitEnd(sending);
      return true;
  }
  return false;
}

Task<void> Producer::RunThread(SyncThread& thread) {
  Sending& sending = thread.sending;
  while (true) {
    bool over = false;
    const int32_t limit = SyncAttempts(sending);
    bool answered = true;
    if (limit > 0 && NeedsLookUp(sending)) {
      answered = co_await topics_.LookUp(sending.message.topic);
    }
    while (answered && running_ && sending.attempts < limit &&
           ChooseQueue(sending)) {
      if (TimeLeft(sending) <= Duration::Zero()) break;
      BeginAttempt(sending);
      Name address = FindMaster(sending);
      if (address.empty() && NeedsRoute(sending.queue.topic)) {
        answered = co_await topics_.LookUp(sending.queue.topic);
        if (!answered) break;
        address = FindMaster(sending);
      }
      if (address.empty()) {
        if (!sending.fixed) Note(sending, FaultStrategy::Outcome::kAnswered);
        continue;
      }
      const SendMessageRequest request = Compose(sending);
      const Duration left = AttemptTime(sending);
      if (left <= Duration::Zero()) break;  // Looking for the broker took it.
      if (config_.mode == SendMode::kOneway) {
        instance_.remoting().SendOneway(address, request);
        if (!sending.fixed) Note(sending, FaultStrategy::Outcome::kAnswered);
        EmitOneway(sending);
        over = true;
        break;
      }
      const CallResult result =
          co_await instance_.remoting().Call(address, request, left);
      over = EndAttempt(sending, result);
      if (over) break;
    }
    if (!over) EmitEnd(sending);
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
  // Where the queue is given, the address of its broker will do.
  const bool ready =
      IsIllegal(sending) || !NeedsRoute(sending.message.topic) ||
      (!sending.queue.topic.empty() && !FindMaster(sending).empty());
  if (ready) {
    AttemptAsync(sending);
    return;
  }
  async_executor_.PostTask(
      [this, &sending] { return BeginAsyncAfterRoute(sending); });
}

Task<void> Producer::BeginAsyncAfterRoute(Sending& sending) {
  const bool answered = co_await topics_.LookUp(sending.message.topic);
  if (answered) {
    AttemptAsync(sending);
  } else {
    EmitEnd(sending);
    EndAsync(sending);
  }
}

void Producer::AttemptAsync(Sending& sending) {
  const Duration left = TimeLeft(sending);
  if (IsIllegal(sending) || left <= Duration::Zero() || !ChooseQueue(sending)) {
    EmitEnd(sending);
    EndAsync(sending);
    return;
  }
  BeginAttempt(sending);
  const Name address = FindMaster(sending);
  // Handing it over counts as a success of the first attempt.
  if (!sending.fixed && sending.attempts == 1) {
    Note(sending, FaultStrategy::Outcome::kAnswered);
  }
  if (address.empty()) {
    EmitEnd(sending);
    EndAsync(sending);
    return;
  }
  instance_.remoting().CallAsync(address, Compose(sending), left,
                                 [this, &sending](CallResult result) {
                                   OnAsyncEnd(sending, std::move(result));
                                 });
}

void Producer::OnAsyncEnd(Sending& sending, CallResult result) {
  sending.failure = FailureNumber(result);
  if (IsStored(result)) {
    EmitSent(sending, sending.queue,
             std::get<SendMessageReply>(result.reply.body));
    Note(sending, FaultStrategy::Outcome::kAnswered);
    EndAsync(sending);
    return;
  }
  Note(sending, FaultStrategy::Outcome::kAsyncFailure);
  const bool retry =
      IsAsyncRetried(result) && TimeLeft(sending) > Duration::Zero() &&
      running_ &&
      sending.attempts <= config_.settings.retry_times_when_send_async_failed;
  if (retry) {
    AttemptAsync(sending);
    return;
  }
  EmitEnd(sending);
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
