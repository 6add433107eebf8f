#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "scenarios/reader/escapes.h"
#include "scenarios/reader/syntax.h"

namespace groupsim {
namespace {

// Recursive descent over RFC 8259. Every function returns false once an error
// has been told behind which nothing makes sense.
class JsonParser {
 public:
  JsonParser(absl::string_view text, int source, Findings& findings)
      : text_(text), source_(source), findings_(findings) {
    if (absl::StartsWith(text, "\xEF\xBB\xBF")) position_ = 3;
  }

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

  // Comments too, having told the first one.
  void SkipSpace() {
    while (position_ < text_.size()) {
      if (absl::StrContains(" \t\r\n", text_[position_])) {
        ++position_;
        continue;
      }
      const absl::string_view rest = text_.substr(position_);
      const bool block = absl::StartsWith(rest, "/*");
      if (!block && !absl::StartsWith(rest, "//") && rest[0] != '#') return;
      if (!comment_told_) {
        comment_told_ = true;
        Error({position_, position_ + (rest[0] == '#' ? 1 : 2)},
              "JSON has no comments",
              "text format has, after \"#\"; its files end in .textproto");
      }
      const size_t end =
          block ? text_.find("*/", position_ + 2) : text_.find('\n', position_);
      position_ =
          end == absl::string_view::npos ? text_.size() : end + (block ? 2 : 1);
    }
  }

  bool Error(Span span, std::string message, std::string hint = "",
             std::optional<std::string> fix = std::nullopt) {
    span.source = source_;
    findings_.Add({.span = span,
                   .message = std::move(message),
                   .hint = std::move(hint),
                   .fix = std::move(fix)});
    return false;
  }

  // The word at the position, or else the character.
  Span WordHere() const {
    size_t end = position_;
    while (end < text_.size() &&
           (absl::ascii_isalnum(text_[end]) || text_[end] == '_')) {
      ++end;
    }
    if (end == position_ && end < text_.size()) {
      ++end;
      while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
    }
    return {position_, end, source_};
  }
  absl::string_view TextOf(const Span& span) const {
    return text_.substr(span.begin, span.end - span.begin);
  }

  bool Expected(absl::string_view wanted) {
    const Span here = WordHere();
    return Error(
        here, absl::StrCat("expected ", wanted, ", found ",
                           position_ < text_.size() ? Quote(TextOf(here))
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
    span = {begin, position_, source_};
    absl::StatusOr<std::string> unescaped = Unescape(
        text_.substr(begin + 1, position_ - begin - 2), EscapeRules::kJson);
    if (!unescaped.ok()) {
      return Error(span, std::string(unescaped.status().message()));
    }
    text = *std::move(unescaped);
    return true;
  }

  // A text in single quotes, which is told.
  bool ParseSingleQuoted(std::string& text, Span& span) {
    const size_t begin = position_;
    const size_t end = text_.find_first_of("'\n", begin + 1);
    if (end == absl::string_view::npos || text_[end] != '\'') {
      return Error({begin, begin + 1}, "a text is not closed on its line");
    }
    position_ = end + 1;
    span = {begin, position_, source_};
    text = std::string(text_.substr(begin + 1, end - begin - 1));
    Error(span, "a text stands in double quotes in JSON",
          absl::StrCat("write ", Quote(text)), absl::StrCat("\"", text, "\""));
    return true;
  }

  bool ParseValue(SyntaxValue& value, int depth) {
    SkipSpace();
    const size_t begin = position_;
    value.span = {begin, begin, source_};
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
    if (c == '\'') {
      value.kind = SyntaxValue::Kind::kText;
      return ParseSingleQuoted(value.text, value.span);
    }
    if (c == '-' || absl::ascii_isdigit(c)) {
      value.kind = SyntaxValue::Kind::kNumber;
      while (position_ < text_.size() &&
             (absl::ascii_isalnum(text_[position_]) ||
              absl::StrContains("+-.", text_[position_]))) {
        ++position_;
      }
    } else if (!ParseWord(value)) {
      return false;
    }
    value.span.end = position_;
    value.text = std::string(text_.substr(begin, position_ - begin));
    return true;
  }

  bool ParseWord(SyntaxValue& value) {
    const Span here = WordHere();
    const absl::string_view word = TextOf(here);
    value.kind = SyntaxValue::Kind::kWord;
    if (word.empty() || !absl::ascii_isalpha(word[0])) {
      return Expected("a value");
    }
    position_ = here.end;
    if (word == "null" || word == "None" || word == "nil") {
      value.kind = SyntaxValue::Kind::kNull;
    }
    // Other words are judged where it is known what is wanted; what cannot be
    // one at all is none of JSON's.
    return true;
  }

  // Told at the opening brace or bracket at `open`, unless the text goes on.
  bool Unclosed(size_t open, absl::string_view wanted) {
    if (position_ < text_.size()) return Expected(wanted);
    return Error({open, open + 1},
                 absl::StrCat(Quote(text_.substr(open, 1)), " is not closed"),
                 "there is nothing to close it up to the end of the file");
  }

  bool ParseName(SyntaxField& field) {
    if (Peek() == '"') return ParseText(field.name, field.name_span);
    if (Peek() == '\'') return ParseSingleQuoted(field.name, field.name_span);
    const Span here = WordHere();
    if (!absl::ascii_isalpha(Peek())) {
      return Expected("the name of a field in quotes");
    }
    field.name = std::string(TextOf(here));
    field.name_span = here;
    position_ = here.end;
    Error(here, "the name of a field stands in quotes in JSON",
          absl::StrCat("write ", Quote(field.name)),
          absl::StrCat("\"", field.name, "\""));
    return true;
  }

  bool ParseObject(SyntaxValue& value, int depth) {
    value.kind = SyntaxValue::Kind::kMessage;
    const size_t open = position_++;
    if (TakeIf('}')) return true;
    for (;;) {
      SkipSpace();
      if (position_ == text_.size()) return Unclosed(open, "");
      SyntaxField field;
      if (!ParseName(field)) return false;
      if (!TakeIf(':')) {
        SkipSpace();
        if (Peek() != '=') return Expected("\":\"");
        Error({position_, position_ + 1}, "expected \":\", found \"=\"", "",
              ":");
        ++position_;
      }
      if (!ParseValue(field.value, depth)) return false;
      const size_t end = field.value.span.end;
      value.fields.push_back(std::move(field));
      if (TakeIf('}')) return true;
      if (!TakeComma(end, '}')) return Unclosed(open, "\",\" or \"}\"");
      if (TakeIf('}')) return true;
    }
  }

  bool ParseArray(SyntaxValue& value, int depth) {
    value.kind = SyntaxValue::Kind::kList;
    const size_t open = position_++;
    if (TakeIf(']')) return true;
    for (;;) {
      SkipSpace();
      if (position_ == text_.size()) return Unclosed(open, "");
      SyntaxValue item;
      if (!ParseValue(item, depth)) return false;
      const size_t end = item.span.end;
      value.items.push_back(std::move(item));
      if (TakeIf(']')) return true;
      if (!TakeComma(end, ']')) return Unclosed(open, "\",\" or \"]\"");
      if (TakeIf(']')) return true;
    }
  }

  // Takes a comma behind a value that ended at `end`; one that is missing, and
  // one before the closing `close`, is told. False if something else follows.
  bool TakeComma(size_t end, char close) {
    if (TakeIf(',')) {
      const size_t comma = position_ - 1;
      SkipSpace();
      if (Peek() == close) {
        Error({comma, comma + 1},
              absl::StrCat("a \",\" too many: nothing follows before the ",
                           Quote(std::string(1, close))),
              "delete it", "");
      }
      return true;
    }
    if (Peek() != '"' && Peek() != '{') return false;
    Error({end, end}, "a \",\" is missing here", "", ",");
    return true;
  }

  const absl::string_view text_;
  const int source_;
  size_t position_ = 0;
  bool comment_told_ = false;
  Findings& findings_;
};

}  // namespace

bool ParseJson(absl::string_view text, int source, SyntaxValue& tree,
               Findings& findings) {
  return JsonParser(text, source, findings).ParseAll(tree);
}

}  // namespace groupsim
