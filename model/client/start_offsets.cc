#include "model/client/start_offsets.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "model/base/name.h"
#include "model/client/offset_store.h"
#include "model/client/starting_offset.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"

namespace groupsim {

Task<std::optional<int64_t>> StartOffsets::Find(MessageQueue queue) {
  const int64_t stored = co_await store_.Read(queue);
  if (stored >= 0) co_return stored;
  if (stored != OffsetStore::kNotFound) co_return std::nullopt;

  switch (WhereToStart(config_.from, queue.topic == config_.retry_topic)) {
    case StartingPoint::kZero:
      co_return 0;
    case StartingPoint::kMaximum: {
      GetMaxOffsetRequest request;
      request.queue = queue;
      co_return co_await AskMaster(queue, request);
    }
    case StartingPoint::kTimestamp: {
      SearchOffsetRequest request;
      request.queue = queue;
      request.timestamp = config_.timestamp_millis;
      co_return co_await AskMaster(queue, request);
    }
  }
  co_return std::nullopt;
}

Task<std::optional<int64_t>> StartOffsets::AskMaster(MessageQueue queue,
                                                     Request request) {
  Name address = brokers_.FindMaster(queue.broker);
  if (address.empty()) {
    co_await routes_.Refresh(queue.topic);
    address = brokers_.FindMaster(queue.broker);
    if (address.empty()) co_return std::nullopt;
  }
  const CallResult result =
      co_await remoting_.Call(address, std::move(request), config_.timeout);
  const auto* reply = std::get_if<OffsetReply>(&result.reply.body);
  if (!result.ok() || reply == nullptr) co_return std::nullopt;
  co_return reply->offset;
}

}  // namespace groupsim
