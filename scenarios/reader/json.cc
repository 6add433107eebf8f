#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "scenarios/reader/escapes.h"
#include "scenarios/reader/syntax.h"

namespace groupsim {
namespace {

// Recursive descent over RFC 8259. Every function returns false once an error
// has been told.
class JsonParser {
 public:
  JsonParser(absl::string_view text, Findings& findings)
      : text_(text), findings_(findings) {}

  bool ParseAll(SyntaxValue& root) {
    root.kind = SyntaxValue::Kind::kMessage;
    SkipSpace();
    if (Peek() != '{') return Expected("\"{\"");
    if (!ParseValue(root, 0)) return false;
    SkipSpace();
    return position_ == text_.size() || Expected("the end of the file");
  }

 private:
  char Peek() const {
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  void SkipSpace() {
    while (position_ < text_.size() &&
           absl::StrContains(" \t\r\n", text_[position_])) {
      ++position_;
    }
  }

  bool Error(Span span, std::string message) {
    findings_.Add(
        {.span = span, .message = std::move(message), .path = "", .hint = ""});
    return false;
  }

  bool Expected(absl::string_view wanted) {
    size_t end = position_;
    while (end < text_.size() && absl::ascii_isalnum(text_[end])) ++end;
    if (end == position_ && end < text_.size()) {
      ++end;
      while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
    }
    return Error(
        {position_, end},
        absl::StrCat("expected ", wanted, ", found ",
                     position_ < text_.size()
                         ? Quote(text_.substr(position_, end - position_))
                         : "the end of the file"));
  }

  // Takes `c`, which may have space before it.
  bool TakeIf(char c) {
    SkipSpace();
    if (Peek() != c || position_ == text_.size()) return false;
    ++position_;
    return true;
  }

  bool ParseText(std::string& text, Span& span) {
    const size_t begin = position_++;
    while (position_ < text_.size() && text_[position_] != '"') {
      if (text_[position_] == '\n') break;
      position_ += text_[position_] == '\\' ? 2 : 1;
    }
    if (position_ >= text_.size() || text_[position_] != '"') {
      return Error({begin, std::min(position_, text_.size())},
                   "a text is not closed on its line");
    }
    ++position_;
    span = {begin, position_};
    absl::StatusOr<std::string> unescaped = Unescape(
        text_.substr(begin + 1, position_ - begin - 2), EscapeRules::kJson);
    if (!unescaped.ok()) {
      return Error(span, std::string(unescaped.status().message()));
    }
    text = *std::move(unescaped);
    return true;
  }

  bool ParseValue(SyntaxValue& value, int depth) {
    SkipSpace();
    const size_t begin = position_;
    value.span = {begin, begin};
    const char c = Peek();
    if (c == '{' || c == '[') {
      if (depth >= kDeepestNesting) {
        return Error(
            {begin, begin + 1},
            absl::StrCat("nested deeper than ", kDeepestNesting, " levels"));
      }
      const bool ok = c == '{' ? ParseObject(value, depth + 1)
                               : ParseArray(value, depth + 1);
      value.span.end = position_;
      return ok;
    }
    if (c == '"') {
      value.kind = SyntaxValue::Kind::kText;
      return ParseText(value.text, value.span);
    }
    if (c == '-' || absl::ascii_isdigit(c)) {
      value.kind = SyntaxValue::Kind::kNumber;
      while (position_ < text_.size() &&
             (absl::ascii_isalnum(text_[position_]) ||
              absl::StrContains("+-.", text_[position_]))) {
        ++position_;
      }
    } else {
      while (absl::ascii_isalpha(Peek())) ++position_;
      const absl::string_view word = text_.substr(begin, position_ - begin);
      if (word != "true" && word != "false" && word != "null") {
        position_ = begin;
        return Expected("a value");
      }
      value.kind =
          word == "null" ? SyntaxValue::Kind::kNull : SyntaxValue::Kind::kWord;
    }
    value.span.end = position_;
    value.text = std::string(text_.substr(begin, position_ - begin));
    return true;
  }

  bool ParseObject(SyntaxValue& value, int depth) {
    value.kind = SyntaxValue::Kind::kMessage;
    ++position_;
    if (TakeIf('}')) return true;
    do {
      SkipSpace();
      if (Peek() != '"') return Expected("the name of a field in quotes");
      SyntaxField field;
      if (!ParseText(field.name, field.name_span)) return false;
      if (!TakeIf(':')) return Expected("\":\"");
      if (!ParseValue(field.value, depth)) return false;
      value.fields.push_back(std::move(field));
    } while (TakeIf(','));
    return TakeIf('}') || Expected("\",\" or \"}\"");
  }

  bool ParseArray(SyntaxValue& value, int depth) {
    value.kind = SyntaxValue::Kind::kList;
    ++position_;
    if (TakeIf(']')) return true;
    do {
      SyntaxValue item;
      if (!ParseValue(item, depth)) return false;
      value.items.push_back(std::move(item));
    } while (TakeIf(','));
    return TakeIf(']') || Expected("\",\" or \"]\"");
  }

  const absl::string_view text_;
  size_t position_ = 0;
  Findings& findings_;
};

}  // namespace

bool ParseJson(absl::string_view text, SyntaxValue& tree, Findings& findings) {
  return JsonParser(text, findings).ParseAll(tree);
}

}  // namespace groupsim
