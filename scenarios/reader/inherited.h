// What holds for the consumers of a block: the block's own, or that of its
// group.
#ifndef GROUPSIM_SCENARIOS_READER_INHERITED_H_
#define GROUPSIM_SCENARIOS_READER_INHERITED_H_

#include "google/protobuf/repeated_ptr_field.h"
#include "scenarios/schema/group.pb.h"

namespace groupsim {

// A listener or a strategy stands in place of the group's.
const schema::Listener& ListenerOf(const schema::Group& group,
                                   const schema::Consumer& block);
const schema::Strategy& StrategyOf(const schema::Group& group,
                                   const schema::Consumer& block);

// Subscriptions, too.
const google::protobuf::RepeatedPtrField<schema::Subscription>& SubscriptionsOf(
    const schema::Group& group, const schema::Consumer& block);

// Settings differ from the group's one by one.
schema::ConsumeSettings ConsumeOf(const schema::Group& group,
                                  const schema::Consumer& block);
schema::ClientSettings ClientOf(const schema::Group& group,
                                const schema::Consumer& block);

// Whether messages are consumed orderly.
bool IsOrderly(const schema::Group& group, const schema::Consumer& block);

// Whether an application pulls, and whether it polls; and whether one of the
// two, so that there is no listener.
bool IsPull(const schema::Group& group, const schema::Consumer& block);
bool IsLitePull(const schema::Group& group, const schema::Consumer& block);
bool ApplicationPulls(const schema::Group& group,
                      const schema::Consumer& block);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_INHERITED_H_
