// The members of consumer groups as one broker knows them (ConsumerManager,
// ConsumerGroupInfo, ProducerManager, 5.3.3).
//
// A member is a connection, not a client id: a client that comes back on a new
// connection counts twice until its old one is removed.
#ifndef GROUPSIM_MODEL_BROKER_CONSUMER_TABLE_H_
#define GROUPSIM_MODEL_BROKER_CONSUMER_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/broker/name_indexed.h"
#include "model/broker/tag_filter.h"
#include "model/runtime/transport.h"
#include "model/wire/subscription.h"

namespace groupsim {

// What a group wants of one topic, as the last heartbeat with a higher version
// said.
struct GroupSubscription {
  Name topic;
  int64_t sub_version = 0;
  TagFilterPtr filter;  // Null for all messages.
};

// One group with at least one member.
class ConsumerGroup {
 public:
  Name name() const { return name_; }
  MessageModel model() const { return model_; }
  ConsumeFromWhere consume_from_where() const { return consume_from_where_; }

  // Null for topics that the group has not subscribed to.
  const GroupSubscription* FindSubscription(Name topic) const {
    for (const GroupSubscription& subscription : subscriptions_) {
      if (subscription.topic == topic) return &subscription;
    }
    return nullptr;
  }

  // The members' connections, in order of registration.
  std::vector<ConnectionId> Connections() const;

  // Client ids of all members, one for each connection, sorted. The same list
  // until the group changes.
  std::shared_ptr<const std::vector<Name>> ClientIds() const;

  // Whether it has members; a group without counts as unknown.
  bool present() const { return !members_.empty(); }

 private:
  friend class ConsumerTable;
  struct Member {
    Name client_id;
    int64_t last_update = 0;  // Wall milliseconds.
  };

  bool UpdateSubscriptions(const std::vector<SubscriptionData>& wanted);
  void Drop();

  Name name_;
  MessageModel model_ = MessageModel::kClustering;
  ConsumeFromWhere consume_from_where_ = ConsumeFromWhere::kLastOffset;
  std::vector<GroupSubscription> subscriptions_;
  absl::btree_map<ConnectionId, Member> members_;
  mutable std::shared_ptr<const std::vector<Name>> client_ids_;
};

class ConsumerTable {
 public:
  ConsumerTable() = default;
  ConsumerTable(const ConsumerTable&) = delete;
  ConsumerTable& operator=(const ConsumerTable&) = delete;

  // The group, or null if it has no members.
  const ConsumerGroup* Find(Name group) const {
    const ConsumerGroup* found = groups_.Find(group);
    return found != nullptr && found->present() ? found : nullptr;
  }

  struct Registration {
    bool new_connection = false;         // Of this group.
    bool subscriptions_changed = false;  // As to the set of topics.
    bool changed() const { return new_connection || subscriptions_changed; }
  };
  // One group's entry of a heartbeat that came on `connection`
  // (ConsumerManager.registerConsumer).
  Registration Register(const ConsumerData& data, Name client_id,
                        ConnectionId connection, int64_t wall_millis);

  // Takes a connection out of one group; the id of its client, empty if it was
  // not there (unregisterConsumer).
  Name Unregister(Name group, ConnectionId connection);

  // Takes a connection out of all its groups (doChannelCloseEvent), in the
  // order in which it came into them.
  struct Leaving {
    Name group;
    Name client_id;
  };
  std::vector<Leaving> RemoveConnection(ConnectionId connection);

  // Members whose last heartbeat is more than `timeout` ago, all removed
  // (scanNotActiveChannel). By group, then in order of registration.
  struct Expired {
    Name group;
    Name client_id;
    ConnectionId connection;
  };
  std::vector<Expired> RemoveExpired(int64_t wall_millis, Duration timeout);

 private:
  ConsumerGroup* FindPresent(Name group) {
    return const_cast<ConsumerGroup*>(Find(group));
  }
  // False if the connection was not in the group.
  bool Erase(ConsumerGroup& group, ConnectionId connection, Name* client_id);

  NameIndexed<ConsumerGroup> groups_;
  absl::flat_hash_map<ConnectionId, absl::InlinedVector<Name, 2>>
      groups_of_connection_;
  // No member's last heartbeat is older than this.
  int64_t oldest_update_ = INT64_MAX;
};

// When producers last sent a heartbeat, by connection (ProducerManager).
class ProducerTable {
 public:
  void Register(ConnectionId connection, int64_t wall_millis) {
    last_update_[connection] = wall_millis;
  }
  void Remove(ConnectionId connection) { last_update_.erase(connection); }
  // Connections whose last heartbeat is more than `timeout` ago, all removed.
  std::vector<ConnectionId> RemoveExpired(int64_t wall_millis,
                                          Duration timeout);
  size_t size() const { return last_update_.size(); }

 private:
  absl::btree_map<ConnectionId, int64_t> last_update_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_CONSUMER_TABLE_H_
