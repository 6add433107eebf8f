// The form that a scenario is written in.
#ifndef GROUPSIM_SCENARIOS_READER_FORM_H_
#define GROUPSIM_SCENARIOS_READER_FORM_H_

#include "absl/strings/string_view.h"
#include "scenarios/reader/finding.h"

namespace groupsim {

enum class ScenarioForm {
  kText,    // Protobuf's text format: .textproto, .txtpb, .pbtxt, any other.
  kJson,    // .json
  kBinary,  // .binpb, .pb
};

// By the end of a file's name.
ScenarioForm FormOf(absl::string_view path);

// False, having said what it is, if `text` is not of its form, text or JSON,
// but of another one, or in another encoding than UTF-8.
bool CheckForm(absl::string_view text, int source, ScenarioForm form,
               Findings& findings);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_FORM_H_
