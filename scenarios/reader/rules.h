// Checks a message against the rules of its fields (rule.proto).
#ifndef GROUPSIM_SCENARIOS_READER_RULES_H_
#define GROUPSIM_SCENARIOS_READER_RULES_H_

#include "google/protobuf/message.h"
#include "scenarios/reader/judge.h"

namespace groupsim {

// Every field that is set keeps the notation and the limits of its rule; every
// field that must be set is; of every choice (oneof) one is taken. What a value
// refers to is not looked at.
void CheckRules(const google::protobuf::Message& message, Judge& judge);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_RULES_H_
