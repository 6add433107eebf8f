#include "scenarios/reader/finding.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace groupsim {
namespace {

// The most characters of a source line that are shown.
constexpr size_t kLongestExcerpt = 100;

bool ContinuesCharacter(char c) { return (c & 0xC0) == 0x80; }

size_t CountCharacters(absl::string_view text) {
  return text.size() - static_cast<size_t>(std::count_if(
                           text.begin(), text.end(), ContinuesCharacter));
}

// Where lines begin, found once for all findings.
class LineTable {
 public:
  explicit LineTable(absl::string_view text) : text_(text) {
    begins_.push_back(0);
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') begins_.push_back(i + 1);
    }
  }

  // From 0.
  size_t LineAt(size_t offset) const {
    return static_cast<size_t>(
               std::upper_bound(begins_.begin(), begins_.end(), offset) -
               begins_.begin()) -
           1;
  }
  size_t BeginOf(size_t line) const { return begins_[line]; }
  // Without its end of line.
  absl::string_view TextOf(size_t line) const {
    const size_t end =
        line + 1 < begins_.size() ? begins_[line + 1] : text_.size();
    absl::string_view text = text_.substr(begins_[line], end - begins_[line]);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) {
      text.remove_suffix(1);
    }
    return text;
  }

 private:
  absl::string_view text_;
  std::vector<size_t> begins_;
};

// Control characters would spoil the alignment; tabs are kept for it.
std::string Printable(absl::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\t') {
      c = '?';
    }
  }
  return result;
}

// The line and, below it, a caret under `column` (a byte of the line) with
// tildes to the end of the span.
void AppendExcerpt(absl::string_view line, size_t number, size_t column,
                   size_t length, std::string& out) {
  // A window of a long line, which keeps whole characters.
  size_t begin = 0;
  if (column > kLongestExcerpt * 3 / 4) {
    begin = column - kLongestExcerpt / 2;
    while (begin > 0 && ContinuesCharacter(line[begin])) --begin;
  }
  size_t end = std::min(line.size(), begin + kLongestExcerpt);
  while (end < line.size() && ContinuesCharacter(line[end])) ++end;
  const absl::string_view shown = line.substr(begin, end - begin);
  const absl::string_view before = shown.substr(0, column - begin);
  const std::string label = absl::StrCat(number);
  absl::StrAppend(&out, "  ", label, " | ", begin > 0 ? "..." : "",
                  Printable(shown), end < line.size() ? "..." : "", "\n  ",
                  std::string(label.size(), ' '), " | ",
                  begin > 0 ? "   " : "");
  for (const char c : before) {
    if (c == '\t') {
      out += '\t';
    } else if (!ContinuesCharacter(c)) {
      out += ' ';
    }
  }
  const size_t marked = CountCharacters(
      shown.substr(column - begin, std::max<size_t>(length, 1)));
  out += '^';
  if (marked > 1) out.append(marked - 1, '~');
  out += '\n';
}

int EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<int> before;
  std::vector<int> above(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  std::iota(above.begin(), above.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int cost = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + cost});
      // Two neighbours that changed places are one mistake.
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = above;
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

void Findings::Add(Finding finding) {
  ++count_;
  if (finding.severity == Finding::Severity::kError) has_errors_ = true;
  if (!full()) findings_.push_back(std::move(finding));
}

std::string Findings::Format(const Source& source) const {
  std::vector<const Finding*> sorted;
  sorted.reserve(findings_.size());
  for (const Finding& finding : findings_) sorted.push_back(&finding);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Finding* a, const Finding* b) {
                     const size_t at_a = a->span ? a->span->begin + 1 : 0;
                     const size_t at_b = b->span ? b->span->begin + 1 : 0;
                     return at_a < at_b;
                   });
  const absl::string_view name =
      source.name.empty() ? "scenario" : absl::string_view(source.name);
  const LineTable lines(source.text);
  std::string out;
  for (size_t i = 0; i < std::min(sorted.size(), kShown); ++i) {
    const Finding& finding = *sorted[i];
    absl::StrAppend(&out, name, ":");
    size_t line = 0;
    size_t column = 0;
    if (finding.span) {
      line = lines.LineAt(std::min(finding.span->begin, source.text.size()));
      column = std::min(finding.span->begin - lines.BeginOf(line),
                        lines.TextOf(line).size());
      absl::StrAppend(&out, line + 1, ":",
                      CountCharacters(lines.TextOf(line).substr(0, column)) + 1,
                      ":");
    }
    absl::StrAppend(
        &out, " ",
        finding.severity == Finding::Severity::kError ? "error" : "warning",
        ": ", finding.message, "\n");
    if (!finding.path.empty())
      absl::StrAppend(&out, "  at ", finding.path, "\n");
    if (finding.span) {
      AppendExcerpt(lines.TextOf(line), line + 1, column,
                    finding.span->end - finding.span->begin, out);
    }
    if (!finding.hint.empty()) absl::StrAppend(&out, "  ", finding.hint, "\n");
  }
  if (count_ > kShown) {
    absl::StrAppend(&out, name, ": ", count_ - kShown,
                    count_ - kShown == 1 ? " finding" : " findings",
                    " more, not shown\n");
  }
  return out;
}

absl::string_view NearestName(absl::string_view wrong,
                              const std::vector<absl::string_view>& names) {
  constexpr size_t kLongest = 128;
  if (wrong.empty() || wrong.size() > kLongest) return "";
  // A third of the letters may be wrong.
  int best_distance = static_cast<int>(wrong.size()) / 3 + 1;
  absl::string_view best;
  for (const absl::string_view name : names) {
    if (name.size() > kLongest) continue;
    const int distance = EditDistance(wrong, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string DidYouMean(absl::string_view name) {
  return name.empty() ? "" : absl::StrCat("did you mean \"", name, "\"?");
}

std::string Quote(absl::string_view text) {
  constexpr size_t kShown = 60;
  size_t shown = text.size();
  if (shown > kShown) {
    shown = kShown;
    while (shown > 0 && ContinuesCharacter(text[shown])) --shown;
  }
  return absl::StrCat("\"", absl::Utf8SafeCEscape(text.substr(0, shown)),
                      shown < text.size() ? "...\"" : "\"");
}

}  // namespace groupsim
