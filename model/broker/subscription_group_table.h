// The groups that a broker is configured for (SubscriptionGroupManager, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_SUBSCRIPTION_GROUP_TABLE_H_
#define GROUPSIM_MODEL_BROKER_SUBSCRIPTION_GROUP_TABLE_H_

#include "model/base/name.h"
#include "model/broker/name_indexed.h"
#include "model/broker/settings.h"
#include "model/broker/valid_name.h"

namespace groupsim {

// Survives a crash: upstream writes it to disk at every change.
class SubscriptionGroupTable {
 public:
  SubscriptionGroupTable() = default;
  SubscriptionGroupTable(const SubscriptionGroupTable&) = delete;
  SubscriptionGroupTable& operator=(const SubscriptionGroupTable&) = delete;

  // Null for groups not configured.
  const SubscriptionGroupConfig* Find(Name group) const {
    return groups_.Find(group);
  }

  // The group's configuration. If there is none, and `auto_create` says so, and
  // the name is a legal one, it is created with default values; else null
  // (findSubscriptionGroupConfig).
  const SubscriptionGroupConfig* FindOrCreate(Name group, bool auto_create) {
    if (const SubscriptionGroupConfig* found = Find(group)) return found;
    if (!auto_create || !IsValidTopicOrGroup(group.text(), kMaxGroupLength)) {
      return nullptr;
    }
    SubscriptionGroupConfig config;
    config.group_name = group;
    return &groups_.Add(group, config);
  }

  // Adds or replaces a group.
  void Put(const SubscriptionGroupConfig& config) {
    if (SubscriptionGroupConfig* found = groups_.Find(config.group_name)) {
      *found = config;
    } else {
      groups_.Add(config.group_name, config);
    }
  }

 private:
  NameIndexed<SubscriptionGroupConfig> groups_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_SUBSCRIPTION_GROUP_TABLE_H_
