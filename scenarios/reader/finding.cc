#include "scenarios/reader/finding.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "scenarios/reader/escapes.h"
#include "scenarios/reader/line_table.h"

namespace groupsim {
namespace {

// The most characters of a source line that are shown.
constexpr size_t kLongestExcerpt = 100;
// Bytes that can follow the first one of a character in UTF-8. More of them in
// a row are no text.
constexpr int kMostContinuations = 3;

bool ContinuesCharacter(char c) { return (c & 0xC0) == 0x80; }

// Control characters, and bytes that are no UTF-8, would spoil the alignment;
// tabs are kept for it.
std::string Printable(absl::string_view text) {
  std::string result(text);
  for (size_t bad = FindBadUtf8(result); bad != absl::string_view::npos;) {
    result[bad] = '?';
    const size_t next = FindBadUtf8(absl::string_view(result).substr(bad));
    if (next == absl::string_view::npos) break;
    bad += next;
  }
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
    for (int i = 0; i < kMostContinuations && ContinuesCharacter(line[begin]);
         ++i) {
      --begin;
    }
  }
  size_t end = std::min(line.size(), begin + kLongestExcerpt);
  for (int i = 0; i < kMostContinuations && end < line.size() &&
                  ContinuesCharacter(line[end]);
       ++i) {
    ++end;
  }
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

}  // namespace

void Findings::Add(Finding finding) {
  ++count_;
  if (finding.severity == Finding::Severity::kError) ++errors_;
  if (!full()) findings_.push_back(std::move(finding));
}

std::vector<const Finding*> Findings::Sorted() const {
  std::vector<const Finding*> sorted;
  sorted.reserve(findings_.size());
  for (const Finding& finding : findings_) sorted.push_back(&finding);
  const auto place_of = [](const Finding& finding) {
    return finding.span
               ? std::pair(finding.span->source, finding.span->begin + 1)
               : std::pair<int, size_t>(0, 0);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Finding* a, const Finding* b) {
                     return place_of(*a) < place_of(*b);
                   });
  return sorted;
}

std::string Findings::Format(const Sources& sources) const {
  const std::vector<const Finding*> sorted = Sorted();
  const auto name_of = [&](int source) {
    return source >= sources.size() || sources[source].name.empty()
               ? absl::string_view("scenario")
               : absl::string_view(sources[source].name);
  };
  std::map<int, LineTable> tables;
  std::string out;
  for (size_t i = 0; i < std::min(sorted.size(), kShown); ++i) {
    const Finding& finding = *sorted[i];
    const int source = finding.span ? finding.span->source : 0;
    const LineTable* lines = nullptr;
    absl::StrAppend(&out, name_of(source), ":");
    if (finding.span && source < sources.size()) {
      lines = &tables.try_emplace(source, sources[source].text).first->second;
      const LineAndColumn place = lines->PlaceOf(finding.span->begin);
      absl::StrAppend(&out, place.line, ":", place.column, ":");
    }
    absl::StrAppend(
        &out, " ",
        finding.severity == Finding::Severity::kError ? "error" : "warning",
        ": ", finding.message);
    if (!finding.lint.empty()) absl::StrAppend(&out, " [", finding.lint, "]");
    out += '\n';
    if (!finding.path.empty()) {
      absl::StrAppend(&out, "  at ", finding.path, "\n");
    }
    if (lines != nullptr) {
      const size_t line = lines->LineAt(finding.span->begin);
      AppendExcerpt(lines->TextOf(line), line + 1,
                    lines->ByteOfLine(finding.span->begin),
                    finding.span->end - finding.span->begin, out);
    }
    if (!finding.hint.empty()) absl::StrAppend(&out, "  ", finding.hint, "\n");
  }
  if (count_ > kShown) {
    absl::StrAppend(&out, name_of(0), ": and ", count_ - kShown, " more\n");
  }
  return out;
}

}  // namespace groupsim
