#include "model/client/remote_offset_store.h"

#include <cstdint>
#include <variant>
#include <vector>

#include "model/base/name.h"
#include "model/client/owned_queues.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {

Task<Name> RemoteOffsetStore::AddressOfMaster(MessageQueue queue) {
  const Name master = brokers_.FindMaster(queue.broker);
  if (!master.empty()) co_return master;
  const RouteRefresh refresh = co_await routes_.Refresh(queue.topic);
  if (refresh == RouteRefresh::kTransportFailed) co_return Name();
  co_return brokers_.FindAny(queue.broker, kMasterId).address;
}

Task<int64_t> RemoteOffsetStore::Read(MessageQueue queue) {
  const Name address = co_await AddressOfMaster(queue);
  if (address.empty()) co_return kFailed;
  QueryConsumerOffsetRequest request;
  request.group = group_;
  request.queue = queue;
  const CallResult result = co_await remoting_.Call(
      address, request, profile_.consumer_offset_timeout);
  if (!result.replied()) co_return kFailed;
  if (result.reply.code == ResponseCode::kQueryNotFound) co_return kNotFound;
  const auto* reply = std::get_if<OffsetReply>(&result.reply.body);
  if (!result.ok() || reply == nullptr) {
    co_return profile_.only_not_found_is_no_offset ? kFailed : kNotFound;
  }
  offsets().Set(queue, reply->offset);
  co_return reply->offset;
}

Task<void> RemoteOffsetStore::Persist(MessageQueue queue) {
  if (offsets().Find(queue) < 0) co_return;
  Name address;
  if (!profile_.commits_to_any_address_at_once) {
    address = co_await AddressOfMaster(queue);
  } else {
    address = brokers_.FindAny(queue.broker, kMasterId).address;
    if (address.empty()) {
      co_await routes_.Refresh(queue.topic);
      address = brokers_.FindAny(queue.broker, kMasterId).address;
    }
  }
  if (address.empty()) co_return;
  if (profile_.connecting_blocks) {
    const bool connected = co_await remoting_.Connect(address);
    if (!connected) co_return;  // An exception that is only logged.
  }
  UpdateConsumerOffsetRequest request;
  request.group = group_;
  request.queue = queue;
  request.commit_offset = offsets().Find(queue);
  if (request.commit_offset < 0) co_return;  // Forgotten meanwhile.
  remoting_.SendOneway(address, request);
}

Task<void> RemoteOffsetStore::PersistAll(const OwnedQueues& owned) {
  if (owned.all().empty()) co_return;
  offsets().RemoveUnless(
      [&](const MessageQueue& queue) { return owned.all().contains(queue); });
  std::vector<MessageQueue> queues;
  queues.reserve(owned.all().size());
  for (const auto& [queue, unused] : owned.all()) queues.push_back(queue);
  for (const MessageQueue& queue : queues) co_await Persist(queue);
}

}  // namespace groupsim
