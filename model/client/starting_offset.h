// Where a queue begins whose group has no offset stored for it.
#ifndef GROUPSIM_MODEL_CLIENT_STARTING_OFFSET_H_
#define GROUPSIM_MODEL_CLIENT_STARTING_OFFSET_H_

#include "model/wire/subscription.h"

namespace groupsim {

enum class StartingPoint {
  kZero,
  kMaximum,    // The offset after the newest message.
  kTimestamp,  // The first message stored at or after the consumer's timestamp.
};

// RebalancePushImpl.computePullFromWhereWithException, 5.3.3, for a stored
// offset of -1. A queue whose oldest message is above zero is corrected by the
// broker at the first pull.
inline StartingPoint WhereToStart(ConsumeFromWhere from, bool is_retry_topic) {
  switch (from) {
    case ConsumeFromWhere::kLastOffset:
      return is_retry_topic ? StartingPoint::kZero : StartingPoint::kMaximum;
    case ConsumeFromWhere::kFirstOffset:
      return StartingPoint::kZero;
    case ConsumeFromWhere::kTimestamp:
      return is_retry_topic ? StartingPoint::kMaximum
                            : StartingPoint::kTimestamp;
  }
  return StartingPoint::kZero;
}

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_STARTING_OFFSET_H_
