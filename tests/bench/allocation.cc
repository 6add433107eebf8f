// What allocation costs, and what it is worth.
//
//   Allocate/STRATEGY/64x8/one     what one member pays to learn its share of a
//                                  topic of 64 queues in a group of 8, members
//                                  taking turns; for strategies that a member
//                                  can compute alone
//   Allocate/STRATEGY/64x8/group   the shares of all members
//   Assign/STRATEGY/100m/10t/5r/homogeneous/full
//                                  a round of a group of 100 members, 10 topics
//                                  and 5 partitions for each member, as Kafka's
//                                  own benchmarks have it
//
// Counters: `jain` of the shares, `join_moves` when one more member comes, and
// `bytes`, what one round asks the heap for. With full in the
// environment's GROUPSIM_BENCH_GRID (tools/bench --grid=full), all of Kafka's
// grid joins the part of it for which results were published.
//
// In Allocate, queues lie on brokers of sixteen each; lists are sorted.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/room_resolver.h"
#include "model/allocation/strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "scenarios/laboratory/experiment.h"

namespace {

uint64_t heap_bytes = 0;

}  // namespace

void* operator new(size_t size) {
  heap_bytes += size;
  if (void* memory = std::malloc(size)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace groupsim {
namespace {

struct Size {
  size_t queues;
  size_t members;
};

constexpr Size kSizes[] = {{64, 8}, {1'024, 64}, {8'192, 512}, {10'000, 1'000}};

std::string ClientId(size_t i) {
  return absl::StrCat("10.0.", i / 250, ".", i % 250, "@", 1'000 + i, "#",
                      839'922'530'498'944 + i);
}

// One topic, and everything that any strategy may need. Brokers and members
// take turns in two rooms; lags and weights repeat.
struct OneTopic {
  explicit OneTopic(const Size& size) {
    GroupTopic topic;
    topic.name = names.Intern("orders");
    std::vector<MessageQueue> queues;
    for (size_t i = 0; i < size.queues; ++i) {
      queues.push_back({.topic = topic.name,
                        .broker = names.Intern(
                            absl::StrCat(Room(i / 16), "@broker-", i / 16)),
                        .queue_id = static_cast<int32_t>(i % 16)});
    }
    std::sort(queues.begin(), queues.end());
    for (size_t i = 0; i < queues.size(); ++i) {
      topic.loads.push_back(static_cast<int64_t>(1 + i % 7));
      topic.rooms.push_back(
          {names.Intern(queues[i].broker.text().substr(0, 4))});
    }
    topic.queues =
        std::make_shared<const std::vector<MessageQueue>>(std::move(queues));
    group.topics.push_back(std::move(topic));
    auto rooms = std::make_shared<RoomTable>();
    for (const MessageQueue& queue : *group.topics[0].queues) {
      rooms->SetBroker(queue.broker, queue.broker.text().substr(0, 4));
    }
    std::vector<Name> clients;
    for (size_t i = 0; i <= size.members; ++i) {
      GroupMember member;
      member.id = names.Intern(ClientId(i));
      member.room = names.Intern(Room(i));
      member.weight = static_cast<int64_t>(10 * (1 + i % 3));
      rooms->SetClient(member.id, member.room.text());
      if (i == size.members) {
        joiner = member;
        continue;
      }
      clients.push_back(member.id);
      group.members.push_back(std::move(member));
    }
    std::sort(clients.begin(), clients.end());
    view = {group.topics[0].queues,
            std::make_shared<const std::vector<Name>>(std::move(clients))};
    parameters.configured_queues = {(*view.queues)[0]};
    parameters.machine_rooms = {"east", "west"};
    parameters.room_resolver = std::move(rooms);
  }

  static const char* Room(size_t i) { return i % 2 == 0 ? "east" : "west"; }

  NameTable names;
  GroupView group;
  GroupMember joiner;
  AllocationView view;  // The same for one client.
  StrategyParameters parameters;
};

void AddCounters(const GroupStrategy& strategy, const OneTopic& topic,
                 benchmark::State& state) {
  Experiment experiment;
  experiment.group = topic.group;
  experiment.joiners.push_back(topic.joiner);
  const absl::StatusOr<Outcome> outcome = Try(strategy, experiment);
  CHECK(outcome.ok()) << outcome.status();
  state.counters["jain"] = outcome->balance.queues.Jain();
  state.counters["join_moves"] = static_cast<double>(outcome->join->moved);
}

void AddBytes(uint64_t before, benchmark::State& state) {
  state.counters["bytes"] =
      benchmark::Counter(static_cast<double>(heap_bytes - before),
                         benchmark::Counter::kAvgIterations);
}

void One(benchmark::State& state, absl::string_view name, const Size& size) {
  const OneTopic topic(size);
  const auto strategy = MakeAllocationStrategy(name, topic.parameters);
  CHECK(strategy.ok()) << strategy.status();
  size_t turn = 0;
  const uint64_t before = heap_bytes;
  for (auto _ : state) {
    const Name client = (*topic.view.client_ids)[turn];
    turn = turn + 1 == size.members ? 0 : turn + 1;
    auto share = (*strategy)->Prepare(topic.view)->For(client);
    CHECK(share.ok());
    benchmark::DoNotOptimize(share);
  }
  AddBytes(before, state);
  state.SetItemsProcessed(state.iterations());
}

// As clients of RocketMQ have it: one plan for all of them.
void GroupByPlan(benchmark::State& state, const AllocationStrategy& strategy,
                 const OneTopic& topic) {
  for (auto _ : state) {
    const AllocationPlanPtr plan = strategy.Prepare(topic.view);
    for (const Name client : *topic.view.client_ids) {
      auto share = plan->For(client);
      CHECK(share.ok());
      benchmark::DoNotOptimize(share);
    }
  }
}

void Group(benchmark::State& state, const StrategyEntry& entry,
           const Size& size) {
  OneTopic topic(size);
  const auto strategy = MakeGroupStrategy(entry.name, topic.parameters);
  CHECK(strategy.ok()) << strategy.status();
  const uint64_t before = heap_bytes;
  if (entry.origin == StrategyOrigin::kRocketMq) {
    const auto alone = MakeAllocationStrategy(entry.name, topic.parameters);
    CHECK(alone.ok()) << alone.status();
    GroupByPlan(state, **alone, topic);
  } else {
    for (auto _ : state) {
      auto assignment = (*strategy)->Assign(topic.group);
      CHECK(assignment.ok()) << assignment.status();
      benchmark::DoNotOptimize(assignment);
    }
  }
  AddBytes(before, state);
  // Everyone gets the same of a configured list.
  if (entry.name != "by_config") AddCounters(**strategy, topic, state);
}

void RegisterAllocate() {
  for (const StrategyEntry& entry : StrategyCatalogue()) {
    for (const Size& size : kSizes) {
      const std::string stem = absl::StrCat("Allocate/", entry.name, "/",
                                            size.queues, "x", size.members);
      const OneTopic smallest(kSizes[0]);
      if (MakeAllocationStrategy(entry.name, smallest.parameters).ok()) {
        benchmark::RegisterBenchmark(
            absl::StrCat(stem, "/one").c_str(),
            [name = entry.name, size](benchmark::State& state) {
              One(state, name, size);
            });
      }
      benchmark::RegisterBenchmark(absl::StrCat(stem, "/group").c_str(),
                                   [&entry, size](benchmark::State& state) {
                                     Group(state, entry, size);
                                   })
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

// ---- Kafka's grid ----

struct KafkaSize {
  size_t members;
  size_t topics;
  size_t ratio;  // Partitions for each member.
  bool homogeneous;
  bool full;  // From nothing; else one member joins the others.
};

// Members and topics in five buckets, each member subscribing to the topics of
// its own; one bucket if all subscribe to the same.
GroupView KafkaGroup(const KafkaSize& size, NameTable& names) {
  GroupView group;
  const size_t buckets = size.homogeneous ? 1 : 5;
  std::vector<std::vector<Name>> topics(buckets);
  const size_t partitions =
      std::max<size_t>(size.members * size.ratio / size.topics, 1);
  for (size_t t = 0; t < size.topics; ++t) {
    GroupTopic topic;
    topic.name = names.Intern(absl::StrCat("topic-", 10'000 + t));
    std::vector<MessageQueue> queues;
    for (size_t i = 0; i < partitions; ++i) {
      queues.push_back({.topic = topic.name,
                        .broker = names.Intern("broker-a"),
                        .queue_id = static_cast<int32_t>(i)});
    }
    topic.queues =
        std::make_shared<const std::vector<MessageQueue>>(std::move(queues));
    topics[t * buckets / size.topics].push_back(topic.name);
    group.topics.push_back(std::move(topic));
  }
  std::vector<TopicNames> subscriptions;
  for (std::vector<Name>& bucket : topics) {
    subscriptions.push_back(
        std::make_shared<const std::vector<Name>>(std::move(bucket)));
  }
  for (size_t i = 0; i < size.members; ++i) {
    GroupMember member;
    member.id = names.Intern(absl::StrCat("member-", 100'000 + i));
    member.subscription = subscriptions[i * buckets / size.members];
    group.members.push_back(std::move(member));
  }
  return group;
}

void Assign(benchmark::State& state, absl::string_view name,
            const KafkaSize& size) {
  NameTable names;
  GroupView group = KafkaGroup(size, names);
  const auto strategy = MakeGroupStrategy(name, {});
  CHECK(strategy.ok()) << strategy.status();
  if (!size.full) {
    GroupMember last = std::move(group.members.back());
    group.members.pop_back();
    const auto rounds = AssignInRounds(**strategy, group);
    CHECK(rounds.ok()) << rounds.status();
    SetOwned(rounds->back(), 1, &group);
    group.members.push_back(std::move(last));
  }
  const uint64_t before = heap_bytes;
  absl::StatusOr<GroupAssignment> assignment;
  for (auto _ : state) {
    assignment = (*strategy)->Assign(group);
    CHECK(assignment.ok()) << assignment.status();
    benchmark::DoNotOptimize(assignment);
  }
  AddBytes(before, state);
  state.counters["jain"] = BalanceOf(group, *assignment).queues.Jain();
}

void RegisterAssign(absl::string_view strategy, const KafkaSize& size) {
  benchmark::RegisterBenchmark(
      absl::StrCat("Assign/", strategy, "/", size.members, "m/", size.topics,
                   "t/", size.ratio, "r/",
                   size.homogeneous ? "homogeneous" : "heterogeneous", "/",
                   size.full ? "full" : "incremental")
          .c_str(),
      [strategy, size](benchmark::State& state) {
        Assign(state, strategy, size);
      })
      ->Unit(benchmark::kMicrosecond);
}

void RegisterPublished() {
  for (const char* strategy : {"server_range", "uniform"}) {
    for (const size_t members : {100, 1'000, 10'000}) {
      for (const size_t topics : {100, 1'000}) {
        for (const bool homogeneous : {true, false}) {
          RegisterAssign(strategy, {.members = members,
                                    .topics = topics,
                                    .ratio = 10,
                                    .homogeneous = homogeneous,
                                    .full = false});
        }
      }
    }
  }
  for (const size_t ratio : {5, 10}) {
    for (const size_t topics : {10, 100}) {
      for (const bool homogeneous : {true, false}) {
        RegisterAssign("uniform", {.members = 100,
                                   .topics = topics,
                                   .ratio = ratio,
                                   .homogeneous = homogeneous,
                                   .full = true});
      }
    }
  }
}

// Cooperative sticky only where it is not far slower than all others.
void RegisterFullGrid() {
  for (const char* strategy :
       {"range", "cooperative_sticky", "server_range", "uniform"}) {
    for (const size_t members : {100, 500, 1'000, 5'000, 10'000}) {
      for (const size_t topics : {10, 100, 1'000}) {
        for (const size_t ratio : {5, 10, 50}) {
          for (const bool homogeneous : {true, false}) {
            if (!homogeneous && members > 100 &&
                absl::string_view(strategy) == "cooperative_sticky") {
              continue;
            }
            for (const bool full : {true, false}) {
              RegisterAssign(strategy, {.members = members,
                                        .topics = topics,
                                        .ratio = ratio,
                                        .homogeneous = homogeneous,
                                        .full = full});
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  const char* const grid = std::getenv("GROUPSIM_BENCH_GRID");
  const bool full = grid != nullptr && absl::string_view(grid) == "full";
  groupsim::RegisterAllocate();
  if (full) {
    groupsim::RegisterFullGrid();
  } else {
    groupsim::RegisterPublished();
  }
  // There are many; whoever wants more time for each says so.
  std::string short_time = "--benchmark_min_time=0.1";
  std::vector<char*> arguments = {argv[0], short_time.data()};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
