#include "scenarios/reader/traffic_rules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

constexpr int64_t kMostZipfKeys = 1'000'000;
// Entries of both tables by default.
constexpr int kUsualEntries = 7;

std::optional<Duration> Parsed(const std::string& text) {
  const absl::StatusOr<Duration> duration = ParseDuration(text);
  return duration.ok() ? std::optional<Duration>(*duration) : std::nullopt;
}

void CheckPoints(const schema::Recorded& recorded, const std::string& path,
                 bool daily, Judge& judge) {
  std::optional<Duration> before;
  for (int i = 0; i < recorded.point_size(); ++i) {
    const std::string at = FieldPath(FieldPath(path, "point", i), "time");
    const std::optional<Duration> time = Parsed(recorded.point(i).time());
    if (!time.has_value()) continue;
    if (before.has_value() && *time <= *before) {
      judge.Value(at, absl::StrCat("the times of the points must rise; ",
                                   recorded.point(i).time(), " comes after ",
                                   recorded.point(i - 1).time()));
      return;
    }
    if (daily && *time >= Duration(24h)) {
      judge.Value(at, absl::StrCat("time ", recorded.point(i).time(),
                                   " must lie within a day, below 1d"));
      return;
    }
    before = time;
  }
}

void CheckRate(const schema::Rate& rate, const std::string& path,
               Judge& judge) {
  if (rate.has_step()) {
    CheckPoints(rate.step(), FieldPath(path, "step"), /*daily=*/false, judge);
  } else if (rate.has_daily()) {
    CheckPoints(rate.daily(), FieldPath(path, "daily"), /*daily=*/true, judge);
  } else if (rate.has_recorded()) {
    CheckPoints(rate.recorded(), FieldPath(path, "recorded"), /*daily=*/false,
                judge);
  }
}

void CheckFaultTables(const schema::ProducerSettings& settings,
                      const std::string& path, Judge& judge) {
  const int latencies = settings.latency_max_size();
  const int durations = settings.not_available_duration_size();
  const int have = latencies > 0 ? latencies : kUsualEntries;
  const int want = durations > 0 ? durations : kUsualEntries;
  if (have != want) {
    judge.Value(
        FieldPath(path,
                  latencies > 0 ? "latency_max" : "not_available_duration", 0),
        absl::StrCat("latency_max has ", have,
                     " times and not_available_duration ", want,
                     "; both must have as many"));
    return;
  }
  for (int i = 1; i < latencies; ++i) {
    const std::optional<Duration> before = Parsed(settings.latency_max(i - 1));
    const std::optional<Duration> time = Parsed(settings.latency_max(i));
    if (!before.has_value() || !time.has_value() || *before < *time) continue;
    judge.Value(FieldPath(path, "latency_max", i),
                absl::StrCat("the times of latency_max must rise; ",
                             settings.latency_max(i), " comes after ",
                             settings.latency_max(i - 1)));
    return;
  }
}

void CheckProducer(const schema::Producer& producer, const std::string& path,
                   Judge& judge) {
  CheckRate(producer.rate(), FieldPath(path, "rate"), judge);
  CheckFaultTables(producer.settings(), FieldPath(path, "settings"), judge);
  if (producer.key().has_zipf() && producer.key().keys() > kMostZipfKeys) {
    judge.Value(FieldPath(FieldPath(path, "key"), "keys"),
                absl::StrCat("keys ", producer.key().keys(),
                             " are too many for zipf; at most ", kMostZipfKeys,
                             " are allowed"));
  }
  std::vector<std::string> ways;
  if (producer.has_queues()) ways.emplace_back("queues");
  if (producer.random_queue()) ways.emplace_back("random_queue");
  if (producer.key().selects_queue()) ways.emplace_back("key.selects_queue");
  if (ways.size() > 1) {
    judge.Name(path, absl::StrCat("only one of ", absl::StrJoin(ways, " and "),
                                  " can choose the queue"));
  }
}

}  // namespace

void CheckTraffic(const Scenario& scenario, Judge& judge) {
  for (int i = 0; i < scenario.producer_size(); ++i) {
    CheckProducer(scenario.producer(i), FieldPath("", "producer", i), judge);
  }
  for (int i = 0; i < scenario.at_size(); ++i) {
    if (!scenario.at(i).has_change_rate()) continue;
    CheckRate(
        scenario.at(i).change_rate().rate(),
        FieldPath(FieldPath(FieldPath("", "at", i), "change_rate"), "rate"),
        judge);
  }
}

}  // namespace groupsim
