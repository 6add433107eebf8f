// What a consumer subscribes to.
#ifndef GROUPSIM_MODEL_CLIENT_SUBSCRIPTIONS_H_
#define GROUPSIM_MODEL_CLIENT_SUBSCRIPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/wire/message.h"
#include "model/wire/subscription.h"

namespace groupsim {

// A subscription by tags: an expression "a || b" names two, an empty one or "*"
// stands for all (FilterAPI.buildSubscriptionData, 5.3.3).
SubscriptionData BuildSubscription(Name topic, absl::string_view expression,
                                   int64_t now_millis, NameTable& names);

// Whether a subscription wants a message: it has no tags, or the message has
// one of them. Messages without a tag are wanted by the former only
// (PullAPIWrapper.processPullResult).
bool Wants(const SubscriptionData& subscription, const Message& message);

// RebalanceImpl.subscriptionInner: subscriptions by topic.
class Subscriptions {
 public:
  // Adds it, or replaces the one of its topic.
  void Put(SubscriptionData subscription);

  // Takes the one of the topic away; nothing if there is none.
  void Remove(Name topic);

  // Null if there is none. Valid until the next Put or Remove.
  const SubscriptionData* Find(Name topic) const {
    for (const SubscriptionData& s : all_) {  // One or two, nearly always.
      if (s.topic == topic) return &s;
    }
    return nullptr;
  }

  // Gives the subscription of a topic a new version; nothing if there is none.
  void SetVersion(Name topic, int64_t version);

  // In order of topic.
  const std::vector<SubscriptionData>& all() const { return all_; }

  // In the order in which the original walks them.
  const std::vector<Name>& Topics() const { return topics_; }

 private:
  std::vector<SubscriptionData> all_;
  std::vector<Name> topics_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_SUBSCRIPTIONS_H_
