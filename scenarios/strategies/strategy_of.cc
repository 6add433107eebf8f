#include "scenarios/strategies/strategy_of.h"

#include <cstdint>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "model/allocation/catalogue.h"
#include "model/base/check.h"
#include "scenarios/strategies/what_if_allocation.h"

namespace groupsim {
namespace {

// The settings of the strategy, and of the one that it stands around.
void Fill(const schema::Strategy& strategy, StrategyParameters& parameters) {
  switch (strategy.strategy_case()) {
    case schema::Strategy::kByMachineRoom:
      parameters.machine_rooms.emplace(
          strategy.by_machine_room().room().begin(),
          strategy.by_machine_room().room().end());
      return;
    case schema::Strategy::kMachineRoomNearby: {
      const schema::Strategy& within = strategy.machine_room_nearby().within();
      Fill(within, parameters);
      parameters.inner = StrategyName(within);
      return;
    }
    case schema::Strategy::kConsistentHash:
      if (strategy.consistent_hash().has_virtual_nodes()) {
        parameters.virtual_nodes = strategy.consistent_hash().virtual_nodes();
      }
      return;
    case schema::Strategy::kBoundedConsistentHash: {
      const auto& from = strategy.bounded_consistent_hash();
      if (from.has_virtual_nodes()) {
        parameters.virtual_nodes = from.virtual_nodes();
      }
      if (from.has_excess_per_cent()) {
        parameters.excess = {.numerator = from.excess_per_cent(),
                             .denominator = 100};
      }
      return;
    }
    case schema::Strategy::kMaglevTable:
      if (strategy.maglev_table().has_table_size()) {
        parameters.table_size =
            static_cast<uint32_t>(strategy.maglev_table().table_size());
      }
      return;
    default:
      return;
  }
}

}  // namespace

std::string StrategyName(const schema::Strategy& strategy) {
  const google::protobuf::FieldDescriptor* chosen =
      strategy.GetReflection()->GetOneofFieldDescriptor(
          strategy, schema::Strategy::descriptor()->oneof_decl(0));
  return chosen == nullptr ? "averagely" : chosen->name();
}

bool SameStrategy(const schema::Strategy& a, const schema::Strategy& b) {
  const std::string name = StrategyName(a);
  return name == StrategyName(b) &&
         (name == "averagely" ||
          a.SerializeAsString() == b.SerializeAsString());
}

bool NeedsOnlyThePast(const std::string& name) {
  const StrategyEntry* entry = FindStrategy(name);
  return entry != nullptr &&
         entry->needs == StrategyNeeds({StrategyNeed::kPreviousAssignment});
}

std::shared_ptr<const AllocationStrategy> MakeWhatIf(const std::string& name) {
  absl::StatusOr<GroupStrategyPtr> strategy =
      MakeGroupStrategy(name, StrategyParameters());
  CHECK(strategy.ok()) << strategy.status();
  return std::make_shared<const WhatIfAllocation>(*std::move(strategy));
}

absl::StatusOr<AllocationStrategyPtr> MakeStrategy(
    const schema::Strategy& strategy, const StrategyGround& ground) {
  StrategyParameters parameters;
  parameters.configured_queues = ground.configured_queues;
  parameters.room_resolver = ground.rooms;
  Fill(strategy, parameters);
  return MakeAllocationStrategy(StrategyName(strategy), parameters);
}

}  // namespace groupsim
