#include "model/broker/topic_service.h"

#include <cstdint>

#include "model/base/name.h"
#include "model/broker/topic_config_table.h"
#include "model/facts/fact.h"
#include "model/runtime/task.h"
#include "model/wire/route.h"

namespace groupsim {

Task<void> TopicService::Put(const TopicConfig& topic) {
  disk_.topics.Put(topic, env_.WallMillis());
  return registration_.RegisterTopic(topic);
}

Task<void> TopicService::Create(const TopicConfig& topic) {
  Emit(FactKind::TOPIC_CREATED, topic);
  return Put(topic);
}

Task<void> TopicService::Provide(Name topic, int32_t queues) {
  if (disk_.topics.Find(topic) != nullptr) co_return;
  TopicConfig config;
  config.topic = topic;
  config.read_queue_nums = queues;
  config.write_queue_nums = queues;
  co_await Put(config);
}

void TopicService::Emit(FactKind kind, const TopicConfig& topic) {
  env_.Emit(FactAbout(kind, config_.broker, config_.settings.broker_permission,
                      topic));
}

}  // namespace groupsim
