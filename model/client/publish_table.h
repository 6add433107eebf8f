// The topics that a producer sends to.
#ifndef GROUPSIM_MODEL_CLIENT_PUBLISH_TABLE_H_
#define GROUPSIM_MODEL_CLIENT_PUBLISH_TABLE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/base/name.h"
#include "model/client/publish_info.h"
#include "model/client/route_service.h"
#include "model/runtime/random.h"
#include "model/runtime/task.h"
#include "model/wire/route.h"

namespace groupsim {

// DefaultMQProducerImpl.topicPublishInfoTable, 5.3.3.
class PublishTable {
 public:
  // `routes` must outlive it. `random` draws where the round through the queues
  // begins. `default_topic_queue_nums` queues are assumed on each broker for a
  // topic that no name server knows.
  PublishTable(RouteService& routes, std::unique_ptr<RandomStream> random,
               int32_t default_topic_queue_nums);

  // What is known of a topic; null if there is no queue to send to.
  PublishInfo* Find(Name topic) {
    const auto it = topics_.find(topic);
    return it != topics_.end() && it->second.info.ok() ? &it->second.info
                                                       : nullptr;
  }
  bool Has(Name topic) const {
    const auto it = topics_.find(topic);
    return it != topics_.end() && it->second.info.ok();
  }

  // Looks at the route of a topic for which Find has nothing: its own, or, if
  // there never was one, that of the template topic. From now on the topic is
  // refreshed with the others (tryToFindTopicPublishInfo). False if no name
  // server answered, which upstream throws: the send is over.
  Task<bool> LookUp(Name topic);

  // A new route, which begins a new round.
  void OnRoute(Name topic, const TopicRoute& route);

  // All topics that were looked up, in order.
  std::vector<Name> Topics() const;

  // A place in the round, drawn (TopicPublishInfo.resetIndex).
  uint32_t DrawIndex() { return static_cast<uint32_t>(random_->Next()); }

 private:
  struct Entry {
    PublishInfo info;
    bool has_route = false;  // haveTopicRouterInfo
  };

  RouteService& routes_;
  const std::unique_ptr<RandomStream> random_;
  const int32_t default_topic_queue_nums_;
  absl::flat_hash_map<Name, Entry> topics_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PUBLISH_TABLE_H_
