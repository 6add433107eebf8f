// The routes that a client has cached.
#ifndef GROUPSIM_MODEL_CLIENT_TOPIC_ROUTES_H_
#define GROUPSIM_MODEL_CLIENT_TOPIC_ROUTES_H_

#include <vector>

#include "absl/container/btree_map.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {

// The queues that can be read, also those of brokers without a master; in order
// (MQClientInstance.topicRouteData2TopicSubscribeInfo, 5.3.3).
std::vector<MessageQueue> ReadableQueues(Name topic, const TopicRoute& route);

// The queues that can be written, of brokers with a master; in order
// (topicRouteData2TopicPublishInfo, for a route without order configuration).
std::vector<MessageQueue> WritableQueues(Name topic, const TopicRoute& route);

// MQClientInstance.topicRouteTable. A route stays until another one replaces
// it: a topic that the name servers do not know any more keeps its last one.
class TopicRoutes {
 public:
  // Null if the topic has none.
  const TopicRoute* Find(Name topic) const;
  void Put(Name topic, TopicRoutePtr route);
  // Whether some route has a broker at this address.
  bool Mentions(Name address) const;

 private:
  absl::btree_map<Name, TopicRoutePtr> routes_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_TOPIC_ROUTES_H_
