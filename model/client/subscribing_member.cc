#include "model/client/subscribing_member.h"

#include <memory>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/client/client_instance.h"
#include "model/client/consumer_disk.h"
#include "model/client/local_offset_store.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/remote_offset_store.h"
#include "model/client/topic_routes.h"
#include "model/facts/causes.h"
#include "model/runtime/env.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"
#include "model/wire/subscription.h"

namespace groupsim {

SubscribingMember::SubscribingMember(Env& env, const Traits& traits,
                                     ClientInstance::Config instance)
    : env_(env),
      traits_(traits),
      instance_(env, std::move(instance)),
      owned_(env, traits.group) {}

std::unique_ptr<OffsetStore> SubscribingMember::MakeStore(ConsumerDisk* disk) {
  if (broadcasts()) {
    CHECK(disk != nullptr) << "a broadcasting consumer needs a disk";
    return std::make_unique<LocalOffsetStore>(
        env_, traits_.group, instance_.config().profile,
        disk->offset_files[{client_id(), traits_.group}]);
  }
  return std::make_unique<RemoteOffsetStore>(
      traits_.group, instance_.config().profile, instance_.remoting(),
      instance_.brokers(), instance_.routes());
}

std::vector<Name> SubscribingMember::RouteTopics() const {
  return subscriptions_.Topics();
}

bool SubscribingMember::NeedsRoute(Name topic) const {
  return subscriptions_.Find(topic) != nullptr && !rebalance().HasQueues(topic);
}

void SubscribingMember::OnRoute(Name topic, const TopicRoute& route) {
  if (subscriptions_.Find(topic) == nullptr) return;
  rebalance().SetQueues(topic,
                        std::make_shared<const std::vector<MessageQueue>>(
                            ReadableQueues(topic, route)));
}

ConsumerData SubscribingMember::Describe() const {
  ConsumerData data;
  data.group = traits_.group;
  data.model = traits_.model;
  data.consume_from_where = traits_.consume_from_where;
  data.subscriptions = subscriptions_.all();
  return data;
}

void SubscribingMember::DropAll() {
  std::vector<OwnedQueuePtr> owned;
  for (const auto& [queue, one] : owned_.all()) owned.push_back(one);
  for (const OwnedQueuePtr& one : owned) {
    owned_.Drop(*one, DropCause::kShutdown);
    owned_.Remove(one->queue);
  }
}

}  // namespace groupsim
