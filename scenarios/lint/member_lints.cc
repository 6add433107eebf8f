#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "scenarios/lint/lints.h"
#include "scenarios/reader/expressions.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/strategies/strategy_of.h"

namespace groupsim {
namespace {

// The tags by topic; none for all messages.
using TagsByTopic = std::map<std::string, std::set<std::string>>;

TagsByTopic TagsOfBlock(const LintGroup& group, int block) {
  TagsByTopic all;
  for (const schema::Subscription& subscription :
       SubscriptionsOf(*group.group, group.group->consumer(block))) {
    all.emplace(subscription.topic(), TagsOf(subscription.expression()));
  }
  return all;
}

bool IsSent(const Scenario& scenario, const std::string& tag,
            const std::string& topic) {
  return std::any_of(scenario.producer().begin(), scenario.producer().end(),
                     [&](const schema::Producer& producer) {
                       return producer.topic() == topic &&
                              std::any_of(producer.tag().begin(),
                                          producer.tag().end(),
                                          [&tag](const schema::Tag& sent) {
                                            return sent.name() == tag;
                                          });
                     });
}

void LookForTagsNeverSent(
    const Scenario& scenario, const std::string& path,
    const google::protobuf::RepeatedPtrField<schema::Subscription>& all,
    LintNotes& notes) {
  for (int i = 0; i < all.size(); ++i) {
    for (const std::string& tag : TagsOf(all[i].expression())) {
      if (IsSent(scenario, tag, all[i].topic())) continue;
      notes.Add(absl::StrCat(path, ".subscribe[", i, "].expression"),
                absl::StrCat("no producer sends tag \"", tag, "\" to topic \"",
                             all[i].topic(), "\""));
    }
  }
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
    const TagsByTopic first = TagsOfBlock(group, 0);
    for (int block = 1; block < group.group->consumer_size(); ++block) {
      if (TagsOfBlock(group, block) == first) continue;
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

void LookAtTagsNeverSent(const LintSubject& subject, LintNotes& notes) {
  for (const LintGroup& group : subject.groups()) {
    LookForTagsNeverSent(subject.scenario(), group.path,
                         group.group->subscribe(), notes);
    for (int block = 0; block < group.group->consumer_size(); ++block) {
      LookForTagsNeverSent(subject.scenario(), group.PathOf(block),
                           group.group->consumer(block).subscribe(), notes);
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
