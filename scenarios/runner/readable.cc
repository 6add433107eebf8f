#include "scenarios/runner/readable.h"

#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/base/time.h"

namespace groupsim {
namespace {

Duration FromSeconds(double seconds) {
  return Duration::Nanos(static_cast<int64_t>(std::llround(seconds * 1e9)));
}

}  // namespace

std::string ReadableCount(int64_t n) {
  const std::string digits = absl::StrCat(n < 0 ? -n : n);
  std::string text = n < 0 ? "-" : "";
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string ReadablePlural(int64_t n, absl::string_view one) {
  return absl::StrCat(ReadableCount(n), " ", one, n == 1 ? "" : "s");
}

std::string ReadableTime(double seconds) {
  if (seconds >= 60) return ToString(FromSeconds(std::round(seconds)));
  if (seconds >= 10) return absl::StrFormat("%.1f s", seconds);
  if (seconds >= 1) return absl::StrFormat("%.2f s", seconds);
  const double ms = seconds * 1e3;
  if (ms >= 100) return absl::StrFormat("%.0f ms", ms);
  if (ms >= 10) return absl::StrFormat("%.1f ms", ms);
  if (ms >= 1) return absl::StrFormat("%.2f ms", ms);
  if (seconds == 0) return "0 s";
  return absl::StrFormat("%.0f us", seconds * 1e6);
}

std::string ReadableAmount(double value) {
  if (value == 0) return "0";
  if (value >= 1000)
    return ReadableCount(static_cast<int64_t>(std::llround(value)));
  return value >= 10 ? absl::StrFormat("%.1f", value)
                     : absl::StrFormat("%.2f", value);
}

std::string ReadableBytes(int64_t n) {
  if (n < 1024) return absl::StrCat(n, " B");
  const double kib = static_cast<double>(n) / 1024;
  if (kib < 1024) return absl::StrFormat("%.1f KiB", kib);
  if (kib < 1024 * 1024) return absl::StrFormat("%.1f MiB", kib / 1024);
  return absl::StrFormat("%.1f GiB", kib / 1024 / 1024);
}

}  // namespace groupsim
