#include "model/facts/causes.h"

#include "absl/strings/string_view.h"

namespace groupsim {

absl::string_view NameOf(ProcessRole role) {
  switch (role) {
    case ProcessRole::kNameServer:
      return "name server";
    case ProcessRole::kBroker:
      return "broker";
    case ProcessRole::kConsumer:
      return "consumer";
    case ProcessRole::kProducer:
      return "producer";
  }
  return "unknown";
}

absl::string_view NameOf(CloseReason reason) {
  switch (reason) {
    case CloseReason::kLocal:
      return "closed here";
    case CloseReason::kRemote:
      return "closed by the peer";
    case CloseReason::kReset:
      return "reset";
    case CloseReason::kRefused:
      return "refused";
    case CloseReason::kTimeout:
      return "connect time-out";
    case CloseReason::kIdle:
      return "idle";
    case CloseReason::kUnacknowledged:
      return "unacknowledged";
  }
  return "unknown";
}

absl::string_view NameOf(BrokerRemovalCause cause) {
  switch (cause) {
    case BrokerRemovalCause::kUnregistered:
      return "unregistered";
    case BrokerRemovalCause::kChannelClosed:
      return "connection closed";
    case BrokerRemovalCause::kExpired:
      return "expired";
  }
  return "unknown";
}

absl::string_view NameOf(MemberRemovalCause cause) {
  switch (cause) {
    case MemberRemovalCause::kUnregistered:
      return "unregistered";
    case MemberRemovalCause::kChannelClosed:
      return "connection closed";
    case MemberRemovalCause::kChannelIdle:
      return "connection idle";
    case MemberRemovalCause::kExpired:
      return "expired";
  }
  return "unknown";
}

absl::string_view NameOf(DropCause cause) {
  switch (cause) {
    case DropCause::kNotAllocated:
      return "not allocated";
    case DropCause::kPullExpired:
      return "pull expired";
    case DropCause::kOffsetIllegal:
      return "offset illegal";
    case DropCause::kUnsubscribed:
      return "unsubscribed";
    case DropCause::kShutdown:
      return "shutdown";
    case DropCause::kOffsetReset:
      return "offset reset";
  }
  return "unknown";
}

absl::string_view NameOf(PostponeReason reason) {
  switch (reason) {
    case PostponeReason::kNotRunning:
      return "not running";
    case PostponeReason::kSuspended:
      return "suspended";
    case PostponeReason::kCount:
      return "count";
    case PostponeReason::kSize:
      return "size";
    case PostponeReason::kSpan:
      return "span";
    case PostponeReason::kNotLocked:
      return "not locked";
    case PostponeReason::kNoSubscription:
      return "no subscription";
    case PostponeReason::kNoBroker:
      return "no broker";
    case PostponeReason::kNoOffset:
      return "no offset";
  }
  return "unknown";
}

absl::string_view NameOf(LockLossCause cause) {
  switch (cause) {
    case LockLossCause::kRefused:
      return "refused";
    case LockLossCause::kNotRenewed:
      return "not renewed";
  }
  return "unknown";
}

absl::string_view NameOf(ConsumeStatus status) {
  switch (status) {
    case ConsumeStatus::kSuccess:
      return "success";
    case ConsumeStatus::kReconsumeLater:
      return "reconsume later";
    case ConsumeStatus::kException:
      return "exception";
    case ConsumeStatus::kNull:
      return "null";
    case ConsumeStatus::kCommit:
      return "commit";
    case ConsumeStatus::kRollback:
      return "rollback";
  }
  return "unknown";
}

}  // namespace groupsim
