#include "model/client/consumption.h"

#include "absl/types/span.h"
#include "model/base/time.h"
#include "model/client/consume_pool.h"
#include "model/facts/fact.h"
#include "model/runtime/task.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

void PooledConsumption::EmitDelivered(const MessageQueue& queue,
                                      absl::Span<const Message> messages) {
  const Instant now = env_.Now();
  Fact fact = QueueFact(FactKind::DELIVERED, group_, queue);
  for (const Message& message : messages) {
    fact.offset = message.queue_offset;
    fact.count = message.reconsume_times;
    fact.value = (now - message.stored).nanos();
    env_.Emit(fact);
    const MessageOrigin& origin = message.origin;
    if (origin.topic.empty()) [[likely]] {
      continue;
    }
    Fact first;
    first.kind = FactKind::RETRY_DELIVERED;
    first.group = fact.group;
    first.topic = origin.topic.id();
    first.broker = origin.broker;
    first.queue = origin.queue;
    first.offset = origin.offset;
    first.count = message.reconsume_times;
    env_.Emit(first);
  }
}

Task<void> PooledConsumption::EndPool(Duration limit) {
  if (pool_.busy() > 0 && limit > Duration::Zero()) {
    co_await idle_.WaitFor(limit);
  }
  while (ConsumePoolJob* job = pool_.PopWaiting()) Forget(*job);
  InterruptAll();
  if (pool_.busy() > 0 && limit > Duration::Zero()) {
    co_await idle_.WaitFor(limit);
  }
}

}  // namespace groupsim
