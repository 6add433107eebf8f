// After which failures a producer tries again.
#ifndef GROUPSIM_MODEL_CLIENT_SEND_RULES_H_
#define GROUPSIM_MODEL_CLIENT_SEND_RULES_H_

#include "model/runtime/remoting.h"
#include "model/wire/codes.h"

namespace groupsim {

// Whether a synchronous send that a broker refused with this code tries another
// broker (DefaultMQProducer.retryResponseCodes, 5.3.3; of upstream's eight,
// NO_BUYER_ID and NOT_IN_CURRENT_UNIT are not spoken here).
constexpr bool IsRetriedOnAnotherBroker(ResponseCode code) {
  switch (code) {
    case ResponseCode::kTopicNotExist:
    case ResponseCode::kServiceNotAvailable:
    case ResponseCode::kSystemError:
    case ResponseCode::kSystemBusy:
    case ResponseCode::kNoPermission:
    case ResponseCode::kGoAway:
      return true;
    default:
      return false;
  }
}

// Whether an asynchronous send that ended so tries again: after failures of the
// transport, but not of the client's own limit, and never after a reply
// (MQClientAPIImpl.onExceptionImpl).
inline bool IsAsyncRetried(const CallResult& result) {
  return !result.replied() && result.error != CallError::kTooManyRequests;
}

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_SEND_RULES_H_
