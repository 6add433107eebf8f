#include "model/broker/consumer_table.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace groupsim {

std::vector<ConnectionId> ConsumerGroup::Connections() const {
  std::vector<ConnectionId> connections;
  connections.reserve(members_.size());
  for (const auto& [connection, member] : members_) {
    connections.push_back(connection);
  }
  return connections;
}

std::shared_ptr<const std::vector<Name>> ConsumerGroup::ClientIds() const {
  if (client_ids_ == nullptr) {
    std::vector<Name> ids;
    ids.reserve(members_.size());
    for (const auto& [connection, member] : members_) {
      ids.push_back(member.client_id);
    }
    std::sort(ids.begin(), ids.end());
    client_ids_ = std::make_shared<const std::vector<Name>>(std::move(ids));
  }
  return client_ids_;
}

bool ConsumerGroup::UpdateSubscriptions(
    const std::vector<SubscriptionData>& wanted) {
  bool changed = false;
  for (const SubscriptionData& data : wanted) {
    auto known = std::find_if(subscriptions_.begin(), subscriptions_.end(),
                              [&data](const GroupSubscription& subscription) {
                                return subscription.topic == data.topic;
                              });
    if (known == subscriptions_.end()) {
      changed = true;
      known =
          subscriptions_.insert(known, GroupSubscription{data.topic, 0, {}});
    } else if (data.sub_version <= known->sub_version) {
      continue;
    }
    known->sub_version = data.sub_version;
    known->filter = data.tags.empty()
                        ? nullptr
                        : std::make_shared<const TagFilter>(data.tags);
  }
  const auto gone = std::remove_if(
      subscriptions_.begin(), subscriptions_.end(),
      [&wanted](const GroupSubscription& subscription) {
        return std::none_of(wanted.begin(), wanted.end(),
                            [&subscription](const SubscriptionData& data) {
                              return data.topic == subscription.topic;
                            });
      });
  changed |= gone != subscriptions_.end();
  subscriptions_.erase(gone, subscriptions_.end());
  return changed;
}

void ConsumerGroup::Drop() {
  subscriptions_.clear();
  client_ids_ = nullptr;
}

ConsumerTable::Registration ConsumerTable::Register(const ConsumerData& data,
                                                    Name client_id,
                                                    ConnectionId connection,
                                                    int64_t wall_millis) {
  ConsumerGroup* group = groups_.Find(data.group);
  if (group == nullptr) {
    group = &groups_.Add(data.group);
    group->name_ = data.group;
  }
  group->model_ = data.model;
  group->consume_from_where_ = data.consume_from_where;

  Registration result;
  const auto [member, is_new] = group->members_.try_emplace(connection);
  result.new_connection = is_new;
  if (is_new) groups_of_connection_[connection].push_back(data.group);
  if (member->second.client_id != client_id) {
    // On a known connection this is an oddity, but no change.
    member->second.client_id = client_id;
    group->client_ids_ = nullptr;
  }
  member->second.last_update = wall_millis;
  oldest_update_ = std::min(oldest_update_, wall_millis);
  result.subscriptions_changed = group->UpdateSubscriptions(data.subscriptions);
  return result;
}

bool ConsumerTable::Erase(ConsumerGroup& group, ConnectionId connection,
                          Name* client_id) {
  const auto member = group.members_.find(connection);
  if (member == group.members_.end()) return false;
  *client_id = member->second.client_id;
  group.members_.erase(member);
  group.client_ids_ = nullptr;
  if (!group.present()) group.Drop();
  return true;
}

Name ConsumerTable::Unregister(Name group, ConnectionId connection) {
  Name client_id;
  ConsumerGroup* found = FindPresent(group);
  if (found == nullptr || !Erase(*found, connection, &client_id)) return Name();
  const auto entry = groups_of_connection_.find(connection);
  auto& groups = entry->second;
  groups.erase(std::find(groups.begin(), groups.end(), group));
  if (groups.empty()) groups_of_connection_.erase(entry);
  return client_id;
}

std::vector<ConsumerTable::Leaving> ConsumerTable::RemoveConnection(
    ConnectionId connection) {
  std::vector<Leaving> result;
  const auto entry = groups_of_connection_.find(connection);
  if (entry == groups_of_connection_.end()) return result;
  for (const Name name : entry->second) {
    Leaving leaving;
    leaving.group = name;
    Erase(*FindPresent(name), connection, &leaving.client_id);
    result.push_back(leaving);
  }
  groups_of_connection_.erase(entry);
  return result;
}

std::vector<ConsumerTable::Expired> ConsumerTable::RemoveExpired(
    int64_t wall_millis, Duration timeout) {
  std::vector<Expired> result;
  const auto expired = [wall_millis, timeout](int64_t last_update) {
    return wall_millis - last_update > timeout.millis();
  };
  // Most scans find nothing and end here.
  if (oldest_update_ == INT64_MAX || !expired(oldest_update_)) return result;
  oldest_update_ = INT64_MAX;
  for (ConsumerGroup& group : groups_) {
    for (const auto& [connection, member] : group.members_) {
      if (expired(member.last_update)) {
        result.push_back(Expired{group.name_, member.client_id, connection});
      } else {
        oldest_update_ = std::min(oldest_update_, member.last_update);
      }
    }
  }
  for (const Expired& member : result) {
    Unregister(member.group, member.connection);
  }
  return result;
}

std::vector<ConnectionId> ProducerTable::RemoveExpired(int64_t wall_millis,
                                                       Duration timeout) {
  std::vector<ConnectionId> result;
  for (auto entry = last_update_.begin(); entry != last_update_.end();) {
    if (wall_millis - entry->second > timeout.millis()) {
      result.push_back(entry->first);
      entry = last_update_.erase(entry);
    } else {
      ++entry;
    }
  }
  return result;
}

}  // namespace groupsim
