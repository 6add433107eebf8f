// What RocketMQ's strategies promise, over every small case and random large
// ones.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/allocation/averagely.h"
#include "model/allocation/averagely_by_circle.h"
#include "model/allocation/by_machine_room.h"
#include "model/allocation/consistent_hash.h"
#include "model/allocation/hash_ring.h"
#include "model/allocation/machine_room_nearby.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "tests/model/allocation/views.h"
#include "tests/support/room_prefix.h"

namespace groupsim {
namespace {

struct Subject {
  std::string name;
  std::shared_ptr<const AllocationStrategy> strategy;
  bool even = false;        // Sizes of all shares differ by at most one.
  bool consistent = false;  // Queues move to a joiner and from a leaver only.
  bool any_order = false;   // Owners do not depend on the order of the lists.
};

std::vector<Subject> AllSubjects() {
  const auto rooms = std::make_shared<RoomPrefix>('.');
  std::vector<Subject> subjects;
  subjects.push_back({.name = "averagely",
                      .strategy = std::make_shared<AllocateAveragely>(),
                      .even = true});
  subjects.push_back({.name = "by circle",
                      .strategy = std::make_shared<AllocateAveragelyByCircle>(),
                      .even = true});
  subjects.push_back({.name = "machine room",
                      .strategy = std::make_shared<AllocateByMachineRoom>(
                          std::vector<std::string>{"r0.k", "r1.k", "r2.k"}),
                      .even = true});
  subjects.push_back({.name = "consistent hash",
                      .strategy = std::make_shared<AllocateByConsistentHash>(),
                      .consistent = true,
                      .any_order = true});
  subjects.push_back({.name = "nearby, averagely",
                      .strategy = std::make_shared<AllocateMachineRoomNearby>(
                          std::make_shared<AllocateAveragely>(), rooms)});
  subjects.push_back(
      {.name = "nearby, by circle",
       .strategy = std::make_shared<AllocateMachineRoomNearby>(
           std::make_shared<AllocateAveragelyByCircle>(), rooms)});
  subjects.push_back({.name = "nearby, consistent hash",
                      .strategy = std::make_shared<AllocateMachineRoomNearby>(
                          std::make_shared<AllocateByConsistentHash>(), rooms),
                      .any_order = true});
  return subjects;
}

class PropertiesTest : public StrategyTest {
 protected:
  // Queues over brokers of eight in three rooms, in order.
  Queues SpreadQueues(size_t count) {
    Queues queues;
    for (size_t i = 0; i < count; ++i) {
      queues.push_back({.topic = names_.Intern("orders"),
                        .broker = names_.Intern(
                            absl::StrCat("r", i / 8 % 3, ".k@broker-", i / 8)),
                        .queue_id = static_cast<int32_t>(i % 8)});
    }
    std::sort(queues.begin(), queues.end());
    return queues;
  }

  // Clients in two of the rooms, in order.
  std::vector<Name> SpreadClients(size_t count) {
    std::vector<Name> clients;
    for (size_t i = 0; i < count; ++i) {
      clients.push_back(names_.Intern(
          absl::StrCat("r", i % 2, ".10.0.0.", i, "@", 1'000 + 7 * i)));
    }
    std::sort(clients.begin(), clients.end());
    return clients;
  }

  static std::map<MessageQueue, Name> OwnersOf(
      const AllocationView& view, const std::vector<Queues>& shares) {
    std::map<MessageQueue, Name> owners;
    for (size_t i = 0; i < shares.size(); ++i) {
      for (const MessageQueue& queue : shares[i]) {
        EXPECT_TRUE(owners.emplace(queue, (*view.client_ids)[i]).second)
            << queue << " has two owners";
      }
    }
    return owners;
  }

  void Check(const Subject& subject, const AllocationView& view) {
    SCOPED_TRACE(absl::StrCat(subject.name, ", ", view.queues->size(),
                              " queues, ", view.client_ids->size(),
                              " clients"));
    const std::vector<Queues> shares = AllShares(*subject.strategy, view);
    const auto owners = OwnersOf(view, shares);
    EXPECT_EQ(owners.size(), view.queues->size()) << "queues without owners";
    for (const auto& [queue, owner] : owners) {
      ASSERT_TRUE(
          std::binary_search(view.queues->begin(), view.queues->end(), queue));
    }
    if (subject.even) {
      const auto [least, most] = std::minmax_element(
          shares.begin(), shares.end(),
          [](const Queues& a, const Queues& b) { return a.size() < b.size(); });
      EXPECT_LE(most->size() - least->size(), 1u);
    }
    // Whoever asks, with a plan of its own, is told the same.
    const size_t some = view.queues->size() % view.client_ids->size();
    EXPECT_EQ(*subject.strategy->Prepare(view)->For((*view.client_ids)[some]),
              shares[some]);
    const auto stranger =
        subject.strategy->Prepare(view)->For(names_.Intern("r0.stranger"));
    ASSERT_TRUE(stranger.ok());
    EXPECT_TRUE(stranger->empty());
  }

  void CheckOrder(const Subject& subject, const AllocationView& view) {
    const auto owners = OwnersOf(view, AllShares(*subject.strategy, view));
    TestNumbers numbers(view.queues->size() * 100 + view.client_ids->size());
    Queues queues = *view.queues;
    std::vector<Name> clients = *view.client_ids;
    numbers.Shuffle(queues);
    numbers.Shuffle(clients);
    const AllocationView mixed = View(queues, clients);
    EXPECT_EQ(OwnersOf(mixed, AllShares(*subject.strategy, mixed)), owners)
        << subject.name;
  }

  // One client more, or less, seen from the other side.
  void CheckConsistency(const Subject& subject, const AllocationView& view) {
    const Name joiner = names_.Intern("r0.joiner");
    std::vector<Name> clients = *view.client_ids;
    clients.push_back(joiner);
    std::sort(clients.begin(), clients.end());
    const AllocationView more = View(*view.queues, clients);
    const auto before = OwnersOf(view, AllShares(*subject.strategy, view));
    for (const auto& [queue, owner] :
         OwnersOf(more, AllShares(*subject.strategy, more))) {
      EXPECT_TRUE(owner == joiner || owner == before.at(queue)) << queue;
    }
  }
};

TEST_F(PropertiesTest, EverySmallGroupGetsWhatIsPromised) {
  for (const Subject& subject : AllSubjects()) {
    for (size_t queues = 0; queues <= 64; ++queues) {
      for (size_t clients = 0; clients <= 16; ++clients) {
        const AllocationView view =
            View(SpreadQueues(queues), SpreadClients(clients));
        if (queues == 0 || clients == 0) {
          EXPECT_FALSE(
              subject.strategy->Prepare(view)->For(names_.Intern("x")).ok());
          continue;
        }
        Check(subject, view);
        if (subject.any_order && queues % 8 == 5) CheckOrder(subject, view);
        if (subject.consistent && queues % 8 == 3) {
          CheckConsistency(subject, view);
        }
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(PropertiesTest, LargeGroupsGetWhatIsPromised) {
  TestNumbers numbers(7);
  for (int round = 0; round < 10; ++round) {
    const AllocationView view = View(SpreadQueues(1 + numbers.Below(3'000)),
                                     SpreadClients(1 + numbers.Below(300)));
    for (const Subject& subject : AllSubjects()) {
      Check(subject, view);
      if (subject.any_order) CheckOrder(subject, view);
      if (subject.consistent) CheckConsistency(subject, view);
      if (HasFailure()) return;
    }
  }
}

// ---- The ring against upstream's way of building it ----

int64_t FewPlaces(absl::string_view key) { return Md5RingHash(key) % 40 - 20; }

// As upstream: a walk over the ring counts the places of each client anew.
std::map<int64_t, Name> UpstreamRing(const std::vector<Name>& clients,
                                     int virtual_nodes, RingHash hash) {
  std::map<int64_t, Name> ring;
  for (const Name client : clients) {
    const auto there = std::count_if(
        ring.begin(), ring.end(),
        [&](const auto& place) { return place.second == client; });
    for (int64_t k = there; k < there + virtual_nodes; ++k) {
      ring[hash(absl::StrCat(client.text(), "-", k))] = client;
    }
  }
  return ring;
}

TEST_F(PropertiesTest, TheRingIsUpstreamsWhateverRepeatsOrCollides) {
  TestNumbers numbers(3);
  for (int round = 0; round < 300; ++round) {
    const RingHash hash = round % 2 == 0 ? &FewPlaces : &Md5RingHash;
    std::vector<Name> clients;
    const size_t count = 1 + numbers.Below(12);
    for (size_t i = 0; i < count; ++i) {
      clients.push_back(names_.Intern(absl::StrCat("c", numbers.Below(6))));
    }
    const auto virtual_nodes = static_cast<int32_t>(numbers.Below(9));
    const auto expected = UpstreamRing(clients, virtual_nodes, hash);
    const HashRing ring(clients, virtual_nodes, hash);
    ASSERT_EQ(ring.size(), expected.size());
    if (expected.empty()) {
      EXPECT_FALSE(ring.Next(0).has_value());
      continue;
    }
    for (int64_t probe = -22; probe < 22; ++probe) {
      const int64_t at = hash == &FewPlaces ? probe : probe * 150'000'000;
      auto next = expected.lower_bound(at);
      if (next == expected.end()) next = expected.begin();
      const auto place = ring.Next(at);
      ASSERT_TRUE(place.has_value());
      EXPECT_EQ(place->hash, next->first);
      EXPECT_EQ(std::find(clients.begin(), clients.end(), next->second) -
                    clients.begin(),
                static_cast<std::ptrdiff_t>(place->owner));
    }
  }
}

}  // namespace
}  // namespace groupsim
