// RocketMQ's strategies but for averagely, on cases for people.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "model/allocation/averagely.h"
#include "model/allocation/averagely_by_circle.h"
#include "model/allocation/by_config.h"
#include "model/allocation/by_machine_room.h"
#include "model/allocation/consistent_hash.h"
#include "model/allocation/machine_room_nearby.h"
#include "model/allocation/room_resolver.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "tests/model/allocation/views.h"
#include "tests/support/room_prefix.h"

namespace groupsim {
namespace {

TEST_F(StrategyTest, NamesAreThoseOfUpstream) {
  EXPECT_EQ(AllocateAveragelyByCircle().name(), "AVG_BY_CIRCLE");
  EXPECT_EQ(AllocateByConfig({}).name(), "CONFIG");
  EXPECT_EQ(AllocateByMachineRoom(std::nullopt).name(), "MACHINE_ROOM");
  EXPECT_EQ(AllocateByConsistentHash().name(), "CONSISTENT_HASH");
  const AllocateMachineRoomNearby nearby(std::make_shared<AllocateAveragely>(),
                                         std::make_shared<RoomPrefix>('-'));
  EXPECT_EQ(nearby.name(), "MACHINE_ROOM_NEARBY-AVG");
}

TEST_F(StrategyTest, TheFirstOfEqualIdsCountsInAListOfAnyOrder) {
  for (const std::vector<Name>& ids :
       {Clients({"a", "b", "b", "c"}), Clients({"c", "b", "a", "b"})}) {
    const ClientPositions positions(View(On("q", 1), ids));
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto found = positions.Find(ids[i]);
      ASSERT_TRUE(found.ok());
      ASSERT_TRUE(found->has_value());
      EXPECT_EQ(ids[**found], ids[i]);
      EXPECT_EQ(**found, ids[i].text() == "b" ? 1 : i);
    }
    const auto stranger = positions.Find(Clients({"bb"})[0]);
    ASSERT_TRUE(stranger.ok());
    EXPECT_FALSE(stranger->has_value());
  }
}

// ---- By circle ----

TEST_F(StrategyTest, ByCircleDealsQueuesOutInTurn) {
  const AllocateAveragelyByCircle circle;
  const AllocationView view = View(On("a", 8), Clients({"x", "y", "z"}));
  EXPECT_EQ(IdsOf(circle, view, "x"), (Ids{0, 3, 6}));
  EXPECT_EQ(IdsOf(circle, view, "y"), (Ids{1, 4, 7}));
  EXPECT_EQ(IdsOf(circle, view, "z"), (Ids{2, 5}));
  EXPECT_EQ(IdsOf(circle, view, "stranger"), Ids{});
}

TEST_F(StrategyTest, ByCircleLeavesTheQueuesOfASecondOccurrenceToNobody) {
  const AllocateAveragelyByCircle circle;
  const AllocationView view = View(On("a", 4), Clients({"a", "a", "b"}));
  EXPECT_EQ(IdsOf(circle, view, "a"), (Ids{0, 3}));
  EXPECT_EQ(IdsOf(circle, view, "b"), Ids{2});
}

// ---- By configuration ----

TEST_F(StrategyTest, AConfiguredListIsGivenToEveryoneAndNeverRefused) {
  const Queues list = Join(On("a", 2), On("b", 1, "payments"));
  const AllocateByConfig config(list);
  EXPECT_EQ(ShareOf(config, View(On("a", 8), Clients({"x"})), "x"), list);
  EXPECT_EQ(ShareOf(config, View(On("a", 8), Clients({"x"})), "y"), list);
  EXPECT_EQ(ShareOf(config, {nullptr, nullptr}, ""), list);
  EXPECT_EQ(ShareOf(AllocateByConfig({}), View({}, {}), "x"), Queues{});
}

// ---- By machine room ----

TEST_F(StrategyTest, AMachineRoomSharesBlocksAndThenTheRest) {
  const AllocateByMachineRoom room({{"west"}});
  const AllocationView view =
      View(Join(On("east@a", 3), On("west@a", 8)), Clients({"x", "y", "z"}));
  EXPECT_EQ(IdsOf(room, view, "x"), (Ids{0, 1, 6}));
  EXPECT_EQ(IdsOf(room, view, "y"), (Ids{2, 3, 7}));
  EXPECT_EQ(IdsOf(room, view, "z"), (Ids{4, 5}));
  for (const MessageQueue& queue : ShareOf(room, view, "x")) {
    EXPECT_EQ(queue.broker.text(), "west@a");
  }
}

TEST_F(StrategyTest, AMachineRoomTakesNoNoticeOfClientsRooms) {
  const AllocateByMachineRoom room({{"west"}});
  const AllocationView view =
      View(On("west@a", 2), Clients({"east@x", "west@y"}));
  EXPECT_EQ(IdsOf(room, view, "east@x"), Ids{0});
  EXPECT_EQ(IdsOf(room, view, "west@y"), Ids{1});
}

TEST_F(StrategyTest, WithoutASetOfRoomsOnlyNamesWithARoomAreRefused) {
  const AllocateByMachineRoom unset(std::nullopt);
  EXPECT_EQ(ShareOf(unset, View(On("plain", 2), Clients({"x"})), "x"),
            Queues{});
  const AllocationView view = View(On("west@a", 2), Clients({"x"}));
  EXPECT_EQ(ErrorOf(unset, view, "x"), "no set of machine rooms is configured");
  EXPECT_EQ(ShareOf(unset, view, "stranger"), Queues{});
  EXPECT_EQ(ErrorOf(unset, view, ""), "the client id is empty");
}

TEST_F(StrategyTest, OnlyOneSignBetweenRoomAndNameMakesARoom) {
  using Room = std::optional<absl::string_view>;
  EXPECT_EQ(RoomInBrokerName("west@a"), Room("west"));
  EXPECT_EQ(RoomInBrokerName("@a"), Room(""));
  EXPECT_EQ(RoomInBrokerName("west@a@@"), Room("west"));
  for (const char* name : {"", "@", "@@", "west", "west@", "a@b@c", "a@@b"}) {
    EXPECT_EQ(RoomInBrokerName(name), std::nullopt) << name;
  }
}

// ---- Machine room nearby ----

TEST_F(StrategyTest, NearbyGivesARoomsQueuesToItsClients) {
  const AllocateMachineRoomNearby nearby(std::make_shared<AllocateAveragely>(),
                                         std::make_shared<RoomPrefix>('-'));
  const AllocationView view = View(Join(On("r1-a", 4), On("r2-a", 2)),
                                   Clients({"r1-x", "r1-y", "r2-z"}));
  EXPECT_EQ(ShareOf(nearby, view, "r2-z"), On("r2-a", 2));
  EXPECT_EQ(IdsOf(nearby, view, "r1-x"), (Ids{0, 1}));
  EXPECT_EQ(IdsOf(nearby, view, "r1-y"), (Ids{2, 3}));
}

TEST_F(StrategyTest, NearbySharesTheQueuesOfEmptyRoomsAmongAll) {
  const AllocateMachineRoomNearby nearby(std::make_shared<AllocateAveragely>(),
                                         std::make_shared<RoomPrefix>('-'));
  const AllocationView view =
      View(Join(Join(On("r1-a", 1), On("r2-a", 2)), On("r3-a", 2)),
           Clients({"r1-x", "r9-y"}));
  const Queues r2 = On("r2-a", 2);
  const Queues r3 = On("r3-a", 2);
  EXPECT_EQ(ShareOf(nearby, view, "r1-x"), Join(On("r1-a", 1), {r2[0], r3[0]}));
  EXPECT_EQ(ShareOf(nearby, view, "r9-y"), (Queues{r2[1], r3[1]}));
}

TEST_F(StrategyTest, NearbyRefusesEveryoneIfARoomIsNotKnown) {
  const auto rooms = std::make_shared<RoomTable>();
  const AllocateMachineRoomNearby nearby(std::make_shared<AllocateAveragely>(),
                                         rooms);
  const AllocationView view = View(On("a", 1), Clients({"x", "y"}));
  EXPECT_EQ(ErrorOf(nearby, view, "x"),
            "no machine room is known of MessageQueue [topic=orders, "
            "brokerName=a, queueId=0]");
  rooms->SetBroker(names_.Intern("a"), "r1");
  rooms->SetClient(names_.Intern("x"), "r1");
  EXPECT_EQ(ErrorOf(nearby, view, "x"),
            "no machine room is known of the client id y");
  EXPECT_EQ(ShareOf(nearby, view, "stranger"), Queues{});
  rooms->SetClient(names_.Intern("y"), "r2");
  EXPECT_EQ(ShareOf(nearby, view, "x"), On("a", 1));
}

TEST_F(StrategyTest, NearbyPassesOnWhatItsInnerStrategyRefuses) {
  const AllocateMachineRoomNearby nearby(
      std::make_shared<AllocateByMachineRoom>(std::nullopt),
      std::make_shared<RoomPrefix>('@'));
  const AllocationView view = View(On("r1@a", 1), Clients({"r1@x"}));
  EXPECT_EQ(ErrorOf(nearby, view, "r1@x"),
            "no set of machine rooms is configured");
}

// ---- Consistent hash ----

TEST_F(StrategyTest, ConsistentHashWithoutVirtualNodesGivesNobodyAnything) {
  const auto none = AllocateByConsistentHash::Create({.virtual_nodes = 0});
  ASSERT_TRUE(none.ok());
  const AllocationView view = View(On("a", 8), Clients({"x", "y"}));
  EXPECT_EQ(ShareOf(**none, view, "x"), Queues{});
  EXPECT_EQ(ErrorOf(**none, view, ""), "the client id is empty");
}

TEST_F(StrategyTest, ANegativeNumberOfVirtualNodesIsRefused) {
  const auto none = AllocateByConsistentHash::Create({.virtual_nodes = -3});
  EXPECT_EQ(none.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(none.status().message(),
            "the number of virtual nodes must not be negative, but is -3");
}

TEST_F(StrategyTest, ConsistentHashGivesAllQueuesToTheOnlyClientInTheirOrder) {
  Queues queues = On("a", 8);
  std::swap(queues[0], queues[5]);
  EXPECT_EQ(
      ShareOf(AllocateByConsistentHash(), View(queues, Clients({"x"})), "x"),
      queues);
}

// The published example: ids of three hosts, two brokers of four queues.
TEST_F(StrategyTest, ConsistentHashFollowsTheRing) {
  EXPECT_EQ(Md5RingHash("192.168.0.1@1-0"), 2325484510);
  EXPECT_EQ(Md5RingHash("192.168.0.1@1-1"), 915250202);
  EXPECT_EQ(Md5RingHash("192.168.0.3@3-0"), 3872045268);
  const AllocateByConsistentHash hash;
  const Queues queues =
      Join(On("broker-a", 4, "TopicA"), On("broker-b", 4, "TopicA"));
  const std::vector<std::string> ids = {"192.168.0.1@1", "192.168.0.2@2",
                                        "192.168.0.3@3"};
  const AllocationView three = View(queues, Clients(ids));
  EXPECT_EQ(ShareOf(hash, three, ids[0]), Queues{queues[1]});
  EXPECT_EQ(ShareOf(hash, three, ids[1]),
            (Queues{queues[0], queues[3], queues[4], queues[6]}));
  EXPECT_EQ(ShareOf(hash, three, ids[2]),
            (Queues{queues[2], queues[5], queues[7]}));
  const AllocationView two = View(queues, Clients({ids[0], ids[1]}));
  EXPECT_EQ(ShareOf(hash, two, ids[0]), Queues{queues[1]});
  EXPECT_EQ(ShareOf(hash, two, ids[1]).size(), 7u);
}

// ---- What all but the configured list refuse ----

TEST_F(StrategyTest, EmptyInputIsRefusedTheClientIdFirst) {
  const AllocateAveragelyByCircle circle;
  const AllocateByMachineRoom room({{"west"}});
  const AllocateMachineRoomNearby nearby(std::make_shared<AllocateAveragely>(),
                                         std::make_shared<RoomPrefix>('-'));
  const AllocateByConsistentHash hash;
  const Queues queues = On("r1-a", 2);
  for (const AllocationStrategy* strategy :
       std::vector<const AllocationStrategy*>{&circle, &room, &nearby, &hash}) {
    SCOPED_TRACE(strategy->name());
    EXPECT_EQ(ErrorOf(*strategy, {nullptr, nullptr}, ""),
              "the client id is empty");
    EXPECT_EQ(ErrorOf(*strategy, {nullptr, nullptr}, "x"),
              "there are no queues to allocate");
    EXPECT_EQ(ErrorOf(*strategy, View({}, Clients({"x"})), "x"),
              "there are no queues to allocate");
    EXPECT_EQ(ErrorOf(*strategy, View(queues, {}), "x"),
              "there are no client ids to allocate queues to");
    EXPECT_EQ(ErrorOf(*strategy, {View(queues, {}).queues, nullptr}, "x"),
              "there are no client ids to allocate queues to");
  }
}

}  // namespace
}  // namespace groupsim
