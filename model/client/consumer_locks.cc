#include "model/client/consumer_locks.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/client/java_order.h"
#include "model/wire/command.h"

namespace groupsim {
namespace {

bool Has(const LockBatchReply& reply, const MessageQueue& queue) {
  return std::find(reply.locked.begin(), reply.locked.end(), queue) !=
         reply.locked.end();
}

// Of LockBatchRequest and UnlockBatchRequest.
template <class Request>
Request RequestFor(const ConsumerLocks::Config& config,
                   std::vector<MessageQueue> queues) {
  Request request;
  request.group = config.group;
  request.client_id = config.client_id;
  request.queues = std::move(queues);
  return request;
}

}  // namespace

Task<bool> ConsumerLocks::Acquire(MessageQueue queue) {
  const Name address = brokers_.FindMaster(queue.broker);
  if (address.empty()) co_return false;
  auto request = RequestFor<LockBatchRequest>(config_, {queue});
  const CallResult result =
      co_await remoting_.Call(address, std::move(request), config_.timeout);
  const auto* reply = std::get_if<LockBatchReply>(&result.reply.body);
  if (!result.ok() || reply == nullptr) co_return false;
  for (const MessageQueue& locked : reply->locked) {
    const OwnedQueuePtr owned = owned_.Find(locked);
    if (owned != nullptr) owned_.NoteLocked(*owned);
  }
  co_return Has(*reply, queue);
}

std::vector<ConsumerLocks::OfBroker> ConsumerLocks::ByBroker() const {
  absl::btree_map<Name, std::vector<MessageQueue>> queues;
  std::vector<Name> order;
  for (const auto& [queue, owned] : owned_.all()) {
    if (owned->process_queue.dropped()) continue;
    std::vector<MessageQueue>& of_broker = queues[queue.broker];
    if (of_broker.empty()) order.push_back(queue.broker);
    of_broker.push_back(queue);
  }
  SortAsWalked(JavaTable::kHashMap, order);
  std::vector<OfBroker> result;
  for (const Name broker : order) {
    const Name address = brokers_.FindMaster(broker);
    if (address.empty()) continue;
    result.push_back({address, std::move(queues[broker])});
  }
  return result;
}

Task<void> ConsumerLocks::RenewAll() {
  const std::vector<OfBroker> brokers = ByBroker();
  for (const OfBroker& broker : brokers) {
    auto request = RequestFor<LockBatchRequest>(config_, broker.queues);
    const CallResult result = co_await remoting_.Call(
        broker.address, std::move(request), config_.timeout);
    const auto* reply = std::get_if<LockBatchReply>(&result.reply.body);
    if (!result.ok() || reply == nullptr) continue;
    for (const MessageQueue& queue : broker.queues) {
      const OwnedQueuePtr owned = owned_.Find(queue);
      if (owned == nullptr) continue;
      if (Has(*reply, queue)) {
        owned_.NoteLocked(*owned);
      } else {
        owned_.NoteRefused(*owned);
      }
    }
  }
}

Task<void> ConsumerLocks::Release(MessageQueue queue) {
  const Name address = brokers_.FindMaster(queue.broker);
  if (address.empty()) co_return;
  if (config_.connecting_blocks) {
    const bool connected = co_await remoting_.Connect(address);
    if (!connected) co_return;
  }
  remoting_.SendOneway(address,
                       RequestFor<UnlockBatchRequest>(config_, {queue}));
}

Task<void> ConsumerLocks::ReleaseAll() {
  const std::vector<OfBroker> brokers = ByBroker();
  for (const OfBroker& broker : brokers) {
    auto request = RequestFor<UnlockBatchRequest>(config_, broker.queues);
    const CallResult result = co_await remoting_.Call(
        broker.address, std::move(request), config_.timeout);
    if (!result.ok()) continue;
    for (const MessageQueue& queue : broker.queues) {
      const OwnedQueuePtr owned = owned_.Find(queue);
      if (owned != nullptr) owned->process_queue.set_locked(false);
    }
  }
}

}  // namespace groupsim
