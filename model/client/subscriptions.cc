#include "model/client/subscriptions.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/client/java_order.h"
#include "model/wire/message.h"
#include "model/wire/subscription.h"

namespace groupsim {

SubscriptionData BuildSubscription(Name topic, absl::string_view expression,
                                   int64_t now_millis, NameTable& names) {
  SubscriptionData data;
  data.topic = topic;
  data.sub_version = now_millis;
  data.expression = expression.empty() ? "*" : std::string(expression);
  data.tags = ParseTags(data.expression, names);
  return data;
}

bool Wants(const SubscriptionData& subscription, const Message& message) {
  if (subscription.tags.empty()) return true;
  return std::find(subscription.tags.begin(), subscription.tags.end(),
                   message.tag) != subscription.tags.end();
}

void Subscriptions::Put(SubscriptionData subscription) {
  const auto it = std::lower_bound(
      all_.begin(), all_.end(), subscription.topic,
      [](const SubscriptionData& s, Name topic) { return s.topic < topic; });
  if (it != all_.end() && it->topic == subscription.topic) {
    *it = std::move(subscription);
    return;
  }
  topics_.push_back(subscription.topic);
  SortAsWalked(JavaTable::kConcurrentHashMap, topics_);
  all_.insert(it, std::move(subscription));
}

void Subscriptions::Remove(Name topic) {
  std::erase_if(
      all_, [topic](const SubscriptionData& s) { return s.topic == topic; });
  std::erase(topics_, topic);
}

void Subscriptions::SetVersion(Name topic, int64_t version) {
  for (SubscriptionData& s : all_) {
    if (s.topic == topic) s.sub_version = version;
  }
}

}  // namespace groupsim
