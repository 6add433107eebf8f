#include "model/client/sync_pull.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/subscriptions.h"
#include "model/facts/fact.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"
#include "model/wire/subscription.h"

namespace groupsim {

Task<CallResult> SyncPull::Pull(PullMessageRequest request, RequestCode code,
                                Duration timeout,
                                const SubscriptionData* wanted) {
  const MessageQueue queue = request.queue;
  BrokerAddresses::Found address =
      instance_.brokers().FindAny(queue.broker, kMasterId);
  if (address.empty()) {
    co_await instance_.routes().Refresh(queue.topic);
    address = instance_.brokers().FindAny(queue.broker, kMasterId);
  }
  CallResult result;
  if (address.empty()) {
    result.error = CallError::kConnectFailed;
    co_return result;
  }
  request.group = group_;
  request.sys_flag |= kPullFlagSubscription;
  const bool sifts = wanted != nullptr && !wanted->tags.empty();
  if (sifts) request.subscription = env_.names().Intern(wanted->expression);
  Emit(FactKind::PULL_SENT, queue, request.queue_offset, 0, 0);
  Request asked(request);
  asked.code = code;
  result = co_await instance_.remoting().Call(address.address, std::move(asked),
                                              timeout);
  if (sifts && result.ok()) {
    if (auto* reply = std::get_if<PullMessageReply>(&result.reply.body)) {
      MessageBatch& messages = reply->messages;
      messages.erase(std::remove_if(messages.begin(), messages.end(),
                                    [wanted](const Message& message) {
                                      return !Wants(*wanted, message);
                                    }),
                     messages.end());
    }
  }
  co_return result;
}

void SyncPull::Emit(FactKind kind, const MessageQueue& queue, int64_t offset,
                    int64_t count, int64_t value) const {
  Fact fact = QueueFact(kind, group_, queue);
  fact.offset = offset;
  fact.count = count;
  fact.value = value;
  env_.Emit(fact);
}

int64_t SyncPull::EmitFailure(const MessageQueue& queue, int64_t offset,
                              const CallResult& result) const {
  const int64_t code = result.replied()
                           ? static_cast<int64_t>(result.reply.code)
                           : -static_cast<int64_t>(result.error);
  Emit(FactKind::PULL_FAILED, queue, offset, code, 0);
  return code;
}

}  // namespace groupsim
