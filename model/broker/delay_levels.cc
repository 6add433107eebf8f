#include "model/broker/delay_levels.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace groupsim {
namespace {

// Nothing where the letter is no unit.
Duration UnitOf(char letter) {
  switch (letter) {
    case 's':
      return 1s;
    case 'm':
      return 1min;
    case 'h':
      return 1h;
    case 'd':
      return 24h;
    default:
      return Duration();
  }
}

}  // namespace

absl::StatusOr<DelayLevels> DelayLevels::Parse(absl::string_view text) {
  constexpr Duration kLongest = 24h * 365;
  std::vector<Duration> delays;
  for (const absl::string_view part :
       absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const Duration unit = UnitOf(part.back());
    int64_t number = 0;
    if (unit == Duration() ||
        !absl::SimpleAtoi(part.substr(0, part.size() - 1), &number) ||
        number < 1 || number > kLongest / unit) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"", part,
                       "\" is no delay; it must be a whole number from 1 on "
                       "with one of the units s, m, h, d, at most 365d"));
    }
    delays.push_back(unit * number);
  }
  if (delays.empty()) {
    return absl::InvalidArgumentError("there must be at least one level");
  }
  return DelayLevels(std::move(delays));
}

}  // namespace groupsim
