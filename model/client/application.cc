#include "model/client/application.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/client/listener_run.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/task.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

Application::Application(Env& env, Name group, int32_t workers)
    : env_(env), group_(group) {
  if (workers > 0) workers_.emplace(env, workers);
}

Task<void> Application::DealWith(MessageQueue queue,
                                 std::vector<Message> messages) {
  at_work_ += static_cast<int64_t>(messages.size());
  return Work(queue, std::move(messages));
}

void Application::HandOver(MessageQueue queue, std::vector<Message> messages) {
  CHECK(workers_.has_value());
  at_work_ += static_cast<int64_t>(messages.size());
  workers_->PostTask([this, queue, handed = std::move(messages)]() mutable {
    return Work(queue, std::move(handed));
  });
}

Task<void> Application::Work(MessageQueue queue,
                             std::vector<Message> messages) {
  Fact fact = QueueFact(FactKind::DELIVERED, group_, queue);
  for (const Message& message : messages) {
    fact.offset = message.queue_offset;
    fact.count = message.reconsume_times;
    fact.value = (env_.Now() - message.stored).nanos();
    env_.Emit(fact);
  }
  ListenerCall call;
  call.group = group_;
  call.queue = queue;
  call.messages = messages;
  ListenerRun run(env_, call);
  const ListenerResult result = co_await run;
  at_work_ -= static_cast<int64_t>(messages.size());
  fact.kind = FactKind::FINISHED;
  fact.count = static_cast<int64_t>(result.status);
  fact.value = result.status == ConsumeStatus::kSuccess ? 1 : 3;
  for (const Message& message : messages) {
    fact.offset = message.queue_offset;
    env_.Emit(fact);
  }
}

}  // namespace groupsim
