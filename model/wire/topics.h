// Names of topics on which clients and brokers agree (MixAll,
// TopicValidator, 5.3.3).
#ifndef GROUPSIM_MODEL_WIRE_TOPICS_H_
#define GROUPSIM_MODEL_WIRE_TOPICS_H_

#include "absl/strings/string_view.h"
#include "model/base/name.h"

namespace groupsim {

// Before the name of a group: where its messages come from that are to be
// consumed again, and where those lie that will not be.
inline constexpr absl::string_view kRetryTopicPrefix = "%RETRY%";
inline constexpr absl::string_view kDeadLetterTopicPrefix = "%DLQ%";

// Where messages wait, one queue for each delay level.
inline constexpr absl::string_view kScheduleTopic = "SCHEDULE_TOPIC_XXXX";

// The topics of a group (MixAll.getRetryTopic, getDLQTopic).
Name RetryTopicOf(Name group, NameTable& names);
Name DeadLetterTopicOf(Name group, NameTable& names);

// Whether a topic is the retry topic of some group.
bool IsRetryTopic(absl::string_view topic);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_WIRE_TOPICS_H_
