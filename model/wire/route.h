// Where the queues of a topic are.
#ifndef GROUPSIM_MODEL_WIRE_ROUTE_H_
#define GROUPSIM_MODEL_WIRE_ROUTE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"

namespace groupsim {

// Permission bits of topics and brokers (PermName).
inline constexpr int32_t kPermRead = 4;
inline constexpr int32_t kPermWrite = 2;
inline constexpr int32_t kPermInherit = 1;

inline constexpr int64_t kMasterId = 0;

// The topic whose route and queues are the pattern of topics that brokers make
// by themselves (TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC).
inline constexpr absl::string_view kAutoCreateTopicKeyTopic = "TBW102";

// Queues of one topic on one broker name (QueueData).
struct QueueData {
  Name broker;
  int32_t read_queue_nums = 0;
  int32_t write_queue_nums = 0;
  int32_t perm = kPermRead | kPermWrite;
  friend bool operator==(const QueueData&, const QueueData&) = default;
};

// Addresses of one broker name by broker id; id 0 is the master (BrokerData).
struct BrokerData {
  Name cluster;
  Name broker;
  absl::btree_map<int64_t, Name> addresses;
  friend bool operator==(const BrokerData&, const BrokerData&) = default;
};

// The answer to GET_ROUTEINFO_BY_TOPIC (TopicRouteData). Both lists in order of
// broker name.
struct TopicRoute {
  std::vector<QueueData> queues;
  std::vector<BrokerData> brokers;
  friend bool operator==(const TopicRoute&, const TopicRoute&) = default;
};
using TopicRoutePtr = std::shared_ptr<const TopicRoute>;

// What a broker tells of one of its topics (TopicConfig).
struct TopicConfig {
  Name topic;
  int32_t read_queue_nums = 8;
  int32_t write_queue_nums = 8;
  int32_t perm = kPermRead | kPermWrite;
  bool order = false;
  friend bool operator==(const TopicConfig&, const TopicConfig&) = default;
};

// Version of a broker's topic table; all three must match (DataVersion).
struct DataVersion {
  int64_t state_version = 0;
  int64_t timestamp = 0;  // Wall milliseconds.
  int64_t counter = 0;
  friend bool operator==(const DataVersion&, const DataVersion&) = default;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_WIRE_ROUTE_H_
