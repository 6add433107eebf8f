#include "model/base/time.h"

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace groupsim {
namespace {

// `whole` and three decimals of a unit of `per` nanoseconds, without trailing
// zeros.
std::string WithFraction(uint64_t nanos, uint64_t per, absl::string_view unit) {
  std::string text = absl::StrCat(nanos / per);
  std::string fraction = absl::StrFormat("%03d", nanos % per * 1'000 / per);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  if (!fraction.empty()) absl::StrAppend(&text, ".", fraction);
  return absl::StrCat(text, " ", unit);
}

}  // namespace

std::string ToString(Duration d) {
  const bool negative = d.nanos() < 0;
  const uint64_t n = negative ? 0 - static_cast<uint64_t>(d.nanos())
                              : static_cast<uint64_t>(d.nanos());
  std::string text;
  if (n == 0) {
    text = "0 s";
  } else if (n < 1'000) {
    text = absl::StrCat(n, " ns");
  } else if (n < 1'000'000) {
    text = WithFraction(n, 1'000, "us");
  } else if (n < 1'000'000'000) {
    text = WithFraction(n, 1'000'000, "ms");
  } else if (n < 60'000'000'000) {
    text = WithFraction(n, 1'000'000'000, "s");
  } else {
    const uint64_t seconds = n / 1'000'000'000;
    const uint64_t hours = seconds / 3'600;
    const uint64_t minutes = seconds / 60 % 60;
    if (hours > 0) {
      text = absl::StrFormat("%dh%02dm", hours, minutes);
      if (seconds % 60 != 0)
        absl::StrAppendFormat(&text, "%02ds", seconds % 60);
    } else {
      text = absl::StrFormat("%dm%02ds", minutes, seconds % 60);
    }
  }
  return negative ? absl::StrCat("-", text) : text;
}

std::string ToString(Instant t) { return ToString(t.since_start()); }

std::ostream& operator<<(std::ostream& out, Duration d) {
  return out << ToString(d);
}

std::ostream& operator<<(std::ostream& out, Instant t) {
  return out << ToString(t);
}

}  // namespace groupsim
