#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "scenarios/lint/lints.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/strategies/strategy_of.h"

namespace groupsim {
namespace {

using SubscriptionSet = std::set<std::pair<std::string, std::string>>;

SubscriptionSet SubscriptionsOf(const LintGroup& group, int block) {
  const schema::Consumer& consumer = group.group->consumer(block);
  SubscriptionSet set;
  for (const schema::Subscription& subscription :
       consumer.subscribe_size() > 0 ? consumer.subscribe()
                                     : group.group->subscribe()) {
    set.emplace(subscription.topic(), subscription.has_expression()
                                          ? subscription.expression()
                                          : "*");
  }
  return set;
}

}  // namespace

void LookAtDuplicateClientId(const LintSubject& subject, LintNotes& notes) {
  for (const LintGroup& group : subject.groups()) {
    if (group.broadcasts()) continue;
    std::map<std::string, std::string> owners;
    for (const RosterEntry& consumer : group.consumers) {
      const std::string& id = group.group->consumer(consumer.block).client_id();
      if (id.empty()) continue;
      const auto [owner, first] = owners.emplace(id, consumer.name);
      if (first || owner->second.empty()) continue;
      notes.Add(
          absl::StrCat(group.PathOf(consumer.block), ".client_id"),
          absl::StrCat("consumers \"", owner->second, "\" and \"",
                       consumer.name, "\" of group \"", group.group->name(),
                       "\" have the client id \"", id, "\""));
      // Once for each id.
      owner->second.clear();
    }
  }
}

void LookAtInconsistentSubscription(const LintSubject& subject,
                                    LintNotes& notes) {
  for (const LintGroup& group : subject.groups()) {
    if (group.group->consumer_size() == 0) continue;
    const SubscriptionSet first = SubscriptionsOf(group, 0);
    for (int block = 1; block < group.group->consumer_size(); ++block) {
      if (SubscriptionsOf(group, block) == first) continue;
      notes.Add(
          absl::StrCat(group.PathOf(block),
                       group.group->consumer(block).subscribe_size() > 0
                           ? ".subscribe[0]"
                           : ""),
          absl::StrCat("consumer \"", group.group->consumer(block).name(),
                       "\" subscribes to something else than \"",
                       group.group->consumer(0).name(), "\" of its group"));
    }
  }
}

void LookAtMixedStrategies(const LintSubject& subject, LintNotes& notes) {
  for (const LintGroup& group : subject.groups()) {
    if (group.broadcasts()) continue;
    for (int block = 1; block < group.group->consumer_size(); ++block) {
      if (SameStrategy(StrategyOf(*group.group, group.group->consumer(block)),
                       StrategyOf(*group.group, group.group->consumer(0)))) {
        continue;
      }
      notes.Add(
          absl::StrCat(
              group.PathOf(block),
              group.group->consumer(block).has_strategy() ? ".strategy" : ""),
          absl::StrCat("consumer \"", group.group->consumer(block).name(),
                       "\" has another strategy than \"",
                       group.group->consumer(0).name(), "\" of its group"));
    }
  }
}

}  // namespace groupsim
