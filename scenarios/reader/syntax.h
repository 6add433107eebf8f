// A scenario's text as a tree, before anything is known about fields.
#ifndef GROUPSIM_SCENARIOS_READER_SYNTAX_H_
#define GROUPSIM_SCENARIOS_READER_SYNTAX_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "scenarios/reader/finding.h"

namespace groupsim {

struct SyntaxField;

// A value, as written.
struct SyntaxValue {
  enum class Kind {
    kWord,     // An identifier: true, POISSON.
    kNumber,   // With its sign.
    kText,     // In quotes; `text` is what they hold.
    kMessage,  // { ... }
    kList,     // [ ... ]
    kNull,     // JSON's null.
    kBroken,   // Could not be read, which has been told.
  };
  Kind kind = Kind::kWord;
  Span span;
  std::string text;
  std::vector<SyntaxField> fields;  // Of a message.
  std::vector<SyntaxValue> items;   // Of a list.
};

// A name and its value.
struct SyntaxField {
  std::string name;
  Span name_span;
  SyntaxValue value;
};

// Messages and lists may be nested so deep.
inline constexpr int kDeepestNesting = 100;

// Reads protobuf's text format. Goes on after an error where the next line, or
// the end of the message, makes sense. False if what was read into `tree` says
// too little to be judged.
bool ParseTextFormat(absl::string_view text, SyntaxValue& tree,
                     Findings& findings);

// The same for JSON, one object. Stops at the first error.
bool ParseJson(absl::string_view text, SyntaxValue& tree, Findings& findings);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_SYNTAX_H_
