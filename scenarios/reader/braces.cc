#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "scenarios/reader/lexer.h"
#include "scenarios/reader/line_table.h"
#include "scenarios/reader/syntax.h"

namespace groupsim {
namespace {

constexpr size_t kMostTold = 3;

bool Opens(const Token& token) {
  return token.kind == Token::Kind::kSymbol &&
         (token.symbol == '{' || token.symbol == '[' || token.symbol == '<');
}
bool Closes(const Token& token) {
  return token.kind == Token::Kind::kSymbol &&
         (token.symbol == '}' || token.symbol == ']' || token.symbol == '>');
}
char PartnerOf(char open) {
  return open == '{' ? '}' : open == '[' ? ']' : '>';
}

class Balancer {
 public:
  Balancer(absl::string_view text, int source, std::vector<Token>& tokens,
           Findings& findings)
      : text_(text),
        source_(source),
        tokens_(tokens),
        findings_(findings),
        lines_(text) {}

  bool Run() {
    bool balanced = false;
    return LookOver(balanced) && (balanced || Repair());
  }

 private:
  struct Open {
    Token token;
    size_t indentation;
  };

  // Whether all is in order as it is; false if the nesting is too deep.
  bool LookOver(bool& balanced) {
    std::vector<char> open;
    balanced = true;
    for (const Token& token : tokens_) {
      if (Opens(token)) {
        open.push_back(token.symbol);
        if (TooDeep(open.size(), token)) return false;
        continue;
      }
      if (!Closes(token)) continue;
      if (open.empty() || PartnerOf(open.back()) != token.symbol) {
        balanced = false;
      }
      if (!open.empty()) open.pop_back();
    }
    balanced &= open.empty();
    return true;
  }

  bool TooDeep(size_t depth, const Token& token) {
    if (depth <= static_cast<size_t>(kDeepestNesting)) return false;
    findings_.Add({.span = SpanOf(token),
                   .message = absl::StrCat("nested deeper than ",
                                           kDeepestNesting, " levels")});
    return true;
  }

  // False, having said so, if the nesting is too deep.
  bool Repair() {
    const auto count = [this](char symbol) {
      return std::count_if(
          tokens_.begin(), tokens_.end(), [symbol](const Token& token) {
            return token.kind == Token::Kind::kSymbol && token.symbol == symbol;
          });
    };
    // With as many closed as opened, indentation tells nothing.
    const bool too_few = count('{') > count('}');
    std::vector<Token> repaired;
    repaired.reserve(tokens_.size() + 1);
    for (const Token& token : tokens_) {
      const bool end = token.kind == Token::Kind::kEnd;
      if (too_few && token.first_on_line && !end) {
        const size_t column = IndentationOf(token);
        // What stands no further to the right than the line that opened a
        // message is not in it; a brace that closes it may stand below it.
        while (!open_.empty() && open_.back().token.symbol == '{' &&
               (Closes(token) ? column < open_.back().indentation
                              : column <= open_.back().indentation)) {
          Close(token, repaired);
        }
      }
      if (end) {
        while (!open_.empty()) Close(token, repaired);
      } else if (Opens(token)) {
        open_.push_back({.token = token, .indentation = IndentationOf(token)});
        if (TooDeep(open_.size(), token)) return false;
      } else if (Closes(token)) {
        const bool has_partner =
            std::any_of(open_.begin(), open_.end(), [&token](const Open& open) {
              return PartnerOf(open.token.symbol) == token.symbol;
            });
        while (has_partner &&
               PartnerOf(open_.back().token.symbol) != token.symbol) {
          Close(token, repaired);
        }
        if (has_partner) open_.pop_back();
      }
      repaired.push_back(token);
    }
    tokens_ = std::move(repaired);
    return true;
  }

  // Closes the innermost, before `next`.
  void Close(const Token& next, std::vector<Token>& repaired) {
    const Open open = open_.back();
    open_.pop_back();
    Token close;
    close.kind = Token::Kind::kSymbol;
    close.symbol = PartnerOf(open.token.symbol);
    close.begin = repaired.back().end;
    close.end = repaired.back().end;
    repaired.push_back(close);
    if (++told_ > kMostTold) return;
    std::string hint;
    const std::string sign(1, close.symbol);
    if (next.kind == Token::Kind::kEnd) {
      hint = absl::StrCat("there is no ", Quote(sign),
                          " for it up to the end of the file");
    } else {
      hint = absl::StrCat("a ", Quote(sign), " for it is missing before line ",
                          lines_.LineAt(next.begin) + 1);
    }
    if (next.kind != Token::Kind::kEnd &&
        lines_.LineAt(next.begin) == lines_.LineAt(open.token.begin)) {
      hint =
          absl::StrCat("a ", Quote(sign), " for it is missing before the ",
                       Quote(text_.substr(next.begin, next.end - next.begin)));
    }
    findings_.Add(
        {.span = SpanOf(open.token),
         .message = absl::StrCat(Quote(std::string(1, open.token.symbol)),
                                 " is not closed"),
         .hint = std::move(hint)});
  }

  Span SpanOf(const Token& token) const {
    return {token.begin, token.end, source_};
  }

  // Of the line of the token.
  size_t IndentationOf(const Token& token) {
    const size_t line = lines_.LineAt(token.begin);
    if (line != measured_line_) {
      const absl::string_view text = lines_.TextOf(line);
      measured_line_ = line;
      measured_ = std::min(text.find_first_not_of(" \t"), text.size());
    }
    return measured_;
  }

  const absl::string_view text_;
  const int source_;
  std::vector<Token>& tokens_;
  Findings& findings_;
  const LineTable lines_;
  std::vector<Open> open_;
  size_t told_ = 0;
  // The indentation of the line last asked for; a line may be long.
  size_t measured_line_ = static_cast<size_t>(-1);
  size_t measured_ = 0;
};

}  // namespace

bool BalanceBraces(absl::string_view text, int source,
                   std::vector<Token>& tokens, Findings& findings) {
  return Balancer(text, source, tokens, findings).Run();
}

}  // namespace groupsim
