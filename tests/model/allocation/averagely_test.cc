#include "model/allocation/averagely.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

class AveragelyTest : public testing::Test {
 protected:
  // Queues of one topic, numbered through.
  QueueList Queues(size_t count) {
    std::vector<MessageQueue> queues;
    for (size_t i = 0; i < count; ++i) {
      queues.push_back({.topic = names_.Intern("orders"),
                        .broker = names_.Intern("broker-a"),
                        .queue_id = static_cast<int32_t>(i)});
    }
    return std::make_shared<const std::vector<MessageQueue>>(std::move(queues));
  }

  ClientIdList Clients(const std::vector<std::string>& ids) {
    std::vector<Name> clients;
    for (const std::string& id : ids) clients.push_back(names_.Intern(id));
    return std::make_shared<const std::vector<Name>>(std::move(clients));
  }

  ClientIdList Clients(size_t count) {
    std::vector<std::string> ids;
    for (size_t i = 0; i < count; ++i) ids.push_back(absl::StrCat("c-", i));
    return Clients(ids);
  }

  absl::StatusOr<std::vector<MessageQueue>> Allocate(
      const AllocationView& view, const std::string& client_id) {
    return AllocateAveragely().Prepare(view)->For(names_.Intern(client_id));
  }

  // The queue ids of a share.
  std::vector<int32_t> Share(const AllocationView& view,
                             const std::string& client_id) {
    const auto queues = Allocate(view, client_id);
    EXPECT_TRUE(queues.ok()) << queues.status();
    std::vector<int32_t> ids;
    if (!queues.ok()) return ids;
    for (const MessageQueue& queue : *queues) ids.push_back(queue.queue_id);
    return ids;
  }

  std::string ErrorOf(const AllocationView& view,
                      const std::string& client_id) {
    const absl::Status status = Allocate(view, client_id).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  }

  NameTable names_;
};

using Ids = std::vector<int32_t>;

TEST_F(AveragelyTest, IsNamedAsUpstream) {
  EXPECT_EQ(AllocateAveragely().name(), "AVG");
}

TEST_F(AveragelyTest, TheFirstClientsGetTheQueuesThatAreLeftOver) {
  const AllocationView view = {Queues(8), Clients(3)};
  EXPECT_EQ(Share(view, "c-0"), (Ids{0, 1, 2}));
  EXPECT_EQ(Share(view, "c-1"), (Ids{3, 4, 5}));
  EXPECT_EQ(Share(view, "c-2"), (Ids{6, 7}));
}

TEST_F(AveragelyTest, WithMoreClientsThanQueuesTheLastOnesGetNone) {
  const AllocationView view = {Queues(2), Clients(4)};
  EXPECT_EQ(Share(view, "c-0"), Ids{0});
  EXPECT_EQ(Share(view, "c-1"), Ids{1});
  EXPECT_EQ(Share(view, "c-2"), Ids{});
  EXPECT_EQ(Share(view, "c-3"), Ids{});
}

TEST_F(AveragelyTest, AStrangerGetsNothing) {
  EXPECT_EQ(Share({Queues(8), Clients(3)}, "stranger"), Ids{});
  EXPECT_EQ(Share({Queues(8), Clients(3)}, " "), Ids{});
  EXPECT_EQ(Share({Queues(8), Clients(3)}, "C-0"), Ids{});
}

TEST_F(AveragelyTest, AnIdThatOccursTwiceHasTheShareOfItsFirstPlace) {
  const AllocationView view = {Queues(6), Clients({"a", "b", "b"})};
  EXPECT_EQ(Share(view, "a"), (Ids{0, 1}));
  EXPECT_EQ(Share(view, "b"), (Ids{2, 3}));  // 4 and 5 are nobody's.
}

TEST_F(AveragelyTest, ListsAreTakenAsTheyAre) {
  auto queues = std::make_shared<std::vector<MessageQueue>>(*Queues(4));
  std::reverse(queues->begin(), queues->end());
  const AllocationView view = {queues, Clients({"b", "a"})};
  EXPECT_EQ(Share(view, "b"), (Ids{3, 2}));
  EXPECT_EQ(Share(view, "a"), (Ids{1, 0}));
}

TEST_F(AveragelyTest, EmptyInputIsRefusedTheClientIdFirst) {
  EXPECT_EQ(ErrorOf({Queues(2), Clients(2)}, ""), "the client id is empty");
  EXPECT_EQ(ErrorOf({nullptr, nullptr}, ""), "the client id is empty");
  EXPECT_EQ(ErrorOf({Queues(0), Clients(2)}, "c-0"),
            "there are no queues to allocate");
  EXPECT_EQ(ErrorOf({nullptr, nullptr}, "c-0"),
            "there are no queues to allocate");
  EXPECT_EQ(ErrorOf({Queues(2), Clients(size_t{0})}, "c-0"),
            "there are no client ids to allocate queues to");
  EXPECT_EQ(ErrorOf({Queues(2), nullptr}, "c-0"),
            "there are no client ids to allocate queues to");
}

TEST_F(AveragelyTest, APlanServesEveryClientAndOutlivesTheCallersLists) {
  AllocationPlanPtr plan;
  {
    const AllocationView view = {Queues(5), Clients(2)};
    plan = AllocateAveragely().Prepare(view);
  }
  EXPECT_EQ(plan->For(names_.Intern("c-0"))->size(), 3u);
  EXPECT_EQ(plan->For(names_.Intern("c-1"))->size(), 2u);
  EXPECT_EQ(plan->For(names_.Intern("c-0"))->size(), 3u);
}

// Every small case against the promises.
TEST_F(AveragelyTest, EachQueueHasOneOwnerAndSharesAreEvenAndContiguous) {
  for (size_t queue_count = 0; queue_count <= 64; ++queue_count) {
    for (size_t client_count = 0; client_count <= 16; ++client_count) {
      const AllocationView view = {Queues(queue_count), Clients(client_count)};
      if (queue_count == 0 || client_count == 0) {
        EXPECT_FALSE(Allocate(view, "c-0").ok());
        continue;
      }
      const AllocationPlanPtr shared = AllocateAveragely().Prepare(view);
      size_t next = 0;  // All shares in turn are all queues in turn.
      size_t smallest = queue_count;
      size_t largest = 0;
      for (const Name client : *view.client_ids) {
        const auto share = shared->For(client);
        ASSERT_TRUE(share.ok());
        // Whoever asks, with a plan of its own or not, is told the same.
        EXPECT_EQ(*AllocateAveragely().Prepare(view)->For(client), *share);
        for (const MessageQueue& queue : *share) {
          ASSERT_LT(next, queue_count);
          EXPECT_EQ(queue, (*view.queues)[next]);
          ++next;
        }
        EXPECT_LE(share->size(), largest == 0 ? queue_count : smallest);
        smallest = std::min(smallest, share->size());
        largest = std::max(largest, share->size());
      }
      EXPECT_EQ(next, queue_count) << queue_count << " x " << client_count;
      EXPECT_LE(largest - smallest, 1u) << queue_count << " x " << client_count;
    }
  }
}

// The formula as upstream writes it.
QueueShare UpstreamShare(int64_t queues, int64_t clients, int64_t index) {
  const int64_t mod = queues % clients;
  const int64_t average = queues <= clients        ? 1
                          : mod > 0 && index < mod ? queues / clients + 1
                                                   : queues / clients;
  const int64_t start =
      mod > 0 && index < mod ? index * average : index * average + mod;
  const int64_t range = std::min(average, queues - start);
  return range <= 0 ? QueueShare{}
                    : QueueShare{static_cast<size_t>(start),
                                 static_cast<size_t>(range)};
}

TEST_F(AveragelyTest, SharesAreThoseOfTheUpstreamFormula) {
  for (size_t queues = 1; queues <= 200; ++queues) {
    for (size_t clients = 1; clients <= 50; ++clients) {
      for (size_t i = 0; i < clients; ++i) {
        const QueueShare share =
            AveragelyShare({.queues = queues, .clients = clients}, i);
        const QueueShare upstream = UpstreamShare(static_cast<int64_t>(queues),
                                                  static_cast<int64_t>(clients),
                                                  static_cast<int64_t>(i));
        EXPECT_EQ(share.count, upstream.count);
        if (share.count > 0) {
          EXPECT_EQ(share.first, upstream.first);
        }
      }
    }
  }
}

}  // namespace
}  // namespace groupsim
