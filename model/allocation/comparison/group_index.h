// A view of a group, numbered in the order in which strategies walk it.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_GROUP_INDEX_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_GROUP_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "model/allocation/group_strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// Stands for no member, where the number of one is meant.
inline constexpr uint32_t kNobody = UINT32_MAX;

// How members are numbered.
enum class MemberOrder : uint8_t {
  kById,
  // Those with a static instance id first, ordered by it; then the others by
  // id. Equal instance ids are ordered by id.
  kStaticFirst,
};

// Topics are numbered by name, queues by topic and then as MessageQueue orders
// them, members as asked for. So no result depends on the order in which a view
// lists them. The index refers to the view, which must outlive it.
class GroupIndex {
 public:
  struct Options {
    MemberOrder order = MemberOrder::kById;
    UnknownTopics unknown = UnknownTopics::kRefused;
  };
  // The queues first .. first + count - 1.
  struct Topic {
    uint32_t first = 0;
    uint32_t count = 0;
    uint32_t audience = 0;  // See subscribers().
    const GroupTopic* view = nullptr;
  };

  // InvalidArgument if CheckGroupView refuses the view.
  static absl::StatusOr<GroupIndex> Of(const GroupView& view, Options options);

  uint32_t member_count() const {
    return static_cast<uint32_t>(members_.size());
  }
  uint32_t queue_count() const { return static_cast<uint32_t>(queues_.size()); }
  const std::vector<Topic>& topics() const { return topics_; }

  const GroupMember& member(uint32_t member) const {
    return view_->members[members_[member]];
  }

  uint32_t topic_of(uint32_t queue) const { return topic_of_[queue]; }
  const Topic& TopicOf(uint32_t queue) const {
    return topics_[topic_of_[queue]];
  }
  // Where the queue stands in its topic, from 0: Kafka's partition number.
  uint32_t NumberInTopic(uint32_t queue) const {
    return queue - TopicOf(queue).first;
  }
  const MessageQueue& queue(uint32_t queue) const;
  // 0 where the view has no loads of the topic.
  int64_t Load(uint32_t queue) const;
  // The rooms of a queue; none where the view has none.
  absl::Span<const Name> Rooms(uint32_t queue) const;

  // Subscriptions are numbered; members with the same topics share one.
  uint32_t subscription_of(uint32_t member) const {
    return subscription_of_[member];
  }
  uint32_t subscription_count() const {
    return static_cast<uint32_t>(subscriptions_.size());
  }
  // The topics of a subscription, ascending.
  const std::vector<uint32_t>& subscription(uint32_t number) const {
    return subscriptions_[number];
  }
  bool Subscribes(uint32_t member, uint32_t topic) const;
  // Whether all members subscribe to the same topics.
  bool homogeneous() const { return subscriptions_.size() <= 1; }

  // Topics with the same subscribers share an audience. Its subscriptions and
  // its members, ascending.
  uint32_t audience_count() const {
    return static_cast<uint32_t>(audiences_.size());
  }
  const std::vector<uint32_t>& audience_subscriptions(uint32_t audience) const {
    return audiences_[audience].subscriptions;
  }
  const std::vector<uint32_t>& audience_members(uint32_t audience) const {
    return audiences_[audience].members;
  }
  const std::vector<uint32_t>& Subscribers(const Topic& topic) const {
    return audiences_[topic.audience].members;
  }

  // The queues that a member reports as its own, ascending.
  std::vector<uint32_t> OwnedBy(uint32_t member) const;

  // The assignment in which each queue has the owner given here, or kNobody;
  // shares ascend.
  GroupAssignment Restore(const std::vector<uint32_t>& owner_of) const;

 private:
  struct Audience {
    std::vector<uint32_t> subscriptions;
    std::vector<uint32_t> members;
  };

  explicit GroupIndex(const GroupView& view) : view_(&view) {}
  void NumberTopicsAndQueues();
  void NumberMembers(MemberOrder order);
  void NumberSubscriptions();
  void NumberAudiences();

  const GroupView* view_;
  std::vector<Topic> topics_;
  std::vector<QueuePosition> queues_;  // Position in the view, by number.
  // Number by position; empty where the two are the same.
  std::vector<uint32_t> number_of_;
  std::vector<uint32_t> topic_of_;
  std::vector<QueuePosition> first_position_;  // Of each topic, by number.
  std::vector<uint32_t> members_;  // Position in the view, by number.
  std::vector<uint32_t> subscription_of_;
  std::vector<std::vector<uint32_t>> subscriptions_;
  std::vector<Audience> audiences_;
};

// InvalidArgument unless the view has the load of every queue.
absl::Status CheckLoads(const GroupView& view, absl::string_view strategy);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_GROUP_INDEX_H_
