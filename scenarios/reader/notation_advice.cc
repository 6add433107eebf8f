#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "scenarios/reader/advice.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/nearest.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

// Longer ones are no slips of the pen.
constexpr size_t kLongest = 100;

struct Spelling {
  absl::string_view theirs;
  absl::string_view ours;
};

// Words for units of time, and those of sizes, in small letters.
constexpr Spelling kTimeUnits[] = {
    {"d", "d"},
    {"day", "d"},
    {"days", "d"},
    {"h", "h"},
    {"hr", "h"},
    {"hrs", "h"},
    {"hour", "h"},
    {"hours", "h"},
    {"m", "m"},
    {"min", "m"},
    {"mins", "m"},
    {"minute", "m"},
    {"minutes", "m"},
    {"s", "s"},
    {"sec", "s"},
    {"secs", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"ms", "ms"},
    {"msec", "ms"},
    {"msecs", "ms"},
    {"milli", "ms"},
    {"millis", "ms"},
    {"millisecond", "ms"},
    {"us", "us"},
    {"usec", "us"},
    {"micros", "us"},
    {"milliseconds", "ms"},
    {"\xC2\xB5s", "us"},
    {"\xCE\xBCs", "us"},
    {"microseconds", "us"},
    {"ns", "ns"},
    {"nanos", "ns"},
    {"nanoseconds", "ns"},
};
constexpr Spelling kSizeUnits[] = {
    {"b", "B"},       {"byte", "B"},    {"bytes", "B"}, {"k", "KiB"},
    {"kb", "KB"},     {"kib", "KiB"},   {"m", "MiB"},   {"mb", "MB"},
    {"mib", "MiB"},   {"g", "GiB"},     {"gb", "GB"},   {"gib", "GiB"},
    {"kbytes", "KB"}, {"mbytes", "MB"},
};

// Numbers and unit words in our spelling; "" if they are none.
template <size_t kCount>
std::string Respell(absl::string_view text, const Spelling (&units)[kCount]) {
  std::string result;
  while (!text.empty()) {
    size_t digits = 0;
    while (digits < text.size() &&
           (absl::ascii_isdigit(text[digits]) || text[digits] == '.')) {
      ++digits;
    }
    if (digits == 0) return "";
    absl::StrAppend(&result, text.substr(0, digits));
    text.remove_prefix(digits);
    size_t letters = 0;
    while (letters < text.size() && !absl::ascii_isdigit(text[letters])) {
      ++letters;
    }
    const absl::string_view word = text.substr(0, letters);
    text.remove_prefix(letters);
    if (word.empty()) continue;
    absl::string_view ours;
    for (const Spelling& unit : units) {
      if (unit.theirs == word) ours = unit.ours;
    }
    if (ours.empty()) return "";
    absl::StrAppend(&result, ours);
  }
  return result;
}

// In small letters, without spaces and the like.
std::string Squeeze(absl::string_view text) {
  return absl::StrReplaceAll(absl::AsciiStrToLower(text), {{" ", ""},
                                                           {"\t", ""},
                                                           {"_", ""},
                                                           {",", ""},
                                                           {"\xC2\xA0", ""},
                                                           {"+", ""}});
}

bool KeepsLimits(int64_t amount, FieldRule::Kind kind,
                 const FieldRule& limits) {
  const auto limit = [&](const std::string& text, int64_t otherwise) {
    const absl::StatusOr<int64_t> parsed = ParseAmount(text, kind);
    return parsed.ok() ? *parsed : otherwise;
  };
  return amount >= limit(limits.min(), 0) &&
         amount <= limit(limits.max(), INT64_MAX);
}

// A bare number where a duration belongs. Large ones look like milliseconds, as
// do all where the default is one of few.
std::string GuessUnit(int64_t number, const FieldRule& limits) {
  constexpr int64_t kLooksLikeMillis = 1'000;
  struct Reading {
    absl::string_view unit;
    absl::string_view words;
  };
  const Reading seconds = {"s", "seconds"};
  const Reading millis = {"ms", "milliseconds"};
  const bool small = absl::EndsWith(limits.otherwise(), "ms") ||
                     absl::EndsWith(limits.otherwise(), "us") ||
                     absl::EndsWith(limits.max(), "ms");
  const bool first_millis = number >= kLooksLikeMillis || small;
  for (const Reading& reading :
       {first_millis ? millis : seconds, first_millis ? seconds : millis}) {
    const std::string text = absl::StrCat(number, reading.unit);
    const absl::StatusOr<Duration> duration = ParseDuration(text);
    if (!duration.ok() ||
        !KeepsLimits(duration->nanos(), FieldRule::DURATION, limits)) {
      continue;
    }
    const std::string plain = FormatDuration(*duration);
    if (number == 0) return DidYouMean(plain);
    return absl::StrCat("did you mean ", Quote(plain), " (", number, " ",
                        reading.words, ")?");
  }
  return "";
}

// "30m1h" as "1h30m".
std::string LargestFirst(absl::string_view text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && !absl::ascii_isalpha(text[end])) ++end;
    while (end < text.size() && absl::ascii_isalpha(text[end])) ++end;
    parts.push_back(std::string(text.substr(at, end - at)));
    at = end;
  }
  std::stable_sort(
      parts.begin(), parts.end(),
      [](const std::string& a, const std::string& b) {
        constexpr absl::string_view kOrder = "dhmsun";
        const auto rank = [&](const std::string& part) {
          const size_t unit = part.find_first_not_of("0123456789.");
          if (unit == std::string::npos) return kOrder.size();
          // "ms" is behind "s", and before "us".
          return absl::StrContains(part, "ms") ? kOrder.find('s') * 2 + 1
                                               : kOrder.find(part[unit]) * 2;
        };
        return rank(a) < rank(b);
      });
  return absl::StrJoin(parts, "");
}

std::string GuessDuration(absl::string_view text, const FieldRule& limits) {
  std::string squeezed = Squeeze(text);
  int64_t number = 0;
  if (!squeezed.empty() && absl::ascii_isdigit(squeezed[0]) &&
      absl::SimpleAtoi(squeezed, &number)) {
    return GuessUnit(number, limits);
  }
  // ISO 8601 (PT30S), and the clock's way (00:10:00).
  absl::string_view rest = squeezed;
  if (absl::ConsumePrefix(&rest, "p")) absl::ConsumePrefix(&rest, "t");
  squeezed = std::string(rest);
  const std::vector<std::string> clock = absl::StrSplit(squeezed, ':');
  if (clock.size() == 3) {
    squeezed = absl::StrCat(clock[0], "h", clock[1], "m", clock[2], "s");
  }
  const std::string right = LargestFirst(Respell(squeezed, kTimeUnits));
  const absl::StatusOr<Duration> duration = ParseDuration(right);
  if (right.empty() || !duration.ok() ||
      !KeepsLimits(duration->nanos(), FieldRule::DURATION, limits)) {
    return "";
  }
  return DidYouMean(FormatDuration(*duration));
}

std::string GuessSize(absl::string_view text, const FieldRule& limits) {
  const std::string right = Respell(Squeeze(text), kSizeUnits);
  const absl::StatusOr<int64_t> size = ParseSize(right);
  if (right.empty() || !size.ok() ||
      !KeepsLimits(*size, FieldRule::SIZE, limits)) {
    return "";
  }
  return DidYouMean(right);
}

std::string GuessName(absl::string_view text) {
  std::string right(absl::StripAsciiWhitespace(text));
  for (char& c : right) {
    if (!absl::ascii_isalnum(c) && !absl::StrContains("_-%|", c)) c = '-';
  }
  return CheckName(right).ok() ? DidYouMean(right) : "";
}

// "broker-a:0-3", "broker-a#0-3" and "broker-a" as they are written here.
std::string GuessQueues(absl::string_view text) {
  std::string right;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    part = absl::StripAsciiWhitespace(part);
    if (part.empty()) continue;
    size_t mark = part.find_first_of("#:/@[");
    std::string queues = "*";
    if (mark != absl::string_view::npos) {
      queues = absl::StrReplaceAll(
          part.substr(mark + 1),
          {{"-", ".."}, {"...", ".."}, {"]", ""}, {" ", ""}, {"#", ""}});
    } else {
      mark = part.size();
    }
    absl::StrAppend(&right, right.empty() ? "" : ",",
                    absl::StripAsciiWhitespace(part.substr(0, mark)), "#",
                    queues);
  }
  return !right.empty() && ParseQueues(right).ok() ? DidYouMean(right) : "";
}

}  // namespace

std::string GuessNotation(absl::string_view text, FieldRule::Kind kind,
                          const FieldRule& limits) {
  if (text.empty() || text.size() > kLongest) return "";
  switch (kind) {
    case FieldRule::DURATION:
      return GuessDuration(text, limits);
    case FieldRule::SIZE:
      return GuessSize(text, limits);
    case FieldRule::NAME:
      return GuessName(text);
    case FieldRule::QUEUES:
      return GuessQueues(text);
    default:
      return "";
  }
}

}  // namespace groupsim
