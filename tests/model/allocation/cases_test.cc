// Surprises that people have reported of real groups, with their numbers.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "model/allocation/averagely.h"
#include "model/allocation/averagely_by_circle.h"
#include "model/allocation/by_machine_room.h"
#include "model/allocation/consistent_hash.h"
#include "model/allocation/strategy.h"
#include "model/wire/message_queue.h"
#include "tests/model/allocation/views.h"

namespace groupsim {
namespace {

class AllocationCaseTest : public StrategyTest {
 protected:
  // Sizes of all shares.
  std::vector<size_t> Sizes(const AllocationStrategy& strategy,
                            const AllocationView& view) {
    std::vector<size_t> sizes;
    for (const Queues& share : AllShares(strategy, view)) {
      sizes.push_back(share.size());
    }
    return sizes;
  }
};

using Sizes = std::vector<size_t>;

TEST_F(AllocationCaseTest, TheSurplusQueueOfEveryTopicGoesToTheFirstClient) {
  const AllocateAveragely averagely;
  const AllocateAveragelyByCircle circle;
  for (const AllocationStrategy* strategy :
       std::vector<const AllocationStrategy*>{&averagely, &circle}) {
    size_t first = 0;
    size_t second = 0;
    for (const std::string topic : {"T1", "T2", "T3", "T4"}) {
      const auto view = View(On("a", 5, topic), Clients({"c1", "c2"}));
      first += ShareOf(*strategy, view, "c1").size();
      second += ShareOf(*strategy, view, "c2").size();
    }
    EXPECT_EQ(first, 12u);
    EXPECT_EQ(second, 8u);
  }
  const auto view = View(On("a", 5), Clients({"c1", "c2"}));
  EXPECT_EQ(IdsOf(averagely, view, "c1"), (Ids{0, 1, 2}));
  EXPECT_EQ(IdsOf(averagely, view, "c2"), (Ids{3, 4}));
  EXPECT_EQ(IdsOf(circle, view, "c1"), (Ids{0, 2, 4}));
  EXPECT_EQ(IdsOf(circle, view, "c2"), (Ids{1, 3}));
}

TEST_F(AllocationCaseTest, AMachineRoomCountsWithinTheRoomOnly) {
  const AllocateByMachineRoom room({{"Y"}});
  const auto view =
      View(Join(On("X@a", 2), On("Y@b", 4)), Clients({"c1", "c2"}));
  const Queues y = On("Y@b", 4);
  EXPECT_EQ(ShareOf(room, view, "c1"), (Queues{y[0], y[1]}));
  EXPECT_EQ(ShareOf(room, view, "c2"), (Queues{y[2], y[3]}));
}

TEST_F(AllocationCaseTest, ConsistentHashLeavesMembersIdle) {
  const auto counts = [&](int members) {
    std::vector<std::string> ids;
    for (int i = 1; i <= members; ++i) {
      ids.push_back(absl::StrFormat("c%02d", i));
    }
    return Sizes(AllocateByConsistentHash(),
                 View(On("broker-a", 16, "T"), Clients(ids)));
  };
  EXPECT_EQ(counts(4), (std::vector<size_t>{2, 4, 2, 8}));
  EXPECT_EQ(counts(8), (std::vector<size_t>{1, 1, 1, 3, 2, 2, 2, 4}));
  EXPECT_EQ(counts(16), (std::vector<size_t>{0, 1, 0, 1, 1, 1, 1, 1, 2, 0, 3, 3,
                                             0, 1, 1, 0}));
}

TEST_F(AllocationCaseTest, OneCrashShiftsEveryQueueWhereMembersAbound) {
  const AllocateAveragely averagely;
  const Queues queues = On("a", 4, "T");
  const auto before =
      View(queues, Clients({"c1", "c2", "c3", "c4", "c5", "c6"}));
  const auto after = View(queues, Clients({"c2", "c3", "c4", "c5", "c6"}));
  EXPECT_EQ(Sizes(averagely, before), (std::vector<size_t>{1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(Sizes(averagely, after), (std::vector<size_t>{1, 1, 1, 1, 0}));
  EXPECT_EQ(IdsOf(averagely, before, "c1"), Ids{0});
  for (const auto& [id, was, is] :
       std::vector<std::tuple<std::string, Ids, Ids>>{{"c2", {1}, {0}},
                                                      {"c3", {2}, {1}},
                                                      {"c4", {3}, {2}},
                                                      {"c5", {}, {3}},
                                                      {"c6", {}, {}}}) {
    EXPECT_EQ(IdsOf(averagely, before, id), was) << id;
    EXPECT_EQ(IdsOf(averagely, after, id), is) << id;
  }
}

TEST_F(AllocationCaseTest,
       ClientsThatSortDifferentlyShareQueuesAndLeaveOthers) {
  const AllocateAveragely averagely;
  const Queues ascending = Join(On("a", 2), On("b", 2));
  const Queues descending = Join(On("b", 2), On("a", 2));
  const std::vector<Name> clients = Clients({"c1", "c2"});
  EXPECT_EQ(ShareOf(averagely, View(ascending, clients), "c1"), On("a", 2));
  EXPECT_EQ(ShareOf(averagely, View(descending, clients), "c2"), On("a", 2));
}

}  // namespace
}  // namespace groupsim
