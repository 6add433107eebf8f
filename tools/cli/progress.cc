#include "tools/cli/progress.h"

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/cli/console.h"

namespace groupsim {
namespace {

constexpr std::chrono::milliseconds kFirstShown(1'000);
constexpr std::chrono::milliseconds kRefresh(200);

void Rewrite(absl::string_view line) {
  const std::string text = absl::StrCat("\r\033[K", line);
  fwrite(text.data(), 1, text.size(), stderr);
  fflush(stderr);
}

}  // namespace

std::string DescribeSpeed(Duration simulated, uint64_t events,
                          double real_seconds) {
  const double seconds = real_seconds > 0 ? real_seconds : 1e-9;
  const double per_second = static_cast<double>(events) / seconds;
  const double ratio = static_cast<double>(simulated.nanos()) / 1e9 / seconds;
  return absl::StrFormat(
      "%.*fx real time, %.*f %s events/s", ratio < 10 ? 1 : 0, ratio,
      per_second < 1e7 ? 1 : 0,
      per_second >= 1e6 ? per_second / 1e6 : per_second / 1e3,
      per_second >= 1e6 ? "million" : "thousand");
}

ProgressLine::ProgressLine(absl::string_view name, bool wanted)
    : name_(name),
      wanted_(wanted && ErrorIsTerminal()),
      begin_(Clock::now()),
      last_shown_(begin_) {}

void ProgressLine::Update(const RunProgress& progress) {
  if (!wanted_) return;
  const Clock::time_point now = Clock::now();
  if (now - begin_ < kFirstShown || now - last_shown_ < kRefresh) return;
  last_shown_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const int64_t total = progress.total.nanos();
  Rewrite(absl::StrFormat(
      "%s  %d %%  %s of %s  %s", name_,
      total == 0 ? 100 : progress.simulated.nanos() / (total / 100 + 1),
      ToString(progress.simulated), ToString(progress.total),
      DescribeSpeed(progress.simulated, progress.events, seconds)));
}

void ProgressLine::Finish(Duration simulated, uint64_t events) {
  if (!shown_) return;
  const double seconds =
      std::chrono::duration<double>(Clock::now() - begin_).count();
  Rewrite(absl::StrFormat("%s  %s in %.1f s  %s\n", name_, ToString(simulated),
                          seconds, DescribeSpeed(simulated, events, seconds)));
}

}  // namespace groupsim
