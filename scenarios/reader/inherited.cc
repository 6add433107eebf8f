#include "scenarios/reader/inherited.h"

namespace groupsim {

const schema::Listener& ListenerOf(const schema::Group& group,
                                   const schema::Consumer& block) {
  return block.has_listener() ? block.listener() : group.listener();
}

const schema::Strategy& StrategyOf(const schema::Group& group,
                                   const schema::Consumer& block) {
  return block.has_strategy() ? block.strategy() : group.strategy();
}

const google::protobuf::RepeatedPtrField<schema::Subscription>& SubscriptionsOf(
    const schema::Group& group, const schema::Consumer& block) {
  return block.subscribe_size() > 0 ? block.subscribe() : group.subscribe();
}

schema::ConsumeSettings ConsumeOf(const schema::Group& group,
                                  const schema::Consumer& block) {
  schema::ConsumeSettings settings = group.consume();
  settings.MergeFrom(block.consume());
  return settings;
}

schema::ClientSettings ClientOf(const schema::Group& group,
                                const schema::Consumer& block) {
  schema::ClientSettings settings = group.client();
  settings.MergeFrom(block.client());
  return settings;
}

namespace {

schema::ConsumeSettings::Mode ModeOf(const schema::Group& group,
                                     const schema::Consumer& block) {
  return (block.consume().has_mode() ? block.consume() : group.consume())
      .mode();
}

}  // namespace

bool IsOrderly(const schema::Group& group, const schema::Consumer& block) {
  return ModeOf(group, block) == schema::ConsumeSettings::ORDERLY;
}

bool IsPull(const schema::Group& group, const schema::Consumer& block) {
  return ModeOf(group, block) == schema::ConsumeSettings::PULL;
}

bool IsLitePull(const schema::Group& group, const schema::Consumer& block) {
  return ModeOf(group, block) == schema::ConsumeSettings::LITE_PULL;
}

bool ApplicationPulls(const schema::Group& group,
                      const schema::Consumer& block) {
  return IsPull(group, block) || IsLitePull(group, block);
}

}  // namespace groupsim
