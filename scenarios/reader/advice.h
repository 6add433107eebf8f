// What to say about a field or a value that is wrong, and what would be right.
#ifndef GROUPSIM_SCENARIOS_READER_ADVICE_H_
#define GROUPSIM_SCENARIOS_READER_ADVICE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "scenarios/reader/syntax.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {

struct Advice {
  std::string message;
  std::string hint;
  std::optional<std::string> fix;  // In the place of what is wrong.
  // Of an unknown field: the field of the same message that was meant, or "".
  std::string meant;
};

// `written` is no field of `type`, the type of the message at `path` below
// `root`. Considers the names of the message, those of messages in it and
// around it, and what RocketMQ and other languages call things.
Advice AdviseOnField(const google::protobuf::Descriptor& root,
                     absl::string_view path,
                     const google::protobuf::Descriptor& type,
                     absl::string_view written);

// `value` cannot be that of `field`.
Advice AdviseOnValue(const SyntaxValue& value,
                     const google::protobuf::FieldDescriptor& field, bool json);

// A last line for a text that is not in the notation of its field, such as
// `did you mean "30s"?`; "" if nothing can be guessed. `kind` is that of the
// notation, `limits` what the guess has to keep.
std::string GuessNotation(absl::string_view text, FieldRule::Kind kind,
                          const FieldRule& limits);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_ADVICE_H_
