// Requests and replies as plain structs; how they look as bytes is not said
// here. Field names follow the custom headers of the remoting protocol.
#ifndef GROUPSIM_MODEL_WIRE_COMMAND_H_
#define GROUPSIM_MODEL_WIRE_COMMAND_H_

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/wire/codes.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"
#include "model/wire/subscription.h"

namespace groupsim {

// ---- To the name server ----

struct RegisterBrokerRequest {
  static constexpr RequestCode kCode = RequestCode::kRegisterBroker;
  Name cluster;
  Name broker;
  Name address;
  int64_t broker_id = kMasterId;
  // Until when the registration counts without renewal; zero stands for the
  // name server's default of 120 s.
  Duration heartbeat_timeout;
  DataVersion data_version;
  std::shared_ptr<const std::vector<TopicConfig>> topics;
};

struct UnregisterBrokerRequest {
  static constexpr RequestCode kCode = RequestCode::kUnregisterBroker;
  Name cluster;
  Name broker;
  Name address;
  int64_t broker_id = kMasterId;
};

struct GetRouteInfoRequest {
  static constexpr RequestCode kCode = RequestCode::kGetRouteInfoByTopic;
  Name topic;
};
struct GetRouteInfoReply {
  TopicRoutePtr route;
};

// ---- To a broker ----

// What few messages have: those that are to wait, and those that a consumer
// sends on.
struct SendProperties {
  int32_t delay_level = 0;      // Property DELAY; 0 for none.
  int32_t reconsume_times = 0;  // In the header.
  int32_t max_reconsume_times =
      -1;                // In the header; below 0 where it has none.
  MessageOrigin origin;  // RETRY_TOPIC and ORIGIN_MESSAGE_ID.
};

struct SendMessageRequest {
  static constexpr RequestCode kCode = RequestCode::kSendMessageV2;
  Name producer_group;
  Name topic;
  int32_t queue_id = 0;  // Below 0 for any.
  int32_t body_size = 0;
  Instant born;
  uint64_t key = 0;
  Name tag;
  // Queues of the topic if the broker has to make it (defaultTopicQueueNums;
  // the template is always TBW102).
  int32_t default_topic_queue_nums = 4;
  std::shared_ptr<const SendProperties> properties;  // Null for none.
};
// With SUCCESS, and with the three codes that say the message is stored, though
// not as safely as it should be.
struct SendMessageReply {
  int32_t queue_id = 0;
  int64_t queue_offset = 0;
};

// Asks the broker that stored a message to deliver it again.
struct SendMessageBackRequest {
  static constexpr RequestCode kCode = RequestCode::kConsumerSendMsgBack;
  Name group;
  int64_t offset = 0;  // In the log: the message as it was consumed.
  Name origin_topic;   // The topic to which it was first sent.
  int32_t delay_level = 0;
  int32_t max_reconsume_times = -1;  // Below 0 where it is the broker's.
};

// Bits of PullMessageRequest::sys_flag (PullSysFlag).
inline constexpr int32_t kPullFlagCommitOffset = 1;
inline constexpr int32_t kPullFlagSuspend = 2;
inline constexpr int32_t kPullFlagSubscription = 4;

// As PULL_MESSAGE; as LITE_PULL_MESSAGE where the request is given that code.
struct PullMessageRequest {
  static constexpr RequestCode kCode = RequestCode::kPullMessage;
  Name group;
  MessageQueue queue;
  // With kPullFlagSubscription, the expression of tags; empty takes all.
  Name subscription;
  int64_t queue_offset = 0;
  int64_t commit_offset = 0;
  int64_t sub_version = 0;
  Duration suspend_timeout;
  int32_t max_msg_nums = 32;
  int32_t sys_flag = 0;
};
struct PullMessageReply {
  int64_t next_begin_offset = 0;
  int64_t min_offset = 0;
  int64_t max_offset = 0;
  int64_t suggest_which_broker_id = kMasterId;
  MessageBatch messages;
};

struct QueryConsumerOffsetRequest {
  static constexpr RequestCode kCode = RequestCode::kQueryConsumerOffset;
  Name group;
  MessageQueue queue;
};

struct UpdateConsumerOffsetRequest {
  static constexpr RequestCode kCode = RequestCode::kUpdateConsumerOffset;
  Name group;
  MessageQueue queue;
  int64_t commit_offset = 0;
};

struct GetMaxOffsetRequest {
  static constexpr RequestCode kCode = RequestCode::kGetMaxOffset;
  MessageQueue queue;
};

struct GetMinOffsetRequest {
  static constexpr RequestCode kCode = RequestCode::kGetMinOffset;
  MessageQueue queue;
};

// The smallest offset whose store time is at or after `timestamp`.
struct SearchOffsetRequest {
  static constexpr RequestCode kCode = RequestCode::kSearchOffsetByTimestamp;
  MessageQueue queue;
  int64_t timestamp = 0;  // Wall milliseconds.
};

// Answers the four requests about offsets.
struct OffsetReply {
  int64_t offset = 0;
};

struct HeartbeatRequest {
  static constexpr RequestCode kCode = RequestCode::kHeartBeat;
  Name client_id;
  std::shared_ptr<const std::vector<ConsumerData>> consumers;  // May be null.
  std::shared_ptr<const std::vector<Name>> producer_groups;    // May be null.
};

struct UnregisterClientRequest {
  static constexpr RequestCode kCode = RequestCode::kUnregisterClient;
  Name client_id;
  Name producer_group;  // Empty for none.
  Name consumer_group;  // Empty for none.
};

struct GetConsumerListRequest {
  static constexpr RequestCode kCode = RequestCode::kGetConsumerListByGroup;
  Name group;
};
struct GetConsumerListReply {
  // One entry per connection, not per distinct client id.
  std::shared_ptr<const std::vector<Name>> client_ids;
};

// Asks for the locks of queues of one broker, or renews them
// (LockBatchRequestBody).
struct LockBatchRequest {
  static constexpr RequestCode kCode = RequestCode::kLockBatchMq;
  Name group;
  Name client_id;
  std::vector<MessageQueue> queues;
};
struct LockBatchReply {
  std::vector<MessageQueue> locked;  // A refused queue is not among them.
};

// Gives locks back (UnlockBatchRequestBody).
struct UnlockBatchRequest {
  static constexpr RequestCode kCode = RequestCode::kUnlockBatchMq;
  Name group;
  Name client_id;
  std::vector<MessageQueue> queues;
};

// ---- From a broker to a client ----

struct NotifyConsumerIdsChangedRequest {
  static constexpr RequestCode kCode = RequestCode::kNotifyConsumerIdsChanged;
  Name group;
};

// Go on from these offsets, one for each queue of the broker
// (ResetOffsetBody).
struct ResetConsumerClientOffsetRequest {
  static constexpr RequestCode kCode = RequestCode::kResetConsumerClientOffset;
  Name group;
  Name topic;
  std::vector<std::pair<MessageQueue, int64_t>> offsets;
};

// Any request.
using RequestBody =
    std::variant<std::monostate, RegisterBrokerRequest, UnregisterBrokerRequest,
                 GetRouteInfoRequest, SendMessageRequest, PullMessageRequest,
                 QueryConsumerOffsetRequest, UpdateConsumerOffsetRequest,
                 GetMaxOffsetRequest, GetMinOffsetRequest, SearchOffsetRequest,
                 HeartbeatRequest, UnregisterClientRequest,
                 GetConsumerListRequest, NotifyConsumerIdsChangedRequest,
                 SendMessageBackRequest, LockBatchRequest, UnlockBatchRequest,
                 ResetConsumerClientOffsetRequest>;

// A request with its code.
struct Request {
  Request() = default;
  template <class Body>
  requires requires { std::remove_cvref_t<Body>::kCode; }
  Request(Body&& b)  // NOLINT(google-explicit-constructor)
      : code(std::remove_cvref_t<Body>::kCode), body(std::forward<Body>(b)) {}

  RequestCode code = RequestCode::kNone;
  RequestBody body;
};

using ReplyBody = std::variant<std::monostate, GetRouteInfoReply,
                               SendMessageReply, PullMessageReply, OffsetReply,
                               GetConsumerListReply, LockBatchReply>;

// A reply: its code, a remark for people, and what the request asked for.
struct Reply {
  Reply() = default;
  explicit Reply(ResponseCode c, std::string why = {})
      : code(c), remark(std::move(why)) {}
  template <class Body>
  requires std::is_constructible_v<ReplyBody, Body&&> Reply(ResponseCode c,
                                                            Body&& b)
      : code(c), body(std::forward<Body>(b)) {}

  bool ok() const { return code == ResponseCode::kSuccess; }

  ResponseCode code = ResponseCode::kSuccess;
  std::string remark;
  ReplyBody body;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_WIRE_COMMAND_H_
