#include "model/wire/codes.h"

#include <vector>

#include "absl/strings/string_view.h"

namespace groupsim {
namespace {

// All but kNone, in order.
constexpr RequestCode kRequestCodes[] = {
    RequestCode::kPullMessage,
    RequestCode::kQueryConsumerOffset,
    RequestCode::kUpdateConsumerOffset,
    RequestCode::kSearchOffsetByTimestamp,
    RequestCode::kGetMaxOffset,
    RequestCode::kGetMinOffset,
    RequestCode::kHeartBeat,
    RequestCode::kUnregisterClient,
    RequestCode::kConsumerSendMsgBack,
    RequestCode::kGetConsumerListByGroup,
    RequestCode::kNotifyConsumerIdsChanged,
    RequestCode::kLockBatchMq,
    RequestCode::kUnlockBatchMq,
    RequestCode::kRegisterBroker,
    RequestCode::kUnregisterBroker,
    RequestCode::kGetRouteInfoByTopic,
    RequestCode::kResetConsumerClientOffset,
    RequestCode::kSendMessageV2,
    RequestCode::kLitePullMessage,
};

}  // namespace

absl::string_view NameOf(RequestCode code) {
  switch (code) {
    case RequestCode::kNone:
      return "NONE";
    case RequestCode::kPullMessage:
      return "PULL_MESSAGE";
    case RequestCode::kLitePullMessage:
      return "LITE_PULL_MESSAGE";
    case RequestCode::kQueryConsumerOffset:
      return "QUERY_CONSUMER_OFFSET";
    case RequestCode::kUpdateConsumerOffset:
      return "UPDATE_CONSUMER_OFFSET";
    case RequestCode::kSearchOffsetByTimestamp:
      return "SEARCH_OFFSET_BY_TIMESTAMP";
    case RequestCode::kGetMaxOffset:
      return "GET_MAX_OFFSET";
    case RequestCode::kGetMinOffset:
      return "GET_MIN_OFFSET";
    case RequestCode::kHeartBeat:
      return "HEART_BEAT";
    case RequestCode::kUnregisterClient:
      return "UNREGISTER_CLIENT";
    case RequestCode::kConsumerSendMsgBack:
      return "CONSUMER_SEND_MSG_BACK";
    case RequestCode::kGetConsumerListByGroup:
      return "GET_CONSUMER_LIST_BY_GROUP";
    case RequestCode::kNotifyConsumerIdsChanged:
      return "NOTIFY_CONSUMER_IDS_CHANGED";
    case RequestCode::kLockBatchMq:
      return "LOCK_BATCH_MQ";
    case RequestCode::kUnlockBatchMq:
      return "UNLOCK_BATCH_MQ";
    case RequestCode::kRegisterBroker:
      return "REGISTER_BROKER";
    case RequestCode::kUnregisterBroker:
      return "UNREGISTER_BROKER";
    case RequestCode::kGetRouteInfoByTopic:
      return "GET_ROUTEINFO_BY_TOPIC";
    case RequestCode::kResetConsumerClientOffset:
      return "RESET_CONSUMER_CLIENT_OFFSET";
    case RequestCode::kSendMessageV2:
      return "SEND_MESSAGE_V2";
  }
  return "UNKNOWN";
}

absl::string_view NameOf(ResponseCode code) {
  switch (code) {
    case ResponseCode::kSuccess:
      return "SUCCESS";
    case ResponseCode::kSystemError:
      return "SYSTEM_ERROR";
    case ResponseCode::kSystemBusy:
      return "SYSTEM_BUSY";
    case ResponseCode::kRequestCodeNotSupported:
      return "REQUEST_CODE_NOT_SUPPORTED";
    case ResponseCode::kFlushDiskTimeout:
      return "FLUSH_DISK_TIMEOUT";
    case ResponseCode::kSlaveNotAvailable:
      return "SLAVE_NOT_AVAILABLE";
    case ResponseCode::kFlushSlaveTimeout:
      return "FLUSH_SLAVE_TIMEOUT";
    case ResponseCode::kMessageIllegal:
      return "MESSAGE_ILLEGAL";
    case ResponseCode::kServiceNotAvailable:
      return "SERVICE_NOT_AVAILABLE";
    case ResponseCode::kNoPermission:
      return "NO_PERMISSION";
    case ResponseCode::kTopicNotExist:
      return "TOPIC_NOT_EXIST";
    case ResponseCode::kPullNotFound:
      return "PULL_NOT_FOUND";
    case ResponseCode::kPullRetryImmediately:
      return "PULL_RETRY_IMMEDIATELY";
    case ResponseCode::kPullOffsetMoved:
      return "PULL_OFFSET_MOVED";
    case ResponseCode::kQueryNotFound:
      return "QUERY_NOT_FOUND";
    case ResponseCode::kSubscriptionParseFailed:
      return "SUBSCRIPTION_PARSE_FAILED";
    case ResponseCode::kSubscriptionNotExist:
      return "SUBSCRIPTION_NOT_EXIST";
    case ResponseCode::kSubscriptionNotLatest:
      return "SUBSCRIPTION_NOT_LATEST";
    case ResponseCode::kSubscriptionGroupNotExist:
      return "SUBSCRIPTION_GROUP_NOT_EXIST";
    case ResponseCode::kInvalidParameter:
      return "INVALID_PARAMETER";
    case ResponseCode::kFlowControl:
      return "FLOW_CONTROL";
    case ResponseCode::kGoAway:
      return "GO_AWAY";
  }
  return "UNKNOWN";
}

RequestCode RequestCodeOf(absl::string_view name) {
  for (const RequestCode code : kRequestCodes) {
    if (NameOf(code) == name) return code;
  }
  return RequestCode::kNone;
}

std::vector<absl::string_view> RequestNames() {
  std::vector<absl::string_view> names;
  for (const RequestCode code : kRequestCodes) names.push_back(NameOf(code));
  return names;
}

}  // namespace groupsim
