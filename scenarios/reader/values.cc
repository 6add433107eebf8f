#include "scenarios/reader/values.h"

#include <array>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace groupsim {
namespace {

struct Unit {
  absl::string_view name;
  int64_t factor;
};

// Largest first.
constexpr std::array<Unit, 7> kTimeUnits = {{{"d", 86'400'000'000'000},
                                             {"h", 3'600'000'000'000},
                                             {"m", 60'000'000'000},
                                             {"s", 1'000'000'000},
                                             {"ms", 1'000'000},
                                             {"us", 1'000},
                                             {"ns", 1}}};

constexpr std::array<Unit, 7> kSizeUnits = {{{"B", 1},
                                             {"KiB", 1 << 10},
                                             {"MiB", 1 << 20},
                                             {"GiB", 1 << 30},
                                             {"KB", 1'000},
                                             {"MB", 1'000'000},
                                             {"GB", 1'000'000'000}}};

// What a message shows of a text.
std::string Quoted(absl::string_view text) {
  constexpr size_t kShown = 60;
  if (text.size() > kShown) {
    size_t shown = kShown;
    while (shown > 0 && (text[shown] & 0xC0) == 0x80) --shown;
    return absl::StrCat("\"", absl::Utf8SafeCEscape(text.substr(0, shown)),
                        "...\"");
  }
  return absl::StrCat("\"", absl::Utf8SafeCEscape(text), "\"");
}

absl::Status BadDuration(absl::string_view text, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("is ", Quoted(text), "; ", why));
}

constexpr absl::string_view kDurationNotation =
    "a duration is a number with a unit (ns, us, ms, s, m, h, d), such as "
    "\"250us\" or \"1h30m\"";
constexpr absl::string_view kSizeNotation =
    "a size is a number of bytes, or one with a unit (B, KiB, MiB, GiB, KB, "
    "MB, GB), such as 1800 or \"4KiB\"";
constexpr absl::string_view kTooLarge = "the number is too large";

// A decimal number at the front of a text.
struct Decimal {
  int64_t whole = 0;
  int64_t fraction = 0;       // In units of 1 / fraction_unit.
  int64_t fraction_unit = 1;  // A power of ten.
  bool has_fraction = false;
};

enum class Take { kOk, kNone, kTooLarge };

// Takes digits, and a point with further digits, off the front of `rest`.
Take TakeDecimal(absl::string_view& rest, Decimal& number) {
  if (rest.empty() || !absl::ascii_isdigit(rest[0])) return Take::kNone;
  number = {};
  while (!rest.empty() && absl::ascii_isdigit(rest[0])) {
    if (__builtin_mul_overflow(number.whole, 10, &number.whole) ||
        __builtin_add_overflow(number.whole, rest[0] - '0', &number.whole)) {
      return Take::kTooLarge;
    }
    rest.remove_prefix(1);
  }
  if (rest.size() < 2 || rest[0] != '.' || !absl::ascii_isdigit(rest[1])) {
    return Take::kOk;
  }
  rest.remove_prefix(1);
  number.has_fraction = true;
  while (!rest.empty() && absl::ascii_isdigit(rest[0])) {
    if (number.fraction_unit >= 1'000'000'000'000) {
      if (rest[0] != '0') return Take::kTooLarge;
    } else {
      number.fraction = number.fraction * 10 + (rest[0] - '0');
      number.fraction_unit *= 10;
    }
    rest.remove_prefix(1);
  }
  return Take::kOk;
}

// number x factor; false where that does not fit or is not whole.
bool Scale(const Decimal& number, int64_t factor, int64_t& result) {
  const __int128 part = static_cast<__int128>(number.fraction) * factor;
  if (part % number.fraction_unit != 0) return false;
  return !__builtin_mul_overflow(number.whole, factor, &result) &&
         !__builtin_add_overflow(
             result, static_cast<int64_t>(part / number.fraction_unit),
             &result);
}

}  // namespace

absl::StatusOr<Duration> ParseDuration(absl::string_view text) {
  absl::string_view rest = text;
  if (rest.empty()) return BadDuration(text, kDurationNotation);
  if (rest[0] == '-') return BadDuration(text, "it must not be negative");
  int64_t nanos = 0;
  size_t next_unit = 0;  // Units before it may not follow any more.
  bool fraction_seen = false;
  while (!rest.empty()) {
    Decimal number;
    switch (TakeDecimal(rest, number)) {
      case Take::kNone:
        return BadDuration(text, kDurationNotation);
      case Take::kTooLarge:
        return BadDuration(text, kTooLarge);
      case Take::kOk:
        break;
    }
    size_t length = 0;
    while (length < rest.size() && absl::ascii_isalpha(rest[length])) ++length;
    const absl::string_view name = rest.substr(0, length);
    rest.remove_prefix(length);
    if (name.empty()) return BadDuration(text, kDurationNotation);
    size_t unit = 0;
    while (unit < kTimeUnits.size() && kTimeUnits[unit].name != name) ++unit;
    if (unit == kTimeUnits.size()) {
      return BadDuration(text, kDurationNotation);
    }
    if (unit < next_unit || fraction_seen) {
      return BadDuration(
          text,
          "units go from the largest to the smallest, each once, "
          "with a fraction in the last only");
    }
    next_unit = unit + 1;
    fraction_seen = number.has_fraction;
    int64_t part = 0;
    if (!Scale(number, kTimeUnits[unit].factor, part)) {
      return BadDuration(text, number.has_fraction
                                   ? "it must be whole nanoseconds, at most "
                                     "292 years of them"
                                   : kTooLarge);
    }
    if (__builtin_add_overflow(nanos, part, &nanos)) {
      return BadDuration(text, kTooLarge);
    }
  }
  return Duration::Nanos(nanos);
}

std::string FormatDuration(Duration duration) {
  int64_t nanos = duration.nanos();
  CHECK(nanos >= 0) << "a duration of a scenario is not negative";
  if (nanos == 0) return "0s";
  std::string text;
  for (const Unit& unit : kTimeUnits) {
    if (nanos < unit.factor) continue;
    absl::StrAppend(&text, nanos / unit.factor, unit.name);
    nanos %= unit.factor;
  }
  return text;
}

absl::StatusOr<int64_t> ParseSize(absl::string_view text) {
  const auto bad = [text](absl::string_view why) {
    return absl::InvalidArgumentError(
        absl::StrCat("is ", Quoted(text), "; ", why));
  };
  absl::string_view rest = text;
  if (!rest.empty() && rest[0] == '-') return bad("it must not be negative");
  Decimal number;
  switch (TakeDecimal(rest, number)) {
    case Take::kNone:
      return bad(kSizeNotation);
    case Take::kTooLarge:
      return bad(kTooLarge);
    case Take::kOk:
      break;
  }
  int64_t factor = 1;
  if (!rest.empty()) {
    size_t unit = 0;
    while (unit < kSizeUnits.size() && kSizeUnits[unit].name != rest) ++unit;
    if (unit == kSizeUnits.size()) return bad(kSizeNotation);
    factor = kSizeUnits[unit].factor;
  }
  int64_t size = 0;
  if (!Scale(number, factor, size)) {
    return bad(number.has_fraction ? "it must be whole bytes" : kTooLarge);
  }
  return size;
}

absl::Status CheckName(absl::string_view text) {
  constexpr size_t kLongest = 127;
  if (text.empty()) {
    return absl::InvalidArgumentError(
        "is empty; a name has 1 to 127 letters, "
        "digits, '_', '-', '%' or '|'");
  }
  if (text.size() > kLongest) {
    return absl::InvalidArgumentError(
        absl::StrCat("is ", Quoted(text), "; a name has at most ", kLongest,
                     " characters, not ", text.size()));
  }
  for (const char c : text) {
    // '@' in names of brokers only, which whoever collects the names checks.
    if (absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '%' ||
        c == '|' || c == '@') {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("is ", Quoted(text),
                     "; a name has letters, digits, '_', '-', '%' and '|'"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<QueueRange>> ParseQueues(absl::string_view text) {
  const auto bad = [text](absl::string_view why) {
    return absl::InvalidArgumentError(
        absl::StrCat("is ", Quoted(text), "; ", why));
  };
  constexpr absl::string_view kNotation =
      "queues are written as \"broker-a#3\", \"broker-a#0..3\" or "
      "\"broker-a#*\", separated by commas";
  std::vector<QueueRange> ranges;
  if (absl::StripAsciiWhitespace(text).empty()) return ranges;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    part = absl::StripAsciiWhitespace(part);
    const size_t mark = part.find('#');
    if (mark == absl::string_view::npos) return bad(kNotation);
    QueueRange range;
    range.broker = std::string(part.substr(0, mark));
    if (!CheckName(range.broker).ok()) return bad(kNotation);
    const absl::string_view numbers = part.substr(mark + 1);
    if (numbers == "*") {
      range.last = QueueRange::kAllQueues;
      ranges.push_back(std::move(range));
      continue;
    }
    const auto number = [](absl::string_view digits, int32_t& value) {
      return !digits.empty() && absl::ascii_isdigit(digits[0]) &&
             absl::SimpleAtoi(digits, &value);
    };
    const size_t dots = numbers.find("..");
    if (dots == absl::string_view::npos) {
      if (!number(numbers, range.first)) return bad(kNotation);
      range.last = range.first;
    } else if (!number(numbers.substr(0, dots), range.first) ||
               !number(numbers.substr(dots + 2), range.last)) {
      return bad(kNotation);
    } else if (range.last < range.first) {
      return bad("a range of queues goes from the lower to the higher number");
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

std::vector<std::string> ProcessNames(absl::string_view name) {
  return {std::string(name)};
}

std::vector<std::string> ProcessNames(absl::string_view name, int32_t count) {
  std::vector<std::string> names;
  CHECK(count >= 0) << "no number of processes: " << count;
  names.reserve(count);
  for (int32_t i = 0; i < count; ++i) {
    names.push_back(absl::StrCat(name, "-", i));
  }
  return names;
}

std::optional<Duration> DurationOf(absl::string_view text) {
  const absl::StatusOr<Duration> duration = ParseDuration(text);
  if (!duration.ok()) return std::nullopt;
  return *duration;
}

Duration DurationOr(absl::string_view text, Duration otherwise) {
  return DurationOf(text).value_or(otherwise);
}

}  // namespace groupsim
