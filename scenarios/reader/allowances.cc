#include "scenarios/reader/allowances.h"

#include <algorithm>
#include <limits>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "scenarios/reader/line_table.h"

namespace groupsim {
namespace {

constexpr absl::string_view kMark = "groupsim:";
constexpr absl::string_view kVerb = "allow";
// More of them than that in one file are passed over.
constexpr size_t kMostAllowances = 1'000;

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(c) || c == '-' || c == '_';
}

}  // namespace

void Allowances::Read(absl::string_view text, Span span, bool behind_something,
                      bool on_top, Findings& findings) {
  const absl::string_view comment =
      text.substr(span.begin, span.end - span.begin);
  size_t at = comment.find_first_not_of("# \t");
  if (at == absl::string_view::npos ||
      !absl::StartsWith(comment.substr(at), kMark)) {
    return;
  }
  at = comment.find_first_not_of(" \t", at + kMark.size());
  const auto complain = [&] {
    findings.Add({.severity = Finding::Severity::kWarning,
                  .span = span,
                  .message = "this comment has no effect",
                  .hint = "a lint is silenced by \"# groupsim: "
                          "allow(NAME)\"; see groupsim list lints"});
  };
  if (at == absl::string_view::npos ||
      !absl::StartsWith(comment.substr(at), kVerb)) {
    complain();
    return;
  }
  at += kVerb.size();
  at = comment.find_first_not_of(" \t", at);
  const size_t close =
      at == absl::string_view::npos ? at : comment.find(')', at);
  if (close == absl::string_view::npos || comment[at] != '(') {
    complain();
    return;
  }
  for (++at; at < close;) {
    size_t end = at;
    while (end < close && IsNameCharacter(comment[end])) ++end;
    if (end > at && allowances_.size() < kMostAllowances) {
      allowances_.push_back({.lint = std::string(comment.substr(at, end - at)),
                             .span = {.begin = span.begin + at,
                                      .end = span.begin + end,
                                      .source = span.source},
                             .whole_file = on_top,
                             .at = span.begin});
    }
    at = std::max(end, at + 1);
  }
  if (behind_something) waiting_ = allowances_.size();
}

void Allowances::NextToken(int source, size_t begin) {
  for (; waiting_ < allowances_.size(); ++waiting_) {
    if (allowances_[waiting_].span.source == source) {
      allowances_[waiting_].at = begin;
    }
  }
}

void Allowances::FindLines(const Sources& sources) {
  std::map<int, LineTable> tables;
  for (size_t i = lines_.size(); i < allowances_.size(); ++i) {
    const int source = allowances_[i].span.source;
    const LineTable& table =
        tables.try_emplace(source, sources[source].text).first->second;
    const size_t line = table.LineAt(allowances_[i].at);
    lines_.push_back({.begin = line == 0 ? 0 : table.BeginOf(line),
                      .end = line + 1 < table.size()
                                 ? table.BeginOf(line + 1)
                                 : std::numeric_limits<size_t>::max()});
  }
}

bool Allowances::Allow(absl::string_view lint, const std::optional<Span>& place,
                       const Sources& sources) {
  FindLines(sources);
  bool allowed = false;
  for (size_t i = 0; i < allowances_.size(); ++i) {
    Allowance& allowance = allowances_[i];
    if (allowance.lint != lint ||
        allowance.span.source != (place ? place->source : 0)) {
      continue;
    }
    const bool here = place && place->begin >= lines_[i].begin &&
                      place->begin < lines_[i].end;
    if (!allowance.whole_file && !here) continue;
    allowance.used = true;
    allowed = true;
  }
  return allowed;
}

}  // namespace groupsim
