#include "model/namesrv/route_table.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace groupsim {

RegisterOutcome RouteTable::Register(const RegisterBrokerRequest& request,
                                     ConnectionId channel, int64_t wall_millis,
                                     Duration default_timeout) {
  const auto [entry, is_new_name] = brokers_.try_emplace(request.broker);
  BrokerData& data = entry->second;
  bool register_first = is_new_name;
  if (is_new_name) {
    data.cluster = request.cluster;
    data.broker = request.broker;
  }

  // The process may have had another id before.
  for (auto it = data.addresses.begin(); it != data.addresses.end();) {
    if (it->second == request.address && it->first != request.broker_id) {
      it = data.addresses.erase(it);
      ++version_;
    } else {
      ++it;
    }
  }

  const LiveKey key{request.cluster, request.address};
  const auto known = data.addresses.find(request.broker_id);
  if (known == data.addresses.end()) {
    if (request.topics != nullptr && request.topics->size() == 1) {
      return RegisterOutcome::kRefused;  // An empty broker entry may remain.
    }
    register_first = true;
  } else if (known->second != request.address) {
    const auto old = live_.find(LiveKey{request.cluster, known->second});
    if (old != live_.end() && old->second.data_version.state_version >
                                  request.data_version.state_version) {
      live_.erase(key);
      return RegisterOutcome::kIgnored;
    }
  }
  Name& address = data.addresses[request.broker_id];
  if (address != request.address) {
    address = request.address;
    ++version_;
  }

  const auto live = live_.find(key);
  if (request.broker_id == kMasterId && request.topics != nullptr) {
    const bool all = register_first || live == live_.end() ||
                     live->second.data_version != request.data_version;
    StoreTopics(request, all);
  }

  Live now;
  now.last_update = wall_millis;
  now.timeout = request.heartbeat_timeout > Duration::Zero()
                    ? request.heartbeat_timeout.millis()
                    : default_timeout.millis();
  now.data_version = request.data_version;
  now.channel = channel;
  now.broker = request.broker;
  now.broker_id = request.broker_id;
  live_[key] = now;
  return RegisterOutcome::kRegistered;
}

// Topics that the registration does not mention stay.
void RouteTable::StoreTopics(const RegisterBrokerRequest& request, bool all) {
  for (const TopicConfig& config : *request.topics) {
    Topic& topic = topics_[config.topic];
    const auto [entry, is_new] = topic.queues.try_emplace(request.broker);
    if (!is_new && !all) continue;
    QueueData queues;
    queues.broker = request.broker;
    queues.read_queue_nums = config.read_queue_nums;
    queues.write_queue_nums = config.write_queue_nums;
    queues.perm = config.perm;
    if (!is_new && entry->second == queues) continue;
    entry->second = queues;
    topic.route = nullptr;
  }
}

std::vector<bool> RouteTable::Unregister(
    const std::vector<Unregistration>& batch) {
  std::vector<bool> removed;
  std::vector<Name> gone;
  for (const Unregistration& broker : batch) {
    removed.push_back(UnregisterOne(broker, &gone));
  }
  if (!gone.empty()) DropTopicsOf(gone);
  return removed;
}

bool RouteTable::UnregisterOne(const Unregistration& broker,
                               std::vector<Name>* gone) {
  bool removed = live_.erase(LiveKey{broker.cluster, broker.address}) != 0;
  const auto entry = brokers_.find(broker.broker);
  if (entry == brokers_.end()) return removed;
  auto& addresses = entry->second.addresses;
  for (auto it = addresses.begin(); it != addresses.end();) {
    if (it->second == broker.address) {
      it = addresses.erase(it);
      removed = true;
      ++version_;
    } else {
      ++it;
    }
  }
  // Queues of a name that still has members stay in the routes, also when no
  // master is left to write to.
  if (addresses.empty()) {
    gone->push_back(broker.broker);
    brokers_.erase(entry);
    ++version_;
  }
  return removed;
}

void RouteTable::DropTopicsOf(const std::vector<Name>& brokers) {
  for (auto it = topics_.begin(); it != topics_.end();) {
    Topic& topic = it->second;
    for (const Name broker : brokers) {
      if (topic.queues.erase(broker) != 0) topic.route = nullptr;
    }
    if (topic.queues.empty()) {
      it = topics_.erase(it);
    } else {
      ++it;
    }
  }
}

std::vector<RouteTable::Silent> RouteTable::FindSilent(
    int64_t wall_millis) const {
  std::vector<Silent> result;
  for (const auto& [key, live] : live_) {
    if (live.last_update + live.timeout >= wall_millis) continue;
    Silent silent;
    silent.broker =
        Unregistration{key.cluster, key.address, live.broker, live.broker_id};
    silent.channel = live.channel;
    result.push_back(silent);
  }
  return result;
}

std::optional<Unregistration> RouteTable::FindByChannel(
    ConnectionId channel) const {
  for (const auto& [key, live] : live_) {
    if (live.channel == channel) {
      return Unregistration{key.cluster, key.address, live.broker,
                            live.broker_id};
    }
  }
  return std::nullopt;
}

TopicRoutePtr RouteTable::Route(Name topic) const {
  const auto entry = topics_.find(topic);
  if (entry == topics_.end()) return nullptr;
  const Topic& found = entry->second;
  if (found.route != nullptr && found.route_version == version_) {
    return found.route;
  }
  TopicRoute route;
  for (const auto& [broker, queues] : found.queues) {
    route.queues.push_back(queues);
    const auto data = brokers_.find(broker);
    if (data != brokers_.end()) route.brokers.push_back(data->second);
  }
  if (route.brokers.empty()) return nullptr;
  if (found.route == nullptr || *found.route != route) {
    found.route = std::make_shared<const TopicRoute>(std::move(route));
  }
  found.route_version = version_;
  return found.route;
}

}  // namespace groupsim
