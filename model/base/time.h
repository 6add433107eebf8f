// Points in time and lengths of time, in whole nanoseconds.
//
// Both are signed 64-bit counts, good for 292 years. An operation that would
// leave that range is a bug and stops the program; code that takes numbers
// from outside tests them first (CheckedAdd, Duration::FromMillis).
//
// Durations are written as chrono literals: `Duration wait = 500ms;`.
#ifndef GROUPSIM_MODEL_BASE_TIME_H_
#define GROUPSIM_MODEL_BASE_TIME_H_

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <ratio>
#include <string>

#include "model/base/check.h"

namespace groupsim {

// Literals for durations: 250us, 20ms, 3s, 15min, 1h.
using namespace std::chrono_literals;  // NOLINT(build/namespaces)

// A length of time; may be negative.
class Duration {
 public:
  constexpr Duration() = default;

  // Any whole number of a chrono unit, so that 500ms is a Duration.
  template <class Rep, class Period>
  constexpr Duration(std::chrono::duration<Rep, Period> d)  // NOLINT
      : nanos_(ToNanos(static_cast<int64_t>(d.count()), Period::num,
                       Period::den)) {
    static_assert(std::is_integral_v<Rep>, "durations are whole numbers");
  }

  static constexpr Duration Nanos(int64_t n) { return Duration(n, Raw{}); }
  static constexpr Duration Micros(int64_t n) { return Scaled(n, 1'000); }
  static constexpr Duration Millis(int64_t n) { return Scaled(n, 1'000'000); }
  static constexpr Duration Seconds(int64_t n) {
    return Scaled(n, 1'000'000'000);
  }
  static constexpr Duration Zero() { return Duration(); }
  static constexpr Duration Max() {
    return Nanos(std::numeric_limits<int64_t>::max());
  }

  constexpr int64_t nanos() const { return nanos_; }
  // Whole units, rounded towards zero.
  constexpr int64_t micros() const { return nanos_ / 1'000; }
  constexpr int64_t millis() const { return nanos_ / 1'000'000; }
  constexpr int64_t seconds() const { return nanos_ / 1'000'000'000; }

  friend constexpr auto operator<=>(Duration, Duration) = default;

  friend constexpr Duration operator+(Duration a, Duration b) {
    int64_t sum = 0;
    CHECK(!__builtin_add_overflow(a.nanos_, b.nanos_, &sum))
        << "duration overflow";
    return Nanos(sum);
  }
  friend constexpr Duration operator-(Duration a, Duration b) {
    int64_t difference = 0;
    CHECK(!__builtin_sub_overflow(a.nanos_, b.nanos_, &difference))
        << "duration overflow";
    return Nanos(difference);
  }
  friend constexpr Duration operator*(Duration a, int64_t factor) {
    return Scaled(a.nanos_, factor);
  }
  friend constexpr Duration operator*(int64_t factor, Duration a) {
    return a * factor;
  }
  friend constexpr Duration operator/(Duration a, int64_t divisor) {
    return Nanos(a.nanos_ / divisor);
  }
  friend constexpr int64_t operator/(Duration a, Duration b) {
    return a.nanos_ / b.nanos_;
  }
  friend constexpr Duration operator%(Duration a, Duration b) {
    return Nanos(a.nanos_ % b.nanos_);
  }
  friend constexpr Duration operator-(Duration a) { return Duration() - a; }
  constexpr Duration& operator+=(Duration b) { return *this = *this + b; }
  constexpr Duration& operator-=(Duration b) { return *this = *this - b; }

 private:
  struct Raw {};
  constexpr Duration(int64_t n, Raw) : nanos_(n) {}

  static constexpr Duration Scaled(int64_t n, int64_t unit) {
    int64_t product = 0;
    CHECK(!__builtin_mul_overflow(n, unit, &product)) << "duration overflow";
    return Nanos(product);
  }
  static constexpr int64_t ToNanos(int64_t n, int64_t num, int64_t den) {
    static_assert(std::ratio_less_equal_v<std::nano, std::milli>);
    CHECK(1'000'000'000 % den == 0) << "unit finer than a nanosecond";
    int64_t unit = 0;
    int64_t product = 0;
    CHECK(!__builtin_mul_overflow(num, 1'000'000'000 / den, &unit) &&
          !__builtin_mul_overflow(n, unit, &product))
        << "duration overflow";
    return product;
  }

  int64_t nanos_ = 0;
};

// A point in time, counted from the start of the run.
class Instant {
 public:
  constexpr Instant() = default;  // The start of the run.

  static constexpr Instant Start() { return Instant(); }
  static constexpr Instant Max() {
    return FromNanos(std::numeric_limits<int64_t>::max());
  }
  static constexpr Instant FromNanos(int64_t n) {
    Instant instant;
    instant.nanos_ = n;
    return instant;
  }

  constexpr int64_t nanos() const { return nanos_; }
  constexpr Duration since_start() const { return Duration::Nanos(nanos_); }

  friend constexpr auto operator<=>(Instant, Instant) = default;

  friend constexpr Instant operator+(Instant t, Duration d) {
    int64_t sum = 0;
    CHECK(!__builtin_add_overflow(t.nanos_, d.nanos(), &sum))
        << "time overflow";
    return FromNanos(sum);
  }
  friend constexpr Instant operator-(Instant t, Duration d) {
    int64_t difference = 0;
    CHECK(!__builtin_sub_overflow(t.nanos_, d.nanos(), &difference))
        << "time overflow";
    return FromNanos(difference);
  }
  friend constexpr Duration operator-(Instant a, Instant b) {
    int64_t difference = 0;
    CHECK(!__builtin_sub_overflow(a.nanos_, b.nanos_, &difference))
        << "time overflow";
    return Duration::Nanos(difference);
  }
  constexpr Instant& operator+=(Duration d) { return *this = *this + d; }

 private:
  int64_t nanos_ = 0;
};

// `t + d`, or nothing where the sum leaves the range.
constexpr std::optional<Instant> CheckedAdd(Instant t, Duration d) {
  int64_t sum = 0;
  if (__builtin_add_overflow(t.nanos(), d.nanos(), &sum)) return std::nullopt;
  return Instant::FromNanos(sum);
}

// For people: "0 s", "250 us", "1.5 s", "2m30s", "1h05m".
std::string ToString(Duration d);
std::string ToString(Instant t);
std::ostream& operator<<(std::ostream& out, Duration d);
std::ostream& operator<<(std::ostream& out, Instant t);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BASE_TIME_H_
