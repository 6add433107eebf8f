// Queues and clients for tests of strategies.
#ifndef GROUPSIM_TESTS_MODEL_ALLOCATION_VIEWS_H_
#define GROUPSIM_TESTS_MODEL_ALLOCATION_VIEWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

using Queues = std::vector<MessageQueue>;
using Ids = std::vector<int32_t>;

// Small whole numbers that look random and are the same everywhere.
class TestNumbers {
 public:
  explicit TestNumbers(uint64_t seed) : state_(seed) {}

  // From 0 to bound - 1.
  size_t Below(size_t bound) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return static_cast<size_t>((state_ >> 33) % bound);
  }

  template <class T>
  void Shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[Below(i)]);
    }
  }

 private:
  uint64_t state_;
};

class StrategyTest : public testing::Test {
 protected:
  // Queues 0 to count - 1 of a topic on one broker.
  Queues On(const std::string& broker, size_t count,
            const std::string& topic = "orders") {
    Queues queues;
    for (size_t i = 0; i < count; ++i) {
      queues.push_back({.topic = names_.Intern(topic),
                        .broker = names_.Intern(broker),
                        .queue_id = static_cast<int32_t>(i)});
    }
    return queues;
  }

  static Queues Join(Queues a, const Queues& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  std::vector<Name> Clients(const std::vector<std::string>& ids) {
    std::vector<Name> clients;
    for (const std::string& id : ids) clients.push_back(names_.Intern(id));
    return clients;
  }

  // "c-10", "c-11", ...: in the order of their texts up to 90 of them.
  std::vector<Name> Clients(size_t count) {
    std::vector<std::string> ids;
    for (size_t i = 0; i < count; ++i)
      ids.push_back(absl::StrCat("c-", 10 + i));
    return Clients(ids);
  }

  static AllocationView View(Queues queues, std::vector<Name> clients) {
    return {std::make_shared<const Queues>(std::move(queues)),
            std::make_shared<const std::vector<Name>>(std::move(clients))};
  }

  Queues ShareOf(const AllocationStrategy& strategy, const AllocationView& view,
                 const std::string& client) {
    const auto share = strategy.Prepare(view)->For(names_.Intern(client));
    EXPECT_TRUE(share.ok()) << share.status();
    return share.ok() ? *share : Queues();
  }

  // The queue ids of a share.
  Ids IdsOf(const AllocationStrategy& strategy, const AllocationView& view,
            const std::string& client) {
    Ids ids;
    for (const MessageQueue& queue : ShareOf(strategy, view, client)) {
      ids.push_back(queue.queue_id);
    }
    return ids;
  }

  std::string ErrorOf(const AllocationStrategy& strategy,
                      const AllocationView& view, const std::string& client) {
    const auto share = strategy.Prepare(view)->For(names_.Intern(client));
    EXPECT_EQ(share.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(share.status().message());
  }

  // All shares, in the order of the view's clients, from one plan.
  static std::vector<Queues> AllShares(const AllocationStrategy& strategy,
                                       const AllocationView& view) {
    const AllocationPlanPtr plan = strategy.Prepare(view);
    std::vector<Queues> shares;
    for (const Name client : *view.client_ids) {
      const auto share = plan->For(client);
      EXPECT_TRUE(share.ok()) << share.status();
      shares.push_back(share.ok() ? *share : Queues());
    }
    return shares;
  }

  NameTable names_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_MODEL_ALLOCATION_VIEWS_H_
