#include "scenarios/reader/lexer.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace groupsim {
namespace {

// Characters that a keyboard, a word processor or a web page puts where another
// one belongs.
struct Confusable {
  absl::string_view character;
  absl::string_view name;
  char meant;  // 0: nothing, ' ': a space.
};
constexpr Confusable kConfusables[] = {
    {"\xC2\xA0", "a no-break space", ' '},
    {"\xE3\x80\x80", "a wide space", ' '},
    {"\xE2\x80\x89", "a thin space", ' '},
    {"\xE2\x80\xAF", "a no-break space", ' '},
    {"\xE2\x80\x8B", "an invisible space", '\0'},
    {"\xEF\xBB\xBF", "a byte order mark", '\0'},
    {"\xE2\x80\x90", "a typographic hyphen", '-'},
    {"\xE2\x80\x91", "a typographic hyphen", '-'},
    {"\xE2\x80\x93", "a dash", '-'},
    {"\xE2\x80\x94", "a dash", '-'},
    {"\xE2\x88\x92", "a typographic minus", '-'},
    {"\xEF\xBC\x9A", "a wide colon", ':'},
    {"\xEF\xBC\x8C", "a wide comma", ','},
    {"\xEF\xBC\x9B", "a wide semicolon", ';'},
    {"\xEF\xBD\x9B", "a wide brace", '{'},
    {"\xEF\xBD\x9D", "a wide brace", '}'},
    {"\xEF\xBC\x9D", "a wide equals sign", '='},
};

constexpr absl::string_view kTypographicQuotes[] = {
    "\xE2\x80\x9C",
    "\xE2\x80\x9D",
    "\xE2\x80\x9E",
    "\xE2\x80\x9F",
    "\xE2\x80\x98",
    "\xE2\x80\x99",
    "\xE2\x80\x9A",
    "\xC2\xAB",
    "\xC2\xBB",
    "\xEF\xBC\x82",
    "`",
};

bool StartsWord(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool ContinuesWord(char c) { return absl::ascii_isalnum(c) || c == '_'; }
bool EndsLine(char c) { return c == '\n' || c == '\r'; }

// The quote of a word processor at the front of `text`, or "".
absl::string_view TypographicQuote(absl::string_view text) {
  for (const absl::string_view quote : kTypographicQuotes) {
    if (absl::StartsWith(text, quote)) return quote;
  }
  return "";
}

class Lexer {
 public:
  Lexer(absl::string_view text, int source, Allowances& allowances,
        Findings& findings)
      : text_(text),
        source_(source),
        allowances_(allowances),
        findings_(findings) {
    if (absl::StartsWith(text, "\xEF\xBB\xBF")) position_ = 3;
  }

  std::vector<Token> Run() {
    do {
      Take();
    } while (tokens_.back().kind != Token::Kind::kEnd);
    return std::move(tokens_);
  }

 private:
  bool At(absl::string_view prefix) const {
    return absl::StartsWith(text_.substr(position_), prefix);
  }
  char Peek(size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  bool AtEnd() const { return position_ == text_.size(); }

  template <class Predicate>
  void TakeWhile(Predicate predicate) {
    while (!AtEnd() && predicate(text_[position_])) ++position_;
  }

  void Error(size_t begin, std::string message, std::string hint,
             std::optional<std::string> fix) {
    findings_.Add({.span = Span{begin, position_, source_},
                   .message = std::move(message),
                   .hint = std::move(hint),
                   .fix = std::move(fix)});
  }
  // True for the first mistake of a kind in a file; further ones are made by
  // the same hand.
  bool First(absl::string_view kind) {
    return told_.insert(std::string(kind)).second;
  }

  void Take() {
    first_on_line_ = tokens_.empty() || first_on_line_;
    const size_t before = position_;
    SkipSpace();
    Token token;
    token.first_on_line = first_on_line_;
    token.glued = position_ == before && !tokens_.empty();
    token.begin = static_cast<uint32_t>(position_);
    if (!AtEnd()) TakeToken(token);
    token.end = static_cast<uint32_t>(position_);
    allowances_.NextToken(source_, token.begin);
    tokens_.push_back(token);
    first_on_line_ = false;
  }

  void TakeToken(Token& token) {
    const char c = Peek(0);
    if (StartsWord(c)) {
      token.kind = Token::Kind::kWord;
      TakeWhile(ContinuesWord);
    } else if (absl::ascii_isdigit(c) ||
               (c == '.' && absl::ascii_isdigit(Peek(1)))) {
      token.kind = Token::Kind::kNumber;
      TakeNumber();
    } else if (c == '"' || c == '\'') {
      TakeText(token);
    } else if (absl::StrContains("{}[]<>:,;-./=", c)) {
      token.kind = Token::Kind::kSymbol;
      token.symbol = c;
      ++position_;
    } else if (!TypographicQuote(text_.substr(position_)).empty()) {
      TakeTypographicText(token);
    } else {
      TakeOddCharacter(token);
    }
  }

  void SkipSpace() {
    while (!AtEnd()) {
      const char c = Peek(0);
      if (EndsLine(c)) {
        first_on_line_ = true;
        ++position_;
      } else if (absl::ascii_isspace(c)) {
        ++position_;
      } else if (c == '#' && !IsQueueMark()) {
        const size_t begin = position_;
        TakeWhile([](char each) { return !EndsLine(each); });
        allowances_.Read(text_, Span{begin, position_, source_},
                         !first_on_line_, tokens_.empty(), findings_);
      } else if (At("//") || At("/*")) {
        SkipForeignComment();
      } else if (!SkipOddSpace()) {
        return;
      }
    }
  }

  // The "#" of broker-a#0 where quotes are missing: no comment begins like
  // that.
  bool IsQueueMark() const {
    if (tokens_.empty() || (!absl::ascii_isdigit(Peek(1)) && Peek(1) != '*')) {
      return false;
    }
    const Token& before = tokens_.back();
    const absl::string_view word =
        text_.substr(before.begin, before.end - before.begin);
    return before.kind == Token::Kind::kWord && before.end == position_ &&
           word != "true" && word != "false" &&
           std::any_of(word.begin(), word.end(), absl::ascii_islower);
  }

  void SkipForeignComment() {
    const size_t begin = position_;
    const bool block = At("/*");
    if (block) {
      const size_t end = text_.find("*/", position_ + 2);
      position_ = end == absl::string_view::npos ? text_.size() : end + 2;
    } else {
      TakeWhile([](char c) { return !EndsLine(c); });
    }
    if (!First("comment")) return;
    const size_t end = position_;
    position_ = begin + 2;
    Error(begin, "a comment begins with \"#\"",
          block ? "put \"#\" in front of each of its lines" : "",
          block ? std::nullopt : std::optional<std::string>("#"));
    position_ = end;
  }

  // A character that looks like a space, or like nothing.
  bool SkipOddSpace() {
    for (const Confusable& odd : kConfusables) {
      if ((odd.meant != ' ' && odd.meant != '\0') || !At(odd.character)) {
        continue;
      }
      const size_t begin = position_;
      position_ += odd.character.size();
      if (First(odd.name)) {
        Error(
            begin,
            absl::StrCat("here stands ", odd.name, ", which means nothing"),
            odd.meant == ' ' ? "put a common space in its place" : "delete it",
            odd.meant == ' ' ? " " : "");
      }
      return true;
    }
    return false;
  }

  void TakeOddCharacter(Token& token) {
    token.kind = Token::Kind::kBad;
    const size_t begin = position_;
    for (const Confusable& odd : kConfusables) {
      if (!At(odd.character)) continue;
      position_ += odd.character.size();
      token.kind = Token::Kind::kSymbol;
      token.symbol = odd.meant;
      const std::string right(1, odd.meant);
      Error(begin,
            absl::StrCat("here stands ", odd.name, "; write ", Quote(right)),
            "", right);
      return;
    }
    ++position_;
    TakeWhile([](char c) { return (c & 0xC0) == 0x80; });
  }

  // Also takes what makes no sense behind digits, so that it is one mistake.
  void TakeNumber() {
    while (!AtEnd()) {
      const char c = Peek(0);
      const bool signed_exponent =
          (c == '+' || c == '-') && position_ > 0 &&
          absl::ascii_tolower(text_[position_ - 1]) == 'e';
      if (!absl::ascii_isalnum(c) && c != '.' && c != '_' && !signed_exponent) {
        return;
      }
      ++position_;
    }
  }

  void TakeText(Token& token) {
    const char quote = Peek(0);
    const size_t begin = position_++;
    while (!AtEnd() && !EndsLine(Peek(0))) {
      const char c = text_[position_++];
      if (c == quote) {
        token.kind = Token::Kind::kText;
        return;
      }
      if (c == '\\' && !AtEnd() && !EndsLine(Peek(0))) ++position_;
    }
    token.kind = Token::Kind::kOpenText;
    // A line that is made of them is not looked through for each.
    constexpr int kMostGuesses = 50;
    if (++guesses_ <= kMostGuesses) position_ = GuessEnd(begin + 1, position_);
  }

  // Where a text that is not closed was meant to end: before a brace, a comma,
  // a comment or the next field.
  size_t GuessEnd(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      const char c = text_[i];
      if (absl::StrContains("{}[],;#", c) && i > begin) {
        return TrimEnd(begin, i);
      }
      if (c != ' ' && c != '\t') continue;
      size_t word = i;
      while (word < end && absl::ascii_isspace(text_[word])) ++word;
      const size_t name = word;
      while (word < end && ContinuesWord(text_[word])) ++word;
      size_t sign = word;
      while (sign < end && text_[sign] == ' ') ++sign;
      if (word > name && sign < end && absl::StrContains(":{", text_[sign])) {
        return i;
      }
    }
    return TrimEnd(begin, end);
  }

  size_t TrimEnd(size_t begin, size_t end) const {
    while (end > begin && absl::ascii_isspace(text_[end - 1])) --end;
    return end;
  }

  void TakeTypographicText(Token& token) {
    const size_t begin = position_;
    const absl::string_view quote = TypographicQuote(text_.substr(position_));
    position_ += quote.size();
    const size_t quote_end = position_;
    token.kind = Token::Kind::kOpenText;
    while (!AtEnd() && !EndsLine(Peek(0))) {
      const absl::string_view close = TypographicQuote(text_.substr(position_));
      if (!close.empty() || Peek(0) == '"') {
        token.kind = Token::Kind::kText;
        position_ += close.empty() ? 1 : close.size();
        break;
      }
      ++position_;
    }
    if (token.kind == Token::Kind::kOpenText) {
      position_ = GuessEnd(quote_end, position_);
      return;
    }
    const absl::string_view inner =
        WithoutQuotes(text_.substr(begin, position_ - begin));
    Error(begin, "this text is in the quotes of a word processor",
          absl::StrCat("write ", Quote(inner)),
          absl::StrCat("\"", inner, "\""));
  }

  const absl::string_view text_;
  const int source_;
  Allowances& allowances_;
  Findings& findings_;
  size_t position_ = 0;
  bool first_on_line_ = true;
  std::vector<Token> tokens_;
  std::set<std::string> told_;
  int guesses_ = 0;
};

}  // namespace

std::vector<Token> Tokenize(absl::string_view text, int source,
                            Allowances& allowances, Findings& findings) {
  return Lexer(text, source, allowances, findings).Run();
}

absl::string_view WithoutQuotes(absl::string_view raw) {
  const absl::string_view open = TypographicQuote(raw);
  raw.remove_prefix(open.empty() ? 1 : open.size());
  for (const absl::string_view quote : kTypographicQuotes) {
    if (absl::ConsumeSuffix(&raw, quote)) return raw;
  }
  if (!raw.empty()) raw.remove_suffix(1);
  return raw;
}

}  // namespace groupsim
