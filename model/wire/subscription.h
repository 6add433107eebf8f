// What a group wants of a topic.
#ifndef GROUPSIM_MODEL_WIRE_SUBSCRIPTION_H_
#define GROUPSIM_MODEL_WIRE_SUBSCRIPTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/name.h"

namespace groupsim {

enum class MessageModel : int32_t { kBroadcasting = 1, kClustering = 2 };

// Where a group without a stored offset begins (ConsumeFromWhere).
enum class ConsumeFromWhere : int32_t {
  kLastOffset = 1,
  kFirstOffset = 2,
  kTimestamp = 3,
};

// The tags of an expression: "a || b" names two, an empty one or "*" none,
// which stands for all messages. Sorted, each once
// (FilterAPI.buildSubscriptionData, 5.3.3).
std::vector<Name> ParseTags(absl::string_view expression, NameTable& names);

// SubscriptionData: topic and tag expression. An empty set of tags means all.
struct SubscriptionData {
  Name topic;
  std::string expression = "*";
  std::vector<Name> tags;   // Sorted.
  int64_t sub_version = 0;  // Wall milliseconds of its creation or last change.
  friend bool operator==(const SubscriptionData&,
                         const SubscriptionData&) = default;
};

// One group's entry of a heartbeat (ConsumerData).
struct ConsumerData {
  Name group;
  MessageModel model = MessageModel::kClustering;
  ConsumeFromWhere consume_from_where = ConsumeFromWhere::kLastOffset;
  std::vector<SubscriptionData> subscriptions;  // In order of topic.
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_WIRE_SUBSCRIPTION_H_
