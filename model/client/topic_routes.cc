#include "model/client/topic_routes.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {
namespace {

bool HasMaster(Name broker, const TopicRoute& route) {
  const auto it =
      std::find_if(route.brokers.begin(), route.brokers.end(),
                   [&](const BrokerData& b) { return b.broker == broker; });
  return it != route.brokers.end() && it->addresses.contains(kMasterId);
}

void AppendQueues(const MessageQueue& first, int32_t count,
                  std::vector<MessageQueue>& queues) {
  MessageQueue queue = first;
  for (; queue.queue_id < count; ++queue.queue_id) queues.push_back(queue);
}

}  // namespace

std::vector<MessageQueue> ReadableQueues(Name topic, const TopicRoute& route) {
  std::vector<MessageQueue> queues;
  for (const QueueData& data : route.queues) {
    if ((data.perm & kPermRead) == 0) continue;
    AppendQueues({topic, data.broker, 0}, data.read_queue_nums, queues);
  }
  std::sort(queues.begin(), queues.end());
  return queues;
}

std::vector<MessageQueue> WritableQueues(Name topic, const TopicRoute& route) {
  std::vector<MessageQueue> queues;
  for (const QueueData& data : route.queues) {
    if ((data.perm & kPermWrite) == 0) continue;
    if (!HasMaster(data.broker, route)) continue;
    AppendQueues({topic, data.broker, 0}, data.write_queue_nums, queues);
  }
  std::sort(queues.begin(), queues.end());
  return queues;
}

const TopicRoute* TopicRoutes::Find(Name topic) const {
  const auto it = routes_.find(topic);
  return it == routes_.end() ? nullptr : it->second.get();
}

void TopicRoutes::Put(Name topic, TopicRoutePtr route) {
  routes_.insert_or_assign(topic, std::move(route));
}

bool TopicRoutes::Mentions(Name address) const {
  for (const auto& [topic, route] : routes_) {
    for (const BrokerData& broker : route->brokers) {
      for (const auto& [id, its_address] : broker.addresses) {
        if (its_address == address) return true;
      }
    }
  }
  return false;
}

}  // namespace groupsim
