#include "model/wire/topics.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"

namespace groupsim {

Name RetryTopicOf(Name group, NameTable& names) {
  return names.Intern(absl::StrCat(kRetryTopicPrefix, group.text()));
}

Name DeadLetterTopicOf(Name group, NameTable& names) {
  return names.Intern(absl::StrCat(kDeadLetterTopicPrefix, group.text()));
}

bool IsRetryTopic(absl::string_view topic) {
  return absl::StartsWith(topic, kRetryTopicPrefix);
}

}  // namespace groupsim
