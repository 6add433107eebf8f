// After which failures a producer tries again.
#ifndef GROUPSIM_MODEL_CLIENT_SEND_RULES_H_
#define GROUPSIM_MODEL_CLIENT_SEND_RULES_H_

#include <cstdint>
#include <variant>

#include "model/client/fault_strategy.h"
#include "model/runtime/remoting.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"

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

// Whether the broker has the message, be it not yet safe
// (MQClientAPIImpl.processSendResponse).
inline bool IsStored(const CallResult& result) {
  return result.replied() &&
         std::holds_alternative<SendMessageReply>(result.reply.body);
}

// How one attempt of a synchronous send ended.
enum class AttemptEnd {
  kSent,         // The send is over.
  kKeptToRetry,  // Stored, but a safer answer is looked for.
  kRetry,   // To be tried on another broker, if the send has attempts left.
  kFailed,  // The send is over, unless an earlier attempt was stored.
};

// DefaultMQProducerImpl.sendDefaultImpl, 5.3.3.
inline AttemptEnd JudgeAttempt(const CallResult& result,
                               bool retry_when_not_store_ok) {
  if (IsStored(result)) {
    return result.ok() || !retry_when_not_store_ok ? AttemptEnd::kSent
                                                   : AttemptEnd::kKeptToRetry;
  }
  if (!result.replied() || IsRetriedOnAnotherBroker(result.reply.code)) {
    return AttemptEnd::kRetry;
  }
  return AttemptEnd::kFailed;
}

// What the latency-fault strategy makes of an attempt of a synchronous send.
inline FaultStrategy::Outcome SyncOutcome(const CallResult& result) {
  if (!result.replied()) return FaultStrategy::Outcome::kTransport;
  return IsStored(result) ? FaultStrategy::Outcome::kAnswered
                          : FaultStrategy::Outcome::kRefused;
}

// Why an attempt was no success, for facts: the response code, or the negated
// CallError.
inline int64_t FailureNumber(const CallResult& result) {
  return result.replied() ? static_cast<int64_t>(result.reply.code)
                          : -static_cast<int64_t>(result.error);
}

// Whether an asynchronous send that ended so tries again: after failures of the
// transport, but not of the client's own limit, and never after a reply
// (MQClientAPIImpl.onExceptionImpl).
inline bool IsAsyncRetried(const CallResult& result) {
  return !result.replied() && result.error != CallError::kTooManyRequests;
}

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_SEND_RULES_H_
