#include "model/broker/request_executors.h"

#include <algorithm>
#include <utility>

#include "model/base/check.h"
#include "model/runtime/waiting.h"

namespace groupsim {

RequestExecutor::RequestExecutor(Env& env, const BrokerDisturbance* disturbance,
                                 RandomStream& service_times, Size size)
    : env_(env),
      disturbance_(disturbance),
      service_times_(service_times),
      size_(size),
      lane_(env, size.threads) {}

void RequestExecutor::Post(absl::AnyInvocable<void()> handle) {
  CHECK(!full());
  lane_.PostTask([this, handle = std::move(handle)]() mutable {
    return Run(std::move(handle));
  });
}

void RequestExecutor::PostTask(absl::AnyInvocable<Task<void>()> handle) {
  CHECK(!full());
  lane_.PostTask([this, handle = std::move(handle)]() mutable {
    return RunTask(std::move(handle));
  });
}

Task<void> RequestExecutor::Run(absl::AnyInvocable<void()> handle) {
  if (service_time() != nullptr) {
    const Duration needed = service_time()->Draw(service_times_);
    co_await Sleep(env_, needed);
  }
  if (!stopped_) handle();
}

Task<void> RequestExecutor::RunTask(absl::AnyInvocable<Task<void>()> handle) {
  if (service_time() != nullptr) {
    const Duration needed = service_time()->Draw(service_times_);
    co_await Sleep(env_, needed);
  }
  if (!stopped_) co_await handle();
}

RequestExecutors::RequestExecutors(Env& env,
                                   const BrokerDisturbance* disturbance)
    : service_times_(env.Random("service time")),
      send_(env, disturbance, *service_times_,
            {std::min(env.cpus(), 4), 10'000}),
      pull_(env, disturbance, *service_times_, {16 + 2 * env.cpus(), 100'000}),
      heartbeat_(env, disturbance, *service_times_,
                 {std::min(env.cpus(), 32), 50'000}),
      client_manage_(env, disturbance, *service_times_, {32, 1'000'000}),
      consumer_manage_(env, disturbance, *service_times_, {32, 1'000'000}),
      admin_(env, disturbance, *service_times_, {16, 10'000}) {}

RequestExecutor& RequestExecutors::For(RequestCode code) {
  switch (code) {
    case RequestCode::kSendMessageV2:
    case RequestCode::kConsumerSendMsgBack:
      return send_;
    case RequestCode::kPullMessage:
      return pull_;
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
       {&send_, &pull_, &heartbeat_, &client_manage_, &consumer_manage_,
        &admin_}) {
    executor->Stop();
  }
}

}  // namespace groupsim
