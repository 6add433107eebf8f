#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "scenarios/reader/escapes.h"
#include "scenarios/reader/lexer.h"
#include "scenarios/reader/syntax.h"

namespace groupsim {
namespace {

class Parser {
 public:
  // The tokens end in kEnd.
  Parser(absl::string_view text, int source, std::vector<Token> tokens,
         Findings& findings)
      : text_(text),
        source_(source),
        tokens_(std::move(tokens)),
        findings_(findings) {}

  bool ParseAll(SyntaxValue& root) {
    root.kind = SyntaxValue::Kind::kMessage;
    root.span = Span{0, 0, source_};
    while (!AtEnd() && !stopped_) {
      ParseFields(root, /*depth=*/0);
      if (!AtEnd() && !stopped_) {
        Error(SpanOf(token()), "a brace is closed that was not opened",
              opened_.end == 0
                  ? ""
                  : "perhaps one \"}\" too many stands further up");
        Advance();
      }
    }
    return !stopped_;
  }

  bool ParseOneValue(SyntaxValue& value) {
    if (AtEnd()) {
      Error(SpanOf(token()), "a value is missing");
      return false;
    }
    if (!ParseValue(value, /*depth=*/0)) return false;
    if (!AtEnd()) {
      Error(SpanOf(token()),
            absl::StrCat("nothing may follow the value, found ", Found()));
      return false;
    }
    return !stopped_;
  }

 private:
  // ---- Tokens

  const Token& token(size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  void Advance() {
    if (next_ + 1 < tokens_.size()) ++next_;
  }
  absl::string_view Raw(const Token& of) const {
    return text_.substr(of.begin, of.end - of.begin);
  }
  Span SpanOf(const Token& of) const { return {of.begin, of.end, source_}; }
  bool AtEnd() const { return token().kind == Token::Kind::kEnd; }
  bool AtSymbol(char c, size_t ahead = 0) const {
    return token(ahead).kind == Token::Kind::kSymbol &&
           token(ahead).symbol == c;
  }
  bool AtOpening(size_t ahead = 0) const {
    return AtSymbol('{', ahead) || AtSymbol('<', ahead);
  }
  bool AtClosing() const {
    return AtSymbol('}') || AtSymbol('>') || AtSymbol(']');
  }
  bool TakeSymbol(char c) {
    if (!AtSymbol(c)) return false;
    Advance();
    return true;
  }
  // Whether a name and ":" or "{" stand there.
  bool AtField(size_t ahead = 0) const {
    return token(ahead).kind == Token::Kind::kWord &&
           (AtSymbol(':', ahead + 1) || AtSymbol('=', ahead + 1) ||
            AtOpening(ahead + 1));
  }

  // ---- Errors

  void Error(Span span, std::string message, std::string hint = "",
             std::optional<std::string> fix = std::nullopt) {
    findings_.Add({.span = span,
                   .message = std::move(message),
                   .hint = std::move(hint),
                   .fix = std::move(fix)});
    if (findings_.full()) stopped_ = true;
  }

  std::string Found() const {
    switch (token().kind) {
      case Token::Kind::kEnd:
        return "the end of the file";
      case Token::Kind::kText:
        return absl::StrCat("the text ", Quote(WithoutQuotes(Raw(token()))));
      case Token::Kind::kOpenText:
        return "a text that is not closed on its line";
      default:
        if (token().end == token().begin) return "the end of a message";
        return Quote(Raw(token()));
    }
  }

  void Unexpected(absl::string_view wanted) {
    Error(SpanOf(token()),
          absl::StrCat("expected ", wanted, ", found ", Found()));
    Recover();
  }

  // Skips to where a field may begin: the next line, or the end of a message.
  void Recover() {
    int open = 0;
    for (bool first = true; !AtEnd(); first = false) {
      if (!first && open == 0 && token().first_on_line) return;
      if (Opening(token())) ++open;
      if (AtClosing()) {
        if (open == 0 && !AtSymbol(']')) return;
        if (open > 0) --open;
      }
      Advance();
    }
  }

  static bool Opening(const Token& of) {
    return of.kind == Token::Kind::kSymbol &&
           (of.symbol == '{' || of.symbol == '<' || of.symbol == '[');
  }

  // ---- Fields

  // Reads fields until the message, or the file, ends.
  void ParseFields(SyntaxValue& message, int depth) {
    while (!stopped_ && !AtEnd()) {
      if (!AtClosing()) {
        ParseField(message, depth);
      } else if (AtSymbol(']') && depth > 0) {
        Error(SpanOf(token()), "a bracket is closed that was not opened");
        Advance();
      } else {
        return;
      }
    }
  }

  void ParseField(SyntaxValue& message, int depth) {
    SyntaxField field;
    if (!ParseName(field)) return;
    if (!TakeColon(field)) {
      field.value.kind = SyntaxValue::Kind::kBroken;
    } else if (!ParseValue(field.value, depth)) {
      field.value.kind = SyntaxValue::Kind::kBroken;
    }
    message.fields.push_back(std::move(field));
    if (!TakeSymbol(',')) TakeSymbol(';');
  }

  bool ParseName(SyntaxField& field) {
    const Token first = token();
    if (first.kind == Token::Kind::kText &&
        (AtSymbol(':', 1) || AtSymbol('=', 1) || AtOpening(1))) {
      field.name = std::string(WithoutQuotes(Raw(first)));
      field.name_span = SpanOf(first);
      Error(field.name_span, "the name of a field stands without quotes",
            absl::StrCat("write ", Clip(field.name)), field.name);
      Advance();
      return true;
    }
    if (first.kind != Token::Kind::kWord) {
      NoName();
      return false;
    }
    Advance();
    // Names as other languages have them are one mistake.
    Token last = first;
    while ((AtSymbol('-') || AtSymbol('.') || AtSymbol('/')) && token().glued &&
           token(1).glued &&
           (token(1).kind == Token::Kind::kWord ||
            token(1).kind == Token::Kind::kNumber)) {
      last = token(1);
      Advance();
      Advance();
    }
    field.name_span = Span{first.begin, last.end, source_};
    field.name = std::string(text_.substr(first.begin, last.end - first.begin));
    return true;
  }

  // Tells what stands where the name of a field belongs.
  void NoName() {
    const Token& bad = token();
    if (AtSymbol(',') || AtSymbol(';')) {
      Error(SpanOf(bad), absl::StrCat("a ", Quote(Raw(bad)), " too many"),
            "delete it", "");
      Advance();
      return;
    }
    const bool after_comma = next_ > 0 &&
                             tokens_[next_ - 1].kind == Token::Kind::kSymbol &&
                             tokens_[next_ - 1].symbol == ',';
    if (after_comma && bad.kind == Token::Kind::kNumber && bad.glued &&
        next_ > 1 && tokens_[next_ - 2].kind == Token::Kind::kNumber) {
      const uint32_t begin = tokens_[next_ - 2].begin;
      uint32_t end = bad.end;
      Advance();
      while (AtSymbol(',') && token().glued &&
             token(1).kind == Token::Kind::kNumber && token(1).glued) {
        end = token(1).end;
        Advance();
        Advance();
      }
      std::string number = std::string(text_.substr(begin, end - begin));
      number = absl::StrReplaceAll(number, {{",", ""}});
      Error(Span{begin, end, source_}, "a number has no commas in it",
            absl::StrCat("did you mean ", Clip(number), "?"), number);
      return;
    }
    if (after_comma &&
        (bad.kind == Token::Kind::kText || bad.kind == Token::Kind::kNumber)) {
      Error(SpanOf(bad),
            absl::StrCat("several values stand in brackets, found ", Found(),
                         " outside"),
            R"(such as: broker: ["a", "b"])");
      Recover();
      return;
    }
    if (AtSymbol('-')) {
      Error(SpanOf(bad), "a field does not begin with \"-\"",
            "an element of a repeated field is written as the field again, "
            "with its braces");
      Recover();
      return;
    }
    if (AtOpening()) {
      Error(SpanOf(bad),
            "a message in braces needs the name of its field in "
            "front");
      Recover();
      return;
    }
    if (AtSymbol('=') || AtSymbol(':')) {
      Error(SpanOf(bad), absl::StrCat(Quote(Raw(bad)),
                                      " needs the name of a field in front"));
      Recover();
      return;
    }
    Unexpected("the name of a field");
  }

  // Takes what stands between a name and its value. False if there is no value.
  bool TakeColon(const SyntaxField& field) {
    bool colon = TakeSymbol(':');
    if (AtSymbol('=')) {
      Error(SpanOf(token()),
            colon ? "a \"=\" too many" : "expected \":\", found \"=\"",
            colon ? "delete it"
                  : "a field and its value are separated by "
                    "\":\"",
            colon ? "" : ":");
      Advance();
      colon = true;
    }
    if (colon) {
      // On the next line there may be a value, or another field.
      if (!AtEnd() && !AtClosing() && !AtSymbol(',') && !AtSymbol(';') &&
          !(token().first_on_line && AtField())) {
        return true;
      }
    } else {
      if (AtOpening() || AtSymbol('[')) return true;
      const bool value = token().kind == Token::Kind::kText ||
                         token().kind == Token::Kind::kOpenText ||
                         token().kind == Token::Kind::kNumber ||
                         token().kind == Token::Kind::kWord || AtSymbol('-');
      if (value && !token().first_on_line && !AtField()) {
        Error(Span{field.name_span.begin, field.name_span.end, source_},
              absl::StrCat("\":\" is missing after ", Quote(field.name)),
              absl::StrCat("write: ", Clip(field.name), ": ..."),
              absl::StrCat(field.name, ":"));
        return true;
      }
      if (token().kind == Token::Kind::kBad ||
          (token().kind == Token::Kind::kSymbol && !AtClosing() &&
           !token().first_on_line)) {
        Unexpected(absl::StrCat("\":\" or \"{\" after ", Quote(field.name)));
        return false;
      }
    }
    Error(field.name_span, absl::StrCat(Quote(field.name), " has no value"));
    return false;
  }

  // ---- Values

  // False if nothing came of it; then the error has been told.
  bool ParseValue(SyntaxValue& value, int depth, bool in_list = false) {
    const Token first = token();
    value.span = SpanOf(first);
    if (AtOpening()) return ParseMessage(value, depth + 1);
    if (AtSymbol('[')) return ParseList(value, depth + 1);
    if (first.kind == Token::Kind::kText) return ParseTexts(value, in_list);
    if (first.kind == Token::Kind::kOpenText) {
      const absl::string_view inner = Raw(first).substr(1);
      Error(value.span, "this text is not closed on its line",
            absl::StrCat("perhaps ", Quote(inner), " was meant"),
            absl::StrCat(Raw(first), Raw(first).substr(0, 1)));
      Advance();
      return false;
    }
    const bool negative = TakeSymbol('-');
    const Token word = token();
    if (word.kind == Token::Kind::kNumber) {
      value.kind = SyntaxValue::Kind::kNumber;
    } else if (word.kind == Token::Kind::kWord) {
      value.kind = negative ? SyntaxValue::Kind::kNumber  // -inf
                            : SyntaxValue::Kind::kWord;
    } else {
      Unexpected("a value");
      return false;
    }
    Advance();
    Token last = word;
    if (TakeRestOfBare(last)) value.kind = SyntaxValue::Kind::kBare;
    value.span = Span{first.begin, last.end, source_};
    value.text =
        value.kind == SyntaxValue::Kind::kBare
            ? std::string(text_.substr(first.begin, last.end - first.begin))
            : absl::StrCat(negative ? "-" : "", Raw(word));
    return true;
  }

  // What follows a word or number and belongs to it in the mind of the writer:
  // the rest of order-processing, or of several words.
  bool TakeRestOfBare(Token& last) {
    bool taken = false;
    for (;;) {
      const bool sign = token().kind == Token::Kind::kBad ||
                        (token().kind == Token::Kind::kSymbol &&
                         absl::StrContains("-./:=", token().symbol));
      const bool word = token().kind == Token::Kind::kWord ||
                        token().kind == Token::Kind::kNumber;
      const bool glued = token().glued && (sign || word);
      const bool next_word = word && !token().first_on_line && !AtField();
      if (!glued && !next_word) return taken;
      last = token();
      Advance();
      taken = true;
    }
  }

  // One text, or several that are joined.
  bool ParseTexts(SyntaxValue& value, bool in_list) {
    value.kind = SyntaxValue::Kind::kText;
    for (bool first = true; token().kind == Token::Kind::kText &&
                            !(token().first_on_line && AtSymbol(':', 1));
         first = false) {
      // On one line of a list, nobody means to join them.
      if (in_list && !first && !token().first_on_line) return true;
      const absl::StatusOr<std::string> part =
          Unescape(WithoutQuotes(Raw(token())), EscapeRules::kTextFormat);
      if (!part.ok()) {
        Error(SpanOf(token()), std::string(part.status().message()),
              absl::StrContains(Raw(token()), "\\")
                  ? R"(a backslash itself is written "\\")"
                  : "");
        Advance();
        return false;
      }
      value.text += *part;
      value.span.end = token().end;
      Advance();
    }
    return true;
  }

  bool TooDeep(int depth) {
    if (depth <= kDeepestNesting) return false;
    Error(SpanOf(token()),
          absl::StrCat("nested deeper than ", kDeepestNesting, " levels"));
    stopped_ = true;
    return true;
  }

  bool ParseMessage(SyntaxValue& value, int depth) {
    if (TooDeep(depth)) return false;
    value.kind = SyntaxValue::Kind::kMessage;
    const char close = AtSymbol('{') ? '}' : '>';
    opened_ = value.span;
    Advance();
    if ((token().kind == Token::Kind::kText ||
         token().kind == Token::Kind::kNumber) &&
        AtSymbol(close, 1)) {
      const std::string inner(Raw(token()));
      Advance();
      value.span.end = token().end;
      Advance();
      Error(value.span, "a value stands behind \":\", without braces",
            absl::StrCat("write: ", Clip(inner)), absl::StrCat(": ", inner));
      return false;
    }
    ParseFields(value, depth);
    if (stopped_) return false;
    value.span.end = token().end;
    if (!TakeSymbol(close)) Unexpected(close == '}' ? "\"}\"" : "\">\"");
    return true;
  }

  bool ParseList(SyntaxValue& value, int depth) {
    if (TooDeep(depth)) return false;
    value.kind = SyntaxValue::Kind::kList;
    Advance();
    while (!AtSymbol(']') && !stopped_) {
      if (AtSymbol(',')) {
        Error(SpanOf(token()), "a \",\" too many", "delete it", "");
        Advance();
        continue;
      }
      SyntaxValue item;
      if (!ParseValue(item, depth, /*in_list=*/true)) {
        SkipList();
        return false;
      }
      const size_t end = item.span.end;
      value.items.push_back(std::move(item));
      if (AtSymbol(']')) break;
      const Span comma = SpanOf(token());
      if (TakeSymbol(',')) {
        if (AtSymbol(']')) {
          Error(comma, "a \",\" too many: the list ends here", "delete it", "");
        }
        continue;
      }
      if (AtEnd() || AtSymbol('}') || AtSymbol('>')) break;
      Error(Span{end, end, source_}, "a \",\" is missing between two values",
            "", ",");
      // Something that cannot be a value would never end.
      if (!CanBeginValue()) {
        SkipList();
        return false;
      }
    }
    if (stopped_) return false;
    value.span.end = token().end;
    if (!TakeSymbol(']')) {
      Unexpected("\",\" or \"]\"");
      return false;
    }
    return true;
  }

  bool CanBeginValue() const {
    return AtOpening() || AtSymbol('[') || AtSymbol('-') ||
           token().kind == Token::Kind::kText ||
           token().kind == Token::Kind::kWord ||
           token().kind == Token::Kind::kNumber;
  }

  // Skips to behind the end of a list.
  void SkipList() {
    int open = 0;
    while (!AtEnd()) {
      if (Opening(token())) ++open;
      if (AtClosing()) {
        if (open == 0) {
          TakeSymbol(']');
          return;
        }
        --open;
      }
      Advance();
    }
  }

  static std::string Clip(const std::string& text) {
    return text.size() <= 60 ? text : Quote(text);
  }

  const absl::string_view text_;
  const int source_;
  const std::vector<Token> tokens_;
  Findings& findings_;
  size_t next_ = 0;
  Span opened_;  // Where the last message began.
  bool stopped_ = false;
};

}  // namespace

bool ParseTextFormat(absl::string_view text, int source, SyntaxValue& tree,
                     Allowances& allowances, Findings& findings) {
  std::vector<Token> tokens = Tokenize(text, source, allowances, findings);
  if (!BalanceBraces(text, source, tokens, findings)) return false;
  return Parser(text, source, std::move(tokens), findings).ParseAll(tree);
}

bool ParseTextFormatValue(absl::string_view text, size_t begin, int source,
                          SyntaxValue& value, Findings& findings) {
  Allowances none;
  std::string blank(text);
  // So that positions are those of the whole.
  for (size_t i = 0; i < begin; ++i) blank[i] = ' ';
  std::vector<Token> tokens = Tokenize(blank, source, none, findings);
  if (!BalanceBraces(blank, source, tokens, findings)) return false;
  return Parser(blank, source, std::move(tokens), findings)
      .ParseOneValue(value);
}

}  // namespace groupsim
