// Which release, with which faults, each process of a scenario is.
#ifndef GROUPSIM_SCENARIOS_RUNNER_PROFILES_H_
#define GROUPSIM_SCENARIOS_RUNNER_PROFILES_H_

#include "absl/types/span.h"
#include "model/broker/settings.h"
#include "model/client/settings.h"
#include "model/namesrv/settings.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Of the name servers.
NameServerProfile ProfileOf(const Scenario& scenario);
BrokerProfile ProfileOf(const Scenario& scenario, const schema::Broker& broker);
ClientProfile ProfileOf(const Scenario& scenario,
                        const schema::Producer& producer);
ClientProfile ProfileOf(const Scenario& scenario, const schema::Group& group,
                        const schema::Consumer& consumer);

// What a fault changes.
template <class Fault, class Profile>
struct FaultEffect {
  Fault fault;
  void (*apply)(Profile& profile);
};
absl::Span<const FaultEffect<schema::ClientFault, ClientProfile>>
ClientFaultEffects();
absl::Span<const FaultEffect<schema::BrokerFault, BrokerProfile>>
BrokerFaultEffects();

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_PROFILES_H_
