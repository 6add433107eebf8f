// The words and signs of a scenario in text format.
#ifndef GROUPSIM_SCENARIOS_READER_LEXER_H_
#define GROUPSIM_SCENARIOS_READER_LEXER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "scenarios/reader/allowances.h"
#include "scenarios/reader/finding.h"

namespace groupsim {

// Sixteen bytes, as a hostile file may have millions.
struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kWord,
    kNumber,    // With what makes no sense behind its digits.
    kText,      // In quotes.
    kOpenText,  // A text that is not closed on its line.
    kSymbol,    // One of {}[]<>:,;-./=
    kBad,       // A character that means nothing.
  };
  Kind kind = Kind::kEnd;
  char symbol = '\0';
  bool first_on_line = false;
  bool glued = false;  // Nothing stands between it and the token before.
  uint32_t begin = 0;
  uint32_t end = 0;
};

// All tokens of `text`, the last one being kEnd. Comments and characters that
// belong to another language or to a word processor are told. `source` is the
// number of the text. Comments that allow a lint go to `allowances`.
std::vector<Token> Tokenize(absl::string_view text, int source,
                            Allowances& allowances, Findings& findings);

// What is between the quotes of a kText token, quotes of word processors
// included.
absl::string_view WithoutQuotes(absl::string_view raw);

// Closes what is open, where the indentation shows that it was meant to be
// closed: afterwards every opening brace or bracket has its partner. Each that
// had none is told at the place where it was opened. False if the nesting is
// too deep.
bool BalanceBraces(absl::string_view text, int source,
                   std::vector<Token>& tokens, Findings& findings);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_LEXER_H_
