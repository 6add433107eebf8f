#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "scenarios/reader/escapes.h"
#include "scenarios/reader/syntax.h"

namespace groupsim {
namespace {

struct Token {
  enum class Kind { kEnd, kWord, kNumber, kText, kSymbol, kBad };
  Kind kind = Kind::kEnd;
  Span span;
  absl::string_view raw;
};

bool StartsWord(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool ContinuesWord(char c) { return absl::ascii_isalnum(c) || c == '_'; }

class Lexer {
 public:
  explicit Lexer(absl::string_view text) : text_(text) { Advance(); }

  const Token& token() const { return token_; }

  void Advance() {
    SkipSpace();
    const size_t begin = position_;
    Token::Kind kind = Token::Kind::kEnd;
    if (position_ < text_.size()) {
      const char c = text_[position_];
      if (StartsWord(c)) {
        kind = Token::Kind::kWord;
        TakeWhile(ContinuesWord);
      } else if (absl::ascii_isdigit(c) ||
                 (c == '.' && absl::ascii_isdigit(Peek(1)))) {
        kind = Token::Kind::kNumber;
        TakeNumber();
      } else if (c == '"' || c == '\'') {
        kind = TakeText(c) ? Token::Kind::kText : Token::Kind::kBad;
      } else if (absl::StrContains("{}[]<>:,;-./", c)) {
        kind = Token::Kind::kSymbol;
        ++position_;
      } else {
        kind = Token::Kind::kBad;
        TakeCharacter();
      }
    }
    token_ = {.kind = kind,
              .span = {begin, position_},
              .raw = text_.substr(begin, position_ - begin)};
  }

 private:
  char Peek(size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  template <class Predicate>
  void TakeWhile(Predicate predicate) {
    while (position_ < text_.size() && predicate(text_[position_])) ++position_;
  }

  void SkipSpace() {
    while (position_ < text_.size()) {
      if (text_[position_] == '#') {
        TakeWhile([](char c) { return c != '\n'; });
      } else if (absl::ascii_isspace(text_[position_])) {
        ++position_;
      } else {
        return;
      }
    }
  }

  // Also takes what makes no sense behind digits, so that it is one mistake.
  void TakeNumber() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      const bool signed_exponent =
          (c == '+' || c == '-') && position_ > 0 &&
          absl::ascii_tolower(text_[position_ - 1]) == 'e';
      if (!absl::ascii_isalnum(c) && c != '.' && c != '_' && !signed_exponent) {
        return;
      }
      ++position_;
    }
  }

  // False if the line ends before the text does.
  bool TakeText(char quote) {
    ++position_;
    while (position_ < text_.size() && text_[position_] != '\n') {
      const char c = text_[position_++];
      if (c == quote) return true;
      if (c == '\\' && position_ < text_.size() && text_[position_] != '\n') {
        ++position_;
      }
    }
    return false;
  }

  void TakeCharacter() {
    ++position_;
    TakeWhile([](char c) { return (c & 0xC0) == 0x80; });
  }

  const absl::string_view text_;
  size_t position_ = 0;
  Token token_;
};

class Parser {
 public:
  Parser(absl::string_view text, Findings& findings)
      : text_(text), lexer_(text), findings_(findings) {}

  bool ParseAll(SyntaxValue& root) {
    root.kind = SyntaxValue::Kind::kMessage;
    root.span = {0, 0};
    while (!AtEnd() && !stopped_) {
      ParseFields(root, /*depth=*/0);
      if (!AtEnd() && !stopped_) {
        Error(lexer_.token().span, "a brace is closed that was not opened");
        lexer_.Advance();
      }
    }
    return !stopped_;
  }

 private:
  bool AtEnd() const { return lexer_.token().kind == Token::Kind::kEnd; }
  bool AtSymbol(char c) const {
    return lexer_.token().kind == Token::Kind::kSymbol &&
           lexer_.token().raw[0] == c;
  }
  bool TakeSymbol(char c) {
    if (!AtSymbol(c)) return false;
    lexer_.Advance();
    return true;
  }

  void Error(Span span, std::string message, std::string hint = "") {
    findings_.Add({.span = span,
                   .message = std::move(message),
                   .path = "",
                   .hint = std::move(hint)});
    if (findings_.full()) stopped_ = true;
  }

  std::string Found() const {
    const Token& token = lexer_.token();
    if (token.kind == Token::Kind::kEnd) return "the end of the file";
    if (token.kind == Token::Kind::kText) return "a text";
    if (token.kind == Token::Kind::kBad &&
        (token.raw[0] == '"' || token.raw[0] == '\'')) {
      return "a text that is not closed on its line";
    }
    return Quote(token.raw);
  }

  void Unexpected(absl::string_view wanted) {
    std::string hint;
    if (AtSymbol('{') &&
        text_.find_first_not_of(" \t\r\n") == lexer_.token().span.begin) {
      hint = "if this is JSON, give the file a name that ends in .json";
      stopped_ = true;
    }
    Error(lexer_.token().span,
          absl::StrCat("expected ", wanted, ", found ", Found()),
          std::move(hint));
    Recover();
  }

  // Skips to where a field may begin: the next line, or the end of a message.
  void Recover() {
    const size_t line_of = lexer_.token().span.begin;
    const size_t line_end = text_.find('\n', line_of);
    int open = 0;
    while (!AtEnd() && lexer_.token().span.begin < line_end) {
      if (AtSymbol('{') || AtSymbol('[')) ++open;
      if (AtSymbol('}') || AtSymbol(']')) {
        if (open == 0 && AtSymbol('}')) return;
        if (open > 0) --open;
      }
      lexer_.Advance();
    }
    // A message that was opened on the line goes with it.
    while (open > 0 && !AtEnd()) {
      if (AtSymbol('{') || AtSymbol('[')) ++open;
      if (AtSymbol('}') || AtSymbol(']')) --open;
      lexer_.Advance();
    }
  }

  // Reads fields until the message, or the file, ends.
  void ParseFields(SyntaxValue& message, int depth) {
    while (!stopped_ && !AtEnd() && !AtSymbol('}') && !AtSymbol('>')) {
      ParseField(message, depth);
    }
  }

  void ParseField(SyntaxValue& message, int depth) {
    if (lexer_.token().kind != Token::Kind::kWord) {
      Unexpected("the name of a field");
      return;
    }
    SyntaxField field;
    field.name = std::string(lexer_.token().raw);
    field.name_span = lexer_.token().span;
    lexer_.Advance();
    const bool colon = TakeSymbol(':');
    if (!colon && !AtSymbol('{') && !AtSymbol('<') && !AtSymbol('[')) {
      Unexpected(absl::StrCat("\":\" or \"{\" after ", Quote(field.name)));
      field.value.kind = SyntaxValue::Kind::kBroken;
    } else if (!ParseValue(field.value, depth)) {
      field.value.kind = SyntaxValue::Kind::kBroken;
    }
    message.fields.push_back(std::move(field));
    if (!TakeSymbol(',')) TakeSymbol(';');
  }

  // False if nothing came of it; then the error has been told.
  bool ParseValue(SyntaxValue& value, int depth) {
    const Token first = lexer_.token();
    value.span = first.span;
    if (AtSymbol('{') || AtSymbol('<')) {
      return ParseMessage(value, depth + 1);
    }
    if (AtSymbol('[')) return ParseList(value, depth + 1);
    if (first.kind == Token::Kind::kText) return ParseTexts(value);
    bool negative = false;
    if (TakeSymbol('-')) negative = true;
    const Token token = lexer_.token();
    if (token.kind == Token::Kind::kNumber) {
      value.kind = SyntaxValue::Kind::kNumber;
    } else if (token.kind == Token::Kind::kWord) {
      value.kind = negative ? SyntaxValue::Kind::kNumber  // -inf
                            : SyntaxValue::Kind::kWord;
    } else {
      Unexpected("a value");
      return false;
    }
    value.text = absl::StrCat(negative ? "-" : "", token.raw);
    value.span = {first.span.begin, token.span.end};
    lexer_.Advance();
    return true;
  }

  // One text, or several that are joined.
  bool ParseTexts(SyntaxValue& value) {
    value.kind = SyntaxValue::Kind::kText;
    while (lexer_.token().kind == Token::Kind::kText) {
      const absl::string_view raw = lexer_.token().raw;
      const absl::StatusOr<std::string> part =
          Unescape(raw.substr(1, raw.size() - 2), EscapeRules::kTextFormat);
      if (!part.ok()) {
        Error(lexer_.token().span, std::string(part.status().message()));
        lexer_.Advance();
        return false;
      }
      value.text += *part;
      value.span.end = lexer_.token().span.end;
      lexer_.Advance();
    }
    return true;
  }

  bool TooDeep(int depth) {
    if (depth <= kDeepestNesting) return false;
    Error(lexer_.token().span,
          absl::StrCat("nested deeper than ", kDeepestNesting, " levels"));
    stopped_ = true;
    return true;
  }

  bool ParseMessage(SyntaxValue& value, int depth) {
    if (TooDeep(depth)) return false;
    value.kind = SyntaxValue::Kind::kMessage;
    const Span open = lexer_.token().span;
    const char close = AtSymbol('{') ? '}' : '>';
    lexer_.Advance();
    ParseFields(value, depth);
    if (stopped_) return false;
    if (!AtSymbol(close)) {
      Error(open, absl::StrCat("\"", close == '}' ? "{" : "<",
                               "\" is not closed; found ", Found()));
      if (!AtEnd()) lexer_.Advance();
      return true;  // What is in it can still be judged.
    }
    value.span.end = lexer_.token().span.end;
    lexer_.Advance();
    return true;
  }

  bool ParseList(SyntaxValue& value, int depth) {
    if (TooDeep(depth)) return false;
    value.kind = SyntaxValue::Kind::kList;
    const Span open = lexer_.token().span;
    lexer_.Advance();
    while (!AtSymbol(']')) {
      if (AtEnd()) {
        Error(open, "\"[\" is not closed");
        return true;
      }
      SyntaxValue item;
      if (!ParseValue(item, depth)) return false;
      value.items.push_back(std::move(item));
      if (!TakeSymbol(',') && !AtSymbol(']')) {
        Unexpected("\",\" or \"]\"");
        return false;
      }
    }
    value.span.end = lexer_.token().span.end;
    lexer_.Advance();
    return true;
  }

  const absl::string_view text_;
  Lexer lexer_;
  Findings& findings_;
  bool stopped_ = false;
};

}  // namespace

bool ParseTextFormat(absl::string_view text, SyntaxValue& tree,
                     Findings& findings) {
  return Parser(text, findings).ParseAll(tree);
}

}  // namespace groupsim
