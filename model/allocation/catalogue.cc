#include "model/allocation/catalogue.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/averagely.h"
#include "model/allocation/averagely_by_circle.h"
#include "model/allocation/by_config.h"
#include "model/allocation/by_machine_room.h"
#include "model/allocation/comparison/bounded_consistent_hash.h"
#include "model/allocation/comparison/jump_hash.h"
#include "model/allocation/comparison/largest_lag_first.h"
#include "model/allocation/comparison/maglev_fill.h"
#include "model/allocation/comparison/maglev_table.h"
#include "model/allocation/comparison/range.h"
#include "model/allocation/comparison/rendezvous.h"
#include "model/allocation/comparison/round_robin.h"
#include "model/allocation/comparison/sticky.h"
#include "model/allocation/comparison/uniform.h"
#include "model/allocation/comparison/weighted_averagely.h"
#include "model/allocation/comparison/worst_fit_packing.h"
#include "model/allocation/consistent_hash.h"
#include "model/allocation/group_adapter.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/hash_ring.h"
#include "model/allocation/machine_room_nearby.h"
#include "model/base/check.h"

namespace groupsim {
namespace {

using Parameters = StrategyParameters;

// Exactly one of the two is set.
struct Recipe {
  StrategyEntry entry;
  absl::StatusOr<AllocationStrategyPtr> (*make_allocation)(const Parameters&);
  absl::StatusOr<GroupStrategyPtr> (*make_group)(const Parameters&);
};

template <class Strategy>
absl::StatusOr<AllocationStrategyPtr> Plain(const Parameters&) {
  return AllocationStrategyPtr(std::make_shared<const Strategy>());
}

absl::StatusOr<AllocationStrategyPtr> ByConfig(const Parameters& parameters) {
  if (parameters.configured_queues.empty()) {
    return absl::InvalidArgumentError(
        "by_config needs the queues that every client shall get");
  }
  return AllocationStrategyPtr(
      std::make_shared<const AllocateByConfig>(parameters.configured_queues));
}

absl::StatusOr<AllocationStrategyPtr> ByMachineRoom(
    const Parameters& parameters) {
  if (!parameters.machine_rooms.has_value()) {
    return absl::InvalidArgumentError(
        "by_machine_room needs the rooms whose queues shall be allocated");
  }
  return AllocationStrategyPtr(
      std::make_shared<const AllocateByMachineRoom>(parameters.machine_rooms));
}

absl::StatusOr<AllocationStrategyPtr> MachineRoomNearby(
    const Parameters& parameters) {
  if (parameters.room_resolver == nullptr) {
    return absl::InvalidArgumentError(
        "machine_room_nearby needs to know the rooms of brokers and clients");
  }
  if (parameters.inner == "machine_room_nearby") {
    return absl::InvalidArgumentError(
        "machine_room_nearby cannot be the inner strategy of itself; name one "
        "that needs nothing");
  }
  absl::StatusOr<AllocationStrategyPtr> inner =
      MakeAllocationStrategy(parameters.inner, parameters);
  if (!inner.ok()) return inner.status();
  return AllocationStrategyPtr(
      std::make_shared<const AllocateMachineRoomNearby>(
          *std::move(inner), parameters.room_resolver));
}

absl::StatusOr<AllocationStrategyPtr> ConsistentHash(
    const Parameters& parameters) {
  if (absl::Status status = CheckVirtualNodes(parameters.virtual_nodes);
      !status.ok()) {
    return status;
  }
  auto strategy = AllocateByConsistentHash::Create(
      {.virtual_nodes = parameters.virtual_nodes});
  if (!strategy.ok()) return strategy.status();
  return AllocationStrategyPtr(*std::move(strategy));
}

// The entry of a strategy of RocketMQ.
Recipe RocketMq(
    absl::string_view name, absl::string_view summary, StrategyNeeds needs,
    StrategyPromises promises,
    absl::StatusOr<AllocationStrategyPtr> (*make)(const Parameters&)) {
  return {.entry = {.name = name,
                    .summary = summary,
                    .origin = StrategyOrigin::kRocketMq,
                    .needs = needs,
                    .promises = promises},
          .make_allocation = make,
          .make_group = nullptr};
}

// The entry of a strategy that has no settings.
template <class Strategy>
Recipe Comparison(StrategyOrigin origin, absl::string_view summary) {
  const Strategy strategy;
  return {.entry = {.name = strategy.name(),
                    .summary = summary,
                    .origin = origin,
                    .needs = strategy.needs(),
                    .promises = strategy.promises()},
          .make_allocation = nullptr,
          .make_group = [](const Parameters&) {
            return absl::StatusOr<GroupStrategyPtr>(
                std::make_shared<const Strategy>());
          }};
}

// The entry of a strategy with settings; the defaults are valid.
Recipe Configured(absl::string_view summary,
                  absl::StatusOr<GroupStrategyPtr> (*make)(const Parameters&)) {
  const absl::StatusOr<GroupStrategyPtr> strategy = make({});
  CHECK(strategy.ok()) << strategy.status();
  return {.entry = {.name = (*strategy)->name(),
                    .summary = summary,
                    .origin = StrategyOrigin::kLiterature,
                    .needs = (*strategy)->needs(),
                    .promises = (*strategy)->promises()},
          .make_allocation = nullptr,
          .make_group = make};
}

void AddRocketMq(std::vector<Recipe>* recipes) {
  recipes->push_back(RocketMq(
      "averagely", "neighbouring queues in blocks of equal size", {},
      {.balance = BalancePromise::kEvenPerTopic}, &Plain<AllocateAveragely>));
  recipes->push_back(RocketMq("averagely_by_circle",
                              "queues dealt out one by one", {},
                              {.balance = BalancePromise::kEvenPerTopic},
                              &Plain<AllocateAveragelyByCircle>));
  recipes->push_back(RocketMq("by_config", "the same fixed queues for everyone",
                              {StrategyNeed::kConfiguration},
                              {.one_owner = false}, &ByConfig));
  recipes->push_back(
      RocketMq("by_machine_room", "blocks of the queues in some rooms only",
               {StrategyNeed::kRooms}, {.one_owner = false}, &ByMachineRoom));
  recipes->push_back(RocketMq("machine_room_nearby",
                              "queues of the own room first, around another "
                              "strategy",
                              {StrategyNeed::kRooms}, {}, &MachineRoomNearby));
  recipes->push_back(RocketMq(
      "consistent_hash", "each queue to the next member on a ring of hashes",
      {}, {.stickiness = StickinessPromise::kConsistent}, &ConsistentHash));
}

void AddKafka(std::vector<Recipe>* recipes) {
  constexpr StrategyOrigin kClient = StrategyOrigin::kKafkaClient;
  constexpr StrategyOrigin kServer = StrategyOrigin::kKafkaServer;
  recipes->push_back(Comparison<Range>(
      kClient, "blocks per topic, rooms preferred where known"));
  recipes->push_back(Comparison<RoundRobin>(
      kClient, "queues of all topics dealt out in one go"));
  recipes->push_back(
      Comparison<Sticky>(kClient, "even in total, queues stay where they can"));
  recipes->push_back(Comparison<CooperativeSticky>(
      kClient, "sticky, queues handed over in a second round"));
  recipes->push_back(
      Comparison<ServerRange>(kServer, "blocks per topic by the coordinator"));
  recipes->push_back(Comparison<Uniform>(
      kServer, "even in total by the coordinator, queues stay where they can"));
  recipes->push_back(Comparison<Uniform2024>(
      kServer, "uniform with its flaw of 2024: some needless moves"));
}

void AddLiterature(std::vector<Recipe>* recipes) {
  constexpr StrategyOrigin kOrigin = StrategyOrigin::kLiterature;
  recipes->push_back(Comparison<Rendezvous>(
      kOrigin, "each queue to the member with the highest hash of the two"));
  recipes->push_back(Comparison<JumpHash>(
      kOrigin, "jump consistent hash over the sorted ids (a bad example)"));
  recipes->push_back(Configured(
      "a hash table that members fill in turn",
      [](const Parameters& p) { return MaglevTable::Create(p.table_size); }));
  recipes->push_back(Comparison<MaglevFill>(
      kOrigin, "members in turn choose the queue with the highest hash"));
  recipes->push_back(Configured(
      "consistent hash with a ceiling on every share", [](const Parameters& p) {
        return BoundedConsistentHash::Create(
            {.virtual_nodes = p.virtual_nodes, .excess = p.excess});
      }));
  recipes->push_back(Comparison<WeightedAveragely>(
      kOrigin, "blocks in proportion to the weights of members"));
  recipes->push_back(Comparison<LargestLagFirst>(
      kOrigin, "the largest lag first, to the member with the least"));
  recipes->push_back(Comparison<WorstFitPacking>(
      kOrigin, "rates packed into as few members as can bear them"));
}

const std::vector<Recipe>& Recipes() {
  static const std::vector<Recipe>& recipes = *[] {
    auto* all = new std::vector<Recipe>();
    AddRocketMq(all);
    AddKafka(all);
    AddLiterature(all);
    return all;
  }();
  return recipes;
}

absl::StatusOr<const Recipe*> FindRecipe(absl::string_view name) {
  for (const Recipe& recipe : Recipes()) {
    if (recipe.entry.name == name) return &recipe;
  }
  return absl::NotFoundError(
      absl::StrCat("no allocation strategy is called \"", name, "\""));
}

}  // namespace

absl::Span<const StrategyEntry> StrategyCatalogue() {
  static const std::vector<StrategyEntry>& entries = *[] {
    auto* all = new std::vector<StrategyEntry>();
    for (const Recipe& recipe : Recipes()) all->push_back(recipe.entry);
    return all;
  }();
  return entries;
}

const StrategyEntry* FindStrategy(absl::string_view name) {
  for (const StrategyEntry& entry : StrategyCatalogue()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

absl::StatusOr<GroupStrategyPtr> MakeGroupStrategy(
    absl::string_view name, const StrategyParameters& parameters) {
  const absl::StatusOr<const Recipe*> recipe = FindRecipe(name);
  if (!recipe.ok()) return recipe.status();
  if ((*recipe)->make_group != nullptr) {
    return (*recipe)->make_group(parameters);
  }
  absl::StatusOr<AllocationStrategyPtr> strategy =
      (*recipe)->make_allocation(parameters);
  if (!strategy.ok()) return strategy.status();
  const StrategyEntry& entry = (*recipe)->entry;
  return GroupStrategyPtr(std::make_shared<const PerClientGroupStrategy>(
      std::string(entry.name), *std::move(strategy), entry.needs,
      entry.promises));
}

absl::StatusOr<AllocationStrategyPtr> MakeAllocationStrategy(
    absl::string_view name, const StrategyParameters& parameters) {
  const absl::StatusOr<const Recipe*> recipe = FindRecipe(name);
  if (!recipe.ok()) return recipe.status();
  if ((*recipe)->make_allocation != nullptr) {
    return (*recipe)->make_allocation(parameters);
  }
  const StrategyNeeds needs = (*recipe)->entry.needs;
  if (!needs.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, " needs ", ToString(needs),
        ", which no client knows alone; choose a strategy that needs nothing"));
  }
  absl::StatusOr<GroupStrategyPtr> strategy = (*recipe)->make_group(parameters);
  if (!strategy.ok()) return strategy.status();
  return AllocationStrategyPtr(
      std::make_shared<const GroupAllocation>(*std::move(strategy)));
}

}  // namespace groupsim
