#include "scenarios/reader/traffic_rules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/client/settings.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

constexpr int64_t kMostZipfKeys = 1'000'000;

void CheckPoints(const schema::Recorded& recorded, const std::string& path,
                 bool daily, Judge& judge) {
  std::optional<Duration> before;
  for (int i = 0; i < recorded.point_size(); ++i) {
    const std::string at = FieldPath(FieldPath(path, "point", i), "time");
    const std::optional<Duration> time = DurationOf(recorded.point(i).time());
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

// Both tables of the latency-fault strategy, as the producer wants them.
void CheckFaultTables(const schema::ProducerSettings& settings,
                      const std::string& path, Judge& judge) {
  ProducerSettings made;
  const auto read = [](const auto& texts, std::vector<Duration>& times) {
    if (texts.empty()) return;
    times.clear();
    for (const std::string& text : texts) {
      times.push_back(DurationOr(text, Duration::Zero()));
    }
  };
  read(settings.latency_max(), made.latency_max);
  read(settings.not_available_duration(), made.not_available_duration);
  const std::string at =
      FieldPath(path,
                settings.latency_max_size() > 0 ? "latency_max"
                                                : "not_available_duration",
                0);
  // Times that cannot be read have been told.
  if (judge.HasFindingWithin(FieldPath(path, "latency_max")) ||
      judge.HasFindingWithin(FieldPath(path, "not_available_duration"))) {
    return;
  }
  const absl::Status valid = Validate(made);
  if (!valid.ok()) judge.Value(at, std::string(valid.message()));
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
  // What is not for a hot queue goes another of these ways, but not this one.
  if (producer.has_queues() && producer.has_hot_queue()) {
    ways.emplace_back("hot_queue");
  }
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
