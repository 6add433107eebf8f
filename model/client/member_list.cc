#include "model/client/member_list.h"

#include <cstdint>
#include <iterator>
#include <variant>

#include "model/base/name.h"
#include "model/client/route_service.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/route.h"

namespace groupsim {

Name MemberListQuery::DrawBroker(Name topic) {
  const TopicRoute* route = routes_.routes().Find(topic);
  if (route == nullptr || route->brokers.empty()) return Name();
  const uint64_t drawn = random_->Below(route->brokers.size());
  const BrokerData& broker = route->brokers[drawn];
  const auto master = broker.addresses.find(kMasterId);
  if (master != broker.addresses.end()) return master->second;
  if (broker.addresses.empty()) return Name();
  const uint64_t slave = random_->Below(broker.addresses.size());
  return std::next(broker.addresses.begin(), static_cast<int64_t>(slave))
      ->second;
}

Task<MemberListQuery::Answer> MemberListQuery::Ask(Name topic, Name group) {
  Answer answer;
  Name address = DrawBroker(topic);
  if (address.empty()) {
    const RouteRefresh refresh = co_await routes_.Refresh(topic);
    if (refresh == RouteRefresh::kTransportFailed) {
      answer.transport_failed = true;
      co_return answer;
    }
    address = DrawBroker(topic);
    if (address.empty()) co_return answer;
  }
  GetConsumerListRequest request;
  request.group = group;
  const CallResult result = co_await remoting_.Call(address, request, timeout_);
  const auto* reply = std::get_if<GetConsumerListReply>(&result.reply.body);
  if (result.ok() && reply != nullptr) answer.client_ids = reply->client_ids;
  co_return answer;
}

}  // namespace groupsim
