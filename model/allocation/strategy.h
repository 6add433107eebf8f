// Which consumer of a group reads which queue of a topic.
//
// Every consumer computes its own share, from the queues of the topic and the
// ids of the group's clients as it sees them. While all see the same lists,
// their shares fit together; nobody checks that they do.
//
//   const AllocationPlanPtr plan = strategy.Prepare({queues, client_ids});
//   absl::StatusOr<std::vector<MessageQueue>> mine = plan->For(client_id);
//
// A share is a pure function of the three: no state, no chance, no clock.
#ifndef GROUPSIM_MODEL_ALLOCATION_STRATEGY_H_
#define GROUPSIM_MODEL_ALLOCATION_STRATEGY_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// Client ids in the order of their texts (Name's order), shared by all who look
// at one list of members. An id may occur more than once.
using ClientIdList = std::shared_ptr<const std::vector<Name>>;

// What a share depends on, besides the client id. Callers sort both lists; a
// strategy takes them as they are. Either may be null, which is as good as
// empty. All names are of one table.
struct AllocationView {
  QueueList queues;
  ClientIdList client_ids;
};

// The shares of all clients under one view. Keeps what it needs of the view, so
// it may be kept and shared by everyone who has an equal one.
class AllocationPlan {
 public:
  virtual ~AllocationPlan() = default;

  // The queues of one client, in the order of the strategy; none for a client
  // that is not in the list. An error where the strategy refuses the client id
  // or the view (InvalidArgument); the caller then keeps what it has.
  virtual absl::StatusOr<std::vector<MessageQueue>> For(
      Name client_id) const = 0;
};
using AllocationPlanPtr = std::shared_ptr<const AllocationPlan>;

// AllocateMessageQueueStrategy, 5.3.3. A strategy is immutable and may serve
// many groups at once. What all shares of a view have in common is worked out
// in Prepare(), what is one client's own in For().
class AllocationStrategy {
 public:
  virtual ~AllocationStrategy() = default;

  // As upstream's getName: "AVG".
  virtual absl::string_view name() const = 0;

  // Never null; a view that the strategy refuses gives a plan that says so to
  // every client.
  virtual AllocationPlanPtr Prepare(const AllocationView& view) const = 0;
};

// What most strategies refuse, in this order: an empty client id, no queues, no
// client ids (AbstractAllocateMessageQueueStrategy.check, 5.3.3).
absl::Status CheckAllocationInput(Name client_id, const AllocationView& view);

// Where client ids stand in a view's list.
class ClientPositions {
 public:
  explicit ClientPositions(const AllocationView& view);

  // The place of the client id; of equal ones the first counts. Nothing if it
  // is not in the list. The errors are those of CheckAllocationInput. Takes
  // longer where the list is not in the order of texts.
  absl::StatusOr<std::optional<size_t>> Find(Name client_id) const;

 private:
  const AllocationView view_;
  const bool sorted_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_STRATEGY_H_
