#include "model/broker/message_writer.h"

#include <cstdint>

#include "model/facts/fact.h"

namespace groupsim {

MessageWriter::MessageWriter(Env& env, const BrokerConfig& config,
                             BrokerDisk& disk, PullProcessor& pulls,
                             Retention& retention)
    : env_(env),
      config_(config),
      disk_(disk),
      pulls_(pulls),
      retention_(retention),
      dispatch_(env, [this] { Dispatch(); }) {}

void MessageWriter::Stop() {
  dispatch_.Cancel();
  disk_.store.Recover();
}

int64_t MessageWriter::Store(const Place& place,
                             const MessageStore::NewMessage& message) {
  const int64_t offset = StoreInternal(place, message);
  Fact fact;
  fact.kind = FactKind::STORED;
  fact.topic = place.topic.id();
  fact.broker = NarrowId(config_.broker);
  fact.queue = static_cast<uint16_t>(place.queue_id);
  fact.offset = offset;
  fact.count = message.body_size;
  fact.value = static_cast<int64_t>(message.key);
  env_.Emit(fact);
  if (!message.tag.empty()) {
    fact.kind = FactKind::TAGGED;
    fact.count = 0;
    fact.value = message.tag.id();
    env_.Emit(fact);
  }
  return offset;
}

int64_t MessageWriter::StoreInternal(const Place& place,
                                     const MessageStore::NewMessage& message) {
  StoredQueue& queue = disk_.store.FindOrCreate(place.topic, place.queue_id);
  const int64_t offset = disk_.store.Append(queue, message, env_.Now());
  retention_.OnAppended();
  if (!dispatch_.armed()) ArmDispatch();
  return offset;
}

void MessageWriter::ArmDispatch() {
  const Duration running = env_.Now() - started_;
  dispatch_.ArmAt(started_ + (running / kReputInterval + 1) * kReputInterval);
}

void MessageWriter::Dispatch() {
  disk_.store.Dispatch([this](const StoredQueue& queue, int32_t tags_code) {
    pulls_.OnArrived(queue, tags_code);
  });
}

}  // namespace groupsim
