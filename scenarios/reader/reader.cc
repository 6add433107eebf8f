#include "scenarios/reader/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "scenarios/reader/escapes.h"
#include "scenarios/reader/gathering.h"
#include "scenarios/reader/judge.h"
#include "scenarios/reader/meaning.h"
#include "scenarios/reader/rules.h"
#include "scenarios/reader/settings.h"

namespace groupsim {
namespace {

absl::Status SystemError() {
  return absl::Status(absl::ErrnoToStatusCode(errno), strerror(errno));
}

}  // namespace

absl::StatusOr<Source> LoadSource(const std::string& path) {
  // Not to wait where the file is a pipe without a writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return SystemError();
  }
  const absl::Cleanup close_file = [file] { close(file); };
  struct stat info;
  if (fstat(file, &info) != 0) {
    return SystemError();
  }
  if (S_ISDIR(info.st_mode)) {
    return absl::UnavailableError("this is a folder, not a file");
  }
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode) &&
      !S_ISCHR(info.st_mode)) {
    return absl::UnavailableError("this is not a file");
  }
  const int flags = fcntl(file, F_GETFL);
  if (flags >= 0) fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
  Source source;
  source.name = path;
  std::vector<char> buffer(64 * 1024);
  for (;;) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError();
    if (count == 0) return source;
    source.text.append(buffer.data(), static_cast<size_t>(count));
    if (source.text.size() > kLargestScenarioFile) {
      return absl::InvalidArgumentError(
          absl::StrCat("the file is larger than ", kLargestScenarioFile >> 20,
                       " MiB, the most that is read"));
    }
  }
}

void Reading::Warn(absl::string_view lint, const std::string& path,
                   std::string message, std::string hint) {
  const FieldPlaces::Place* place = places.Nearest(path);
  std::optional<Span> span;
  if (place != nullptr) span = place->name;
  if (allowances.Allow(lint, span, sources)) return;
  Finding finding = {.severity = Finding::Severity::kWarning,
                     .span = span,
                     .message = std::move(message),
                     .path = path,
                     .hint = std::move(hint),
                     .lint = std::string(lint)};
  findings.Add(std::move(finding));
}

void Reading::CheckAllowances(const std::vector<absl::string_view>& lints,
                              absl::string_view unused, std::string hint) {
  const auto warn = [&](const Allowance& allowance, absl::string_view lint,
                        std::string message, std::string remedy) {
    findings.Add({.severity = Finding::Severity::kWarning,
                  .span = allowance.span,
                  .message = std::move(message),
                  .hint = std::move(remedy),
                  .lint = std::string(lint)});
  };
  // Those that allow `unused` itself come last: these others may use them.
  std::vector<const Allowance*> idle;
  for (const Allowance& allowance : allowances.all()) {
    if (std::find(lints.begin(), lints.end(), allowance.lint) == lints.end()) {
      const absl::string_view nearest = NearestName(allowance.lint, lints);
      warn(allowance, "",
           absl::StrCat("there is no lint ", Quote(allowance.lint)),
           nearest.empty() ? "see groupsim list lints" : DidYouMean(nearest));
    } else if (!allowance.used && allowance.span.source == 0) {
      idle.push_back(&allowance);
    }
  }
  std::stable_partition(idle.begin(), idle.end(),
                        [unused](const Allowance* allowance) {
                          return allowance->lint != unused;
                        });
  for (const Allowance* allowance : idle) {
    if (allowance->used) continue;
    if (allowances.Allow(unused, allowance->span, sources)) continue;
    warn(*allowance, unused,
         absl::StrCat("there is nothing to allow: ", Quote(allowance->lint),
                      " does not warn here"),
         hint);
  }
}

Reading ReadScenario(const Source& source, ScenarioForm form,
                     const ReadOptions& options) {
  Reading reading;
  const bool whole = GatherScenario(source, form, options, reading);
  for (const std::string& setting : options.settings) {
    const int number =
        reading.sources.Add({.name = options.settings_name, .text = setting});
    if (!whole) continue;
    const size_t bad = FindBadUtf8(setting);
    if (bad != absl::string_view::npos) {
      reading.findings.Add({.span = Span{bad, bad + 1, number},
                            .message = "this byte is no UTF-8"});
      continue;
    }
    ApplySetting(reading.sources[number].text, number, reading.scenario,
                 reading.places, reading.findings);
  }
  if (!whole) return reading;
  Judge judge(reading.places, reading.findings);
  CheckRules(reading.scenario, judge);
  CompleteScenario(reading.scenario, judge);
  CheckMeaning(reading.scenario, judge);
  return reading;
}

Scenario ScenarioFromTextOrDie(absl::string_view text) {
  Reading reading = ReadScenario({.name = "", .text = std::string(text)},
                                 ScenarioForm::kText);
  CHECK(reading.ok()) << "\n" << reading.FormatFindings();
  return std::move(reading.scenario);
}

}  // namespace groupsim
