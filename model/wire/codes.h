// Request and response codes of the remoting protocol (RequestCode and
// ResponseCode, 5.3.3), as far as the model speaks them.
#ifndef GROUPSIM_MODEL_WIRE_CODES_H_
#define GROUPSIM_MODEL_WIRE_CODES_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace groupsim {

enum class RequestCode : int32_t {
  kNone = 0,
  kPullMessage = 11,
  kQueryConsumerOffset = 14,
  kUpdateConsumerOffset = 15,
  kSearchOffsetByTimestamp = 29,
  kGetMaxOffset = 30,
  kGetMinOffset = 31,
  kHeartBeat = 34,
  kUnregisterClient = 35,
  kConsumerSendMsgBack = 36,
  kGetConsumerListByGroup = 38,
  kNotifyConsumerIdsChanged = 40,
  kLockBatchMq = 41,
  kUnlockBatchMq = 42,
  kRegisterBroker = 103,
  kUnregisterBroker = 104,
  kGetRouteInfoByTopic = 105,
  kResetConsumerClientOffset = 220,
  kSendMessageV2 = 310,
  kLitePullMessage = 361,
};

enum class ResponseCode : int32_t {
  kSuccess = 0,
  kSystemError = 1,
  kSystemBusy = 2,
  kRequestCodeNotSupported = 3,
  kFlushDiskTimeout = 10,
  kSlaveNotAvailable = 11,
  kFlushSlaveTimeout = 12,
  kMessageIllegal = 13,
  kServiceNotAvailable = 14,
  kNoPermission = 16,
  kTopicNotExist = 17,
  kPullNotFound = 19,
  kPullRetryImmediately = 20,
  kPullOffsetMoved = 21,
  kQueryNotFound = 22,
  kSubscriptionParseFailed = 23,
  kSubscriptionNotExist = 24,
  kSubscriptionNotLatest = 25,
  kSubscriptionGroupNotExist = 26,
  kInvalidParameter = 29,
  kFlowControl = 215,
  kGoAway = 1500,
};

// Upstream's constant, e.g. "PULL_OFFSET_MOVED".
absl::string_view NameOf(RequestCode code);
absl::string_view NameOf(ResponseCode code);

// The code of that name; kNone if there is none.
RequestCode RequestCodeOf(absl::string_view name);
// Names of all requests, in the order of their codes.
std::vector<absl::string_view> RequestNames();

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_WIRE_CODES_H_
