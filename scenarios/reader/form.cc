#include "scenarios/reader/form.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "scenarios/reader/escapes.h"
#include "scenarios/reader/line_table.h"

namespace groupsim {
namespace {

constexpr absl::string_view kMark = "\xEF\xBB\xBF";

bool Tell(std::optional<Span> span, std::string message, std::string hint,
          Findings& findings) {
  findings.Add(
      {.span = span, .message = std::move(message), .hint = std::move(hint)});
  return false;
}

bool CheckEncoding(absl::string_view text, int source, Findings& findings) {
  // Nothing of such a text can be shown, in the file itself.
  const std::optional<Span> begin =
      source == 0 ? std::nullopt : std::optional<Span>(Span{0, 0, source});
  // A byte order mark, or a NUL beside each letter.
  const bool utf16 = absl::StartsWith(text, "\xFF\xFE") ||
                     absl::StartsWith(text, "\xFE\xFF") ||
                     (text.size() >= 4 && (text[0] == '\0') == (text[2] == 0) &&
                      (text[1] == '\0') == (text[3] == '\0') &&
                      (text[0] == '\0') != (text[1] == '\0'));
  if (utf16) {
    return Tell(begin, "this text is in UTF-16, not in UTF-8",
                "save it again as UTF-8, or run: iconv -f UTF-16 -t UTF-8",
                findings);
  }
  if (absl::StartsWith(text, "\x1F\x8B") || absl::StartsWith(text, "PK\x03")) {
    return Tell(begin, "this file is compressed", "unpack it first", findings);
  }
  const size_t bad = FindBadUtf8(text);
  const size_t odd = static_cast<size_t>(
      std::find_if(
          text.begin(), text.end(),
          [](char c) {
            return absl::ascii_iscntrl(static_cast<unsigned char>(c)) &&
                   !absl::ascii_isspace(static_cast<unsigned char>(c)) &&
                   c != '\x1A';
          }) -
      text.begin());
  if (odd < text.size()) {
    return Tell(Span{odd, odd + 1, source},
                "this is not a text: it holds control characters",
                "if this is the binary form, give the file a name that ends in "
                ".binpb",
                findings);
  }
  if (bad != absl::string_view::npos) {
    return Tell(Span{bad, bad + 1, source}, "this byte is no UTF-8",
                "save the file again as UTF-8; it may be in Latin-1 or in a "
                "code page of Windows",
                findings);
  }
  return true;
}

// The first byte that is neither space nor comment.
size_t FirstByte(absl::string_view text) {
  size_t at = absl::StartsWith(text, kMark) ? kMark.size() : 0;
  while (at < text.size()) {
    if (absl::ascii_isspace(text[at])) {
      ++at;
    } else if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else {
      break;
    }
  }
  return at;
}

// A line of YAML by which one can tell: the name of a mapping with its contents
// below it, deeper, without a brace; or the "---" of a document. Its place, or
// an empty span.
Span FindYaml(absl::string_view text, int source) {
  constexpr size_t kMostLines = 500;
  const LineTable lines(text.substr(0, 64 * 1024));
  size_t waiting_indent = 0;
  Span waiting;
  bool waits = false;
  for (size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
    const absl::string_view line = lines.TextOf(i);
    const size_t indent = line.find_first_not_of(' ');
    const absl::string_view rest =
        indent == absl::string_view::npos ? "" : line.substr(indent);
    if (!rest.empty() && rest[0] != '#') {
      const size_t begin = lines.BeginOf(i) + indent;
      const Span span = {begin, begin + rest.size(), source};
      if (absl::StartsWith(rest, "---") || absl::StartsWith(rest, "%YAML")) {
        return span;
      }
      // Text format has braces; its first one settles the matter.
      if (absl::StrContains(rest, "{")) return {};
      size_t word = absl::StartsWith(rest, "- ") ? 2 : 0;
      const bool item = word > 0;
      const size_t name = word;
      while (word < rest.size() && (absl::ascii_isalnum(rest[word]) ||
                                    rest[word] == '_' || rest[word] == '-')) {
        ++word;
      }
      const bool field = word > name && word < rest.size() && rest[word] == ':';
      if (waits && (item || field) &&
          (indent > waiting_indent || (item && indent == waiting_indent))) {
        return waiting;
      }
      waits =
          field && absl::StripAsciiWhitespace(rest.substr(word + 1)).empty();
      waiting_indent = indent;
      waiting = span;
    }
  }
  return {};
}

}  // namespace

ScenarioForm FormOf(absl::string_view path) {
  if (absl::EndsWithIgnoreCase(path, ".json")) return ScenarioForm::kJson;
  if (absl::EndsWithIgnoreCase(path, ".binpb") ||
      absl::EndsWithIgnoreCase(path, ".pb")) {
    return ScenarioForm::kBinary;
  }
  return ScenarioForm::kText;
}

bool CheckForm(absl::string_view text, int source, ScenarioForm form,
               Findings& findings) {
  if (!CheckEncoding(text, source, findings)) return false;
  const size_t first = FirstByte(text);
  if (first == text.size()) return true;
  const Span here = {first, first + 1, source};
  const bool braces = text[first] == '{' || text[first] == '[';
  const bool json = form == ScenarioForm::kJson;
  if (!braces) {
    const Span yaml = FindYaml(text, source);
    if (yaml.end > yaml.begin) {
      return Tell(yaml, "this looks like YAML, which is not read",
                  "scenarios are written in protobuf's text format, as in: "
                  "group { name: \"readers\" consumer { name: \"pod\" } }",
                  findings);
    }
    const bool word = absl::ascii_isalpha(text[first]) || text[first] == '_';
    if (json && (word || first > 0) && text[first] != '/' &&
        text[first] != '"' && !absl::ascii_isdigit(text[first])) {
      return Tell(here, "this is text format, not JSON",
                  "give the file a name that ends in .textproto", findings);
    }
    return true;
  }
  if (json) return true;
  const size_t second = first + 1 + FirstByte(text.substr(first + 1));
  const char next = second < text.size() ? text[second] : '}';
  if (text[first] == '[' || next == '"' || next == '\'' || next == '}') {
    return Tell(here,
                "this looks like JSON, but the file is read as text "
                "format",
                "give the file a name that ends in .json", findings);
  }
  return Tell(here, "no braces stand around a whole scenario",
              "delete this \"{\" and the \"}\" at the end", findings);
}

}  // namespace groupsim
