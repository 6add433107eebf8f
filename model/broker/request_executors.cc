#include "model/broker/request_executors.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "model/base/check.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"

namespace groupsim {

namespace {

// BrokerFastFailure.start.
constexpr Duration kFirstLook = Duration::Seconds(1);
constexpr Duration kLookPeriod = Duration::Millis(10);

std::optional<Duration> Patience(const BrokerSettings& settings,
                                 Duration limit) {
  if (!settings.broker_fast_failure_enable) return std::nullopt;
  return limit;
}

}  // namespace

RequestExecutor::RequestExecutor(Env& env, const BrokerDisturbance* disturbance,
                                 RandomStream& service_times, Size size)
    : env_(env),
      disturbance_(disturbance),
      service_times_(service_times),
      size_(size),
      started_(env.Now()),
      look_(env, [this] { Look(); }),
      lane_(env, size.threads) {}

void RequestExecutor::Post(Responder responder, Handle handle) {
  Enqueue({.since_millis = env_.WallMillis(),
           .responder = std::move(responder),
           .handle = std::move(handle)});
}

void RequestExecutor::PostTask(Responder responder, HandleTask handle) {
  Enqueue({.since_millis = env_.WallMillis(),
           .responder = std::move(responder),
           .handle = std::move(handle)});
}

void RequestExecutor::Enqueue(Waiting request) {
  CHECK(!full());
  waiting_.push_back(std::move(request));
  if (lane_.waiting() < waiting_.size()) {
    lane_.PostTask([this] { return HandleNext(); });
  }
  // Who gets a thread at once is never too old.
  if (static_cast<size_t>(at_work_) + waiting_.size() >
      static_cast<size_t>(size_.threads)) {
    ArmLook();
  }
}

Task<void> RequestExecutor::HandleNext() {
  // One that was refused leaves its job behind.
  if (waiting_.empty()) co_return;
  Waiting request = std::move(waiting_.front());
  waiting_.pop_front();
  ++at_work_;
  if (service_time() != nullptr) {
    const Duration needed = service_time()->Draw(service_times_);
    co_await Sleep(env_, needed);
  }
  if (!stopped_) {
    if (auto* handle = std::get_if<Handle>(&request.handle)) {
      (*handle)(std::move(request.responder));
    } else {
      auto& task = std::get<HandleTask>(request.handle);
      co_await task(std::move(request.responder));
    }
  }
  --at_work_;
}

// The next look at which the head is too old.
void RequestExecutor::ArmLook() {
  if (stopped_ || look_.armed() || waiting_.empty() || !size_.patience) return;
  const int64_t waited = env_.WallMillis() - waiting_.front().since_millis;
  const Instant first = started_ + kFirstLook;
  const Instant due = std::max(
      first, env_.Now() + std::max(Duration::Zero(),
                                   *size_.patience - Duration::Millis(waited)));
  const Duration late =
      Duration::Nanos((due - first).nanos() % kLookPeriod.nanos());
  look_.ArmAt(late == Duration::Zero() ? due : due - late + kLookPeriod);
}

// BrokerFastFailure.cleanExpiredRequestInQueue.
void RequestExecutor::Look() {
  const int64_t now = env_.WallMillis();
  while (!waiting_.empty() &&
         now - waiting_.front().since_millis >= size_.patience->millis()) {
    waiting_.front().responder.Answer(
        Reply(ResponseCode::kSystemBusy, "no thread in time"));
    waiting_.pop_front();
  }
  ArmLook();
}

RequestExecutors::RequestExecutors(Env& env,
                                   const BrokerDisturbance* disturbance,
                                   const BrokerSettings& settings)
    : service_times_(env.Random("service time")),
      send_(env, disturbance, *service_times_,
            {std::min(env.cpus(), 4), 10'000,
             Patience(settings, settings.wait_time_mills_in_send_queue)}),
      pull_(env, disturbance, *service_times_,
            {16 + 2 * env.cpus(), 100'000,
             Patience(settings, settings.wait_time_mills_in_pull_queue)}),
      lite_pull_(
          env, disturbance, *service_times_,
          {16 + 2 * env.cpus(), 100'000,
           Patience(settings, settings.wait_time_mills_in_lite_pull_queue)}),
      heartbeat_(
          env, disturbance, *service_times_,
          {std::min(env.cpus(), 32), 50'000,
           Patience(settings, settings.wait_time_mills_in_heartbeat_queue)}),
      client_manage_(env, disturbance, *service_times_, {32, 1'000'000}),
      consumer_manage_(env, disturbance, *service_times_, {32, 1'000'000}),
      admin_(env, disturbance, *service_times_,
             {16, 10'000,
              Patience(settings,
                       settings.wait_time_mills_in_admin_broker_queue)}) {}

RequestExecutor& RequestExecutors::For(RequestCode code) {
  switch (code) {
    case RequestCode::kSendMessageV2:
    case RequestCode::kConsumerSendMsgBack:
      return send_;
    case RequestCode::kPullMessage:
      return pull_;
    case RequestCode::kLitePullMessage:
      return lite_pull_;
    case RequestCode::kHeartBeat:
      return heartbeat_;
    case RequestCode::kUnregisterClient:
      return client_manage_;
    case RequestCode::kGetConsumerListByGroup:
    case RequestCode::kUpdateConsumerOffset:
    case RequestCode::kQueryConsumerOffset:
      return consumer_manage_;
    default:
      return admin_;
  }
}

void RequestExecutors::Stop() {
  for (RequestExecutor* executor :
       {&send_, &pull_, &lite_pull_, &heartbeat_, &client_manage_,
        &consumer_manage_, &admin_}) {
    executor->Stop();
  }
}

}  // namespace groupsim
