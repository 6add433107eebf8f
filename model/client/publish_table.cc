#include "model/client/publish_table.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/base/name.h"
#include "model/client/publish_info.h"
#include "model/client/route_service.h"
#include "model/client/topic_routes.h"
#include "model/runtime/task.h"
#include "model/wire/route.h"

namespace groupsim {

PublishTable::PublishTable(RouteService& routes,
                           std::unique_ptr<RandomStream> random,
                           int32_t default_topic_queue_nums)
    : routes_(routes),
      random_(std::move(random)),
      default_topic_queue_nums_(default_topic_queue_nums) {}

Task<bool> PublishTable::LookUp(Name topic) {
  topics_.try_emplace(topic);
  RouteRefresh refresh = co_await routes_.Refresh(topic);
  if (refresh != RouteRefresh::kTransportFailed &&
      !topics_.at(topic).has_route) {
    refresh =
        co_await routes_.RefreshFromTemplate(topic, default_topic_queue_nums_);
  }
  co_return refresh != RouteRefresh::kTransportFailed;
}

void PublishTable::OnRoute(Name topic, const TopicRoute& route) {
  PublishInfo info(WritableQueues(topic, route), DrawIndex());
  topics_.insert_or_assign(topic, Entry{std::move(info), true});
}

std::vector<Name> PublishTable::Topics() const {
  std::vector<Name> topics;
  for (const auto& [topic, entry] : topics_) topics.push_back(topic);
  std::sort(topics.begin(), topics.end());
  return topics;
}

}  // namespace groupsim
