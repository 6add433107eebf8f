#include "model/broker/offset_admin.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "model/broker/message_store.h"
#include "model/broker/topic_config_table.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"

namespace groupsim {

int64_t OffsetAdmin::Reset(const Target& target) {
  const TopicConfigTable::Entry* topic = disk_.topics.Find(target.topic);
  if (topic == nullptr || disk_.groups.Find(target.group) == nullptr) return 0;
  // Whoever has the members do it goes over the queues that are written.
  const bool here = config_.settings.use_server_side_reset_offset &&
                    config_.profile.has_server_side_reset;
  const int32_t end =
      here ? topic->config.read_queue_nums : topic->config.write_queue_nums;
  std::vector<int32_t> queues = target.queues;
  if (queues.empty()) {
    queues.resize(static_cast<size_t>(end));
    std::iota(queues.begin(), queues.end(), 0);
  }
  ResetConsumerClientOffsetRequest notice;
  notice.group = target.group;
  notice.topic = target.topic;
  int64_t hits = 0;
  for (const int32_t id : queues) {
    if (id >= end) continue;
    const StoredQueue& queue = disk_.store.FindOrCreate(target.topic, id);
    const int64_t offset = target.offset.has_value()
                               ? *target.offset
                               : offsets_.OffsetAt(queue, target.wall_millis);
    if (offset < queue.min_offset() || offset > queue.max_offset() + 1) {
      continue;
    }
    if (here) {
      offsets_.Reset(queue, target.group, offset);
    } else {
      if (offsets_.Find(queue, target.group) < 0) return 0;
      notice.offsets.emplace_back(
          MessageQueue{target.topic, config_.broker, id}, offset);
    }
    ++hits;
  }
  if (notice.offsets.empty()) return hits;
  const ConsumerGroup* members = consumers_.Find(target.group);
  if (members == nullptr) return 0;
  for (const ConnectionId connection : members->Connections()) {
    remoting_.SendOneway(connection, Request(notice));
  }
  return hits;
}

int64_t OffsetAdmin::Clone(const Copying& copying) {
  const TopicConfigTable::Entry* topic = disk_.topics.Find(copying.topic);
  if (topic == nullptr) return 0;
  int64_t hits = 0;
  for (int32_t id = 0; id < topic->config.read_queue_nums; ++id) {
    const StoredQueue* queue = disk_.store.Find(copying.topic, id);
    if (queue == nullptr) continue;
    if (offsets_.Find(*queue, copying.from) >= 0) ++hits;
  }
  if (hits == 0) return 0;
  for (int32_t id = 0; id < topic->config.read_queue_nums; ++id) {
    const StoredQueue* queue = disk_.store.Find(copying.topic, id);
    if (queue != nullptr) offsets_.Clone(*queue, copying.from, copying.to);
  }
  return hits;
}

}  // namespace groupsim
