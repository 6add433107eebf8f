#include "model/allocation/consistent_hash.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/allocation/hash_ring.h"
#include "model/allocation/strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

// Writes the texts of queues; faster than ToString where neighbours lie on the
// same broker.
class QueueTexts {
 public:
  absl::string_view Of(const MessageQueue& queue) {
    if (stem_ == 0 || queue.topic != last_.topic ||
        queue.broker != last_.broker) {
      text_ = ToString(queue);
      stem_ = text_.rfind('=') + 1;
      last_ = queue;
      return text_;
    }
    text_.resize(stem_);
    absl::StrAppend(&text_, queue.queue_id, "]");
    return text_;
  }

 private:
  std::string text_;
  size_t stem_ = 0;  // Length of what comes before the queue id.
  MessageQueue last_;
};

class ConsistentHashPlan final : public AllocationPlan {
 public:
  ConsistentHashPlan(AllocationView view,
                     const AllocateByConsistentHash::Options& options)
      : view_(std::move(view)) {
    if (view_.queues == nullptr || view_.client_ids == nullptr) return;
    const std::vector<MessageQueue>& queues = *view_.queues;
    const std::vector<Name>& clients = *view_.client_ids;
    CHECK_LE(queues.size(), size_t{UINT32_MAX});
    positions_.reserve(clients.size());
    for (uint32_t i = 0; i < clients.size(); ++i) {
      positions_.try_emplace(clients[i], i);
    }
    const HashRing ring(clients, options.virtual_nodes, options.hash);
    if (ring.size() == 0) return;
    // Queues sorted by owner, in their own order within one owner's share.
    QueueTexts texts;
    std::vector<uint32_t> owners(queues.size());
    ends_.assign(clients.size() + 1, 0);
    for (size_t i = 0; i < queues.size(); ++i) {
      const size_t owner = ring.Next(options.hash(texts.Of(queues[i])))->owner;
      owners[i] = static_cast<uint32_t>(owner);
      ++ends_[owner + 1];
    }
    for (size_t i = 0; i < clients.size(); ++i) ends_[i + 1] += ends_[i];
    by_owner_.resize(queues.size());
    // Filling moves the start of each share to its end, that is, each entry of
    // ends_ to the next one's value.
    for (size_t i = 0; i < queues.size(); ++i) {
      by_owner_[ends_[owners[i]]++] = queues[i];
    }
  }

  absl::StatusOr<std::vector<MessageQueue>> For(Name client_id) const override {
    if (absl::Status status = CheckAllocationInput(client_id, view_);
        !status.ok()) {
      return status;
    }
    const auto position = positions_.find(client_id);
    if (position == positions_.end() || by_owner_.empty()) {
      return std::vector<MessageQueue>();
    }
    const uint32_t first =
        position->second == 0 ? 0 : ends_[position->second - 1];
    return std::vector<MessageQueue>(
        by_owner_.begin() + first, by_owner_.begin() + ends_[position->second]);
  }

 private:
  const AllocationView view_;
  absl::flat_hash_map<Name, uint32_t> positions_;  // Of first occurrences.
  std::vector<MessageQueue> by_owner_;
  std::vector<uint32_t> ends_;  // Of each client's share in it.
};

}  // namespace

absl::StatusOr<std::shared_ptr<const AllocateByConsistentHash>>
AllocateByConsistentHash::Create(const Options& options) {
  CHECK(options.hash != nullptr);
  if (options.virtual_nodes < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the number of virtual nodes must not be negative, but is ",
        options.virtual_nodes));
  }
  return std::shared_ptr<const AllocateByConsistentHash>(
      absl::WrapUnique(new AllocateByConsistentHash(options)));
}

AllocationPlanPtr AllocateByConsistentHash::Prepare(
    const AllocationView& view) const {
  return std::make_shared<const ConsistentHashPlan>(view, options_);
}

}  // namespace groupsim
