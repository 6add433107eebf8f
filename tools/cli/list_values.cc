#include "tools/cli/list_values.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "scenarios/laboratory/group_plan.h"
#include "scenarios/reader/finding.h"

namespace groupsim {
namespace {

absl::Status Wrong(std::string message) {
  return absl::InvalidArgumentError(std::move(message));
}

absl::Status TooLarge(std::string message) {
  return absl::OutOfRangeError(std::move(message));
}

}  // namespace

absl::Status CheckPrintable(absl::string_view flag, absl::string_view text) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  auto left = static_cast<utf8proc_ssize_t>(text.size());
  while (left > 0) {
    utf8proc_int32_t point = 0;
    const utf8proc_ssize_t length = utf8proc_iterate(bytes, left, &point);
    if (length < 1 || point < 0x20 || point == 0x7F) {
      return Wrong(absl::StrCat("--", flag,
                                " must be UTF-8 without control "
                                "characters, not ",
                                Quote(text)));
    }
    bytes += length;
    left -= length;
  }
  return absl::OkStatus();
}

bool IsNumber(absl::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return absl::ascii_isdigit(c); });
}

bool LooksLikeNumber(absl::string_view text) {
  double number = 0;
  return !IsNumber(text) &&
         text.find_first_not_of("0123456789.+-eE") == absl::string_view::npos &&
         absl::SimpleAtod(text, &number);
}

absl::StatusOr<size_t> ReadCount(absl::string_view flag, absl::string_view text,
                                 size_t limit) {
  if (!IsNumber(text)) {
    return Wrong(
        absl::StrCat("--", flag, " must be a whole number, not ", Quote(text)));
  }
  uint64_t number = 0;
  if (!absl::SimpleAtoi(text, &number) || number > limit) {
    return TooLarge(
        absl::StrCat("--", flag, " may be at most ", limit, ", not ", text));
  }
  return static_cast<size_t>(number);
}

std::vector<std::string> SplitList(absl::string_view text) {
  std::vector<std::string> parts;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    parts.emplace_back(absl::StripAsciiWhitespace(part));
  }
  return parts;
}

std::string Numbered(absl::string_view stem, size_t number, size_t largest) {
  const auto digits = static_cast<int>(absl::StrCat(largest).size());
  return absl::StrFormat("%s-%0*d", stem, digits, number);
}

absl::StatusOr<std::vector<NamedPart>> ReadNamedParts(absl::string_view flag,
                                                      absl::string_view text) {
  std::vector<NamedPart> parts;
  for (const std::string& part : SplitList(text)) {
    const size_t colon = part.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == part.size()) {
      return Wrong(absl::StrCat("--", flag, " is a list of NAME:VALUE, and ",
                                Quote(part), " is none"));
    }
    parts.push_back({part.substr(0, colon), part.substr(colon + 1)});
  }
  return parts;
}

absl::StatusOr<std::vector<QueuePlan>> ReadQueueRange(absl::string_view flag,
                                                      absl::string_view text) {
  const absl::Status bad = Wrong(
      absl::StrCat("--", flag, ": queues are written as \"broker-a#3\" or ",
                   "\"broker-a#0..3\", not ", Quote(text)));
  const size_t sign = text.rfind('#');
  if (sign == absl::string_view::npos || sign == 0) return bad;
  const absl::string_view numbers = text.substr(sign + 1);
  const size_t dots = numbers.find("..");
  const absl::string_view low = numbers.substr(0, dots);
  const absl::string_view high =
      dots == absl::string_view::npos ? low : numbers.substr(dots + 2);
  int32_t first = 0;
  int32_t last = 0;
  if (!IsNumber(low) || !IsNumber(high) || !absl::SimpleAtoi(low, &first) ||
      !absl::SimpleAtoi(high, &last) || last < first) {
    return bad;
  }
  if (static_cast<size_t>(last - first) >= kMostQueues) {
    return TooLarge(
        absl::StrCat("--", flag, " may name at most ", kMostQueues, " queues"));
  }
  std::vector<QueuePlan> queues;
  for (int32_t id = first; id <= last; ++id) {
    queues.push_back({std::string(text.substr(0, sign)), id});
  }
  return queues;
}

}  // namespace groupsim
