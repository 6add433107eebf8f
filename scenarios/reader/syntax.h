// A scenario's text as a tree, before anything is known about fields.
#ifndef GROUPSIM_SCENARIOS_READER_SYNTAX_H_
#define GROUPSIM_SCENARIOS_READER_SYNTAX_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "scenarios/reader/allowances.h"
#include "scenarios/reader/finding.h"

namespace groupsim {

struct SyntaxField;

// A value, as written.
struct SyntaxValue {
  enum class Kind {
    kWord,     // An identifier: true, POISSON.
    kNumber,   // With its sign.
    kText,     // In quotes; `text` is what they hold.
    kBare,     // What would be a text if it were in quotes: order-processing.
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

// Reads protobuf's text format; `source` is the number of the text. Goes on
// after an error where the next line, or the end of the message, makes sense.
// False if what was read into `tree` says too little to be judged.
bool ParseTextFormat(absl::string_view text, int source, SyntaxValue& tree,
                     Allowances& allowances, Findings& findings);

// The value that stands from byte `begin` to the end of `text`.
bool ParseTextFormatValue(absl::string_view text, size_t begin, int source,
                          SyntaxValue& value, Findings& findings);

// One object of JSON. Goes on after the commonest errors, stops at the first
// other one.
bool ParseJson(absl::string_view text, int source, SyntaxValue& tree,
               Findings& findings);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_SYNTAX_H_
