// What `groupsim help` explains besides commands.
#ifndef GROUPSIM_TOOLS_CLI_HELP_TOPICS_H_
#define GROUPSIM_TOOLS_CLI_HELP_TOPICS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace groupsim {

struct HelpTopic {
  absl::string_view name;
  absl::string_view about;  // A few words.
  std::string (*text)();
};

// By name.
absl::Span<const HelpTopic> AllHelpTopics();

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_HELP_TOPICS_H_
