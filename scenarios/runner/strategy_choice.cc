#include "scenarios/runner/strategy_choice.h"

#include "scenarios/reader/inherited.h"
#include "scenarios/runner/queues_of.h"
#include "scenarios/strategies/strategy_of.h"

namespace groupsim {

StrategyChoice::StrategyChoice(const Scenario& scenario, NameTable& names)
    : scenario_(scenario),
      growth_(scenario),
      names_(names),
      rooms_(std::make_shared<ScenarioRooms>()) {
  for (const schema::Broker& broker : scenario.broker()) {
    rooms_->SetBroker(broker.name(), broker.room());
  }
}

std::shared_ptr<const AllocationStrategy> StrategyChoice::For(
    const schema::Group& group, const schema::Consumer& consumer,
    const std::string& address) {
  if (consumer.client_id().empty()) {
    rooms_->SetAddress(address, consumer.room());
  } else {
    rooms_->SetClientId(consumer.client_id(), consumer.room());
  }
  const schema::Strategy& chosen = StrategyOf(group, consumer);
  std::shared_ptr<const AllocationStrategy>& shared =
      made_[{group.name(), chosen.SerializeAsString()}];
  if (shared == nullptr) shared = Make(group, chosen);
  return shared;
}

std::shared_ptr<const AllocationStrategy> StrategyChoice::Make(
    const schema::Group& group, const schema::Strategy& chosen) const {
  const std::string name = StrategyName(chosen);
  if (NeedsOnlyThePast(name)) return MakeWhatIf(name);
  StrategyGround ground;
  ground.rooms = rooms_;
  if (chosen.has_by_config()) {
    const schema::ByConfig& config = chosen.by_config();
    ground.configured_queues = QueuesOf(
        scenario_, growth_,
        config.topic().empty() ? group.subscribe(0).topic() : config.topic(),
        config.queues(), names_);
  }
  return Valid(MakeStrategy(chosen, ground));
}

}  // namespace groupsim
