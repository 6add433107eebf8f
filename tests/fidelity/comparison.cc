#include "tests/fidelity/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace groupsim {
namespace {

constexpr double kWidening = 0.10;
constexpr double kLeastWideningMs = 150;

double Widening(double ms) {
  return std::max(kWidening * std::abs(ms), kLeastWideningMs);
}

Spread SpreadOf(const std::vector<double>& ms) {
  const auto [least, most] = std::minmax_element(ms.begin(), ms.end());
  return {*least, *most};
}

std::string Words(const Quantity& quantity) {
  return absl::StrCat(quantity.after, ": ", quantity.what, " ",
                      quantity.subject);
}

ComparedTime CompareOne(const Quantity& quantity, std::vector<double> recorded,
                        std::vector<double> simulated) {
  ComparedTime time;
  time.quantity = quantity;
  std::sort(simulated.begin(), simulated.end());
  time.recorded_spread = SpreadOf(recorded);
  time.simulated_spread = SpreadOf(simulated);
  const size_t middle = simulated.size() / 2;
  time.median = simulated.size() % 2 == 1
                    ? simulated[middle]
                    : (simulated[middle - 1] + simulated[middle]) / 2;
  time.median_inside = time.recorded_spread.Admits(time.median);
  for (const double ms : simulated) {
    if (time.recorded_spread.Admits(ms)) ++time.simulated_inside;
  }
  time.all_recorded_inside = std::all_of(
      recorded.begin(), recorded.end(),
      [&time](double ms) { return time.simulated_spread.Admits(ms); });
  time.recorded = std::move(recorded);
  time.simulated = std::move(simulated);
  return time;
}

void CompareAllocations(const Recording& recording,
                        const std::vector<Observation>& observations,
                        Comparison& comparison) {
  for (const auto& [consumer, runs] : recording.allocations) {
    for (const Observation& observation : observations) {
      const auto it = observation.allocations.find(consumer);
      const std::vector<std::string> simulated =
          it == observation.allocations.end() ? std::vector<std::string>()
                                              : it->second;
      if (std::find(runs.begin(), runs.end(), simulated) != runs.end()) {
        continue;
      }
      comparison.other_allocations.push_back(
          absl::StrCat(consumer, " with seed ", observation.seed, ": ",
                       absl::StrJoin(simulated, " -> "),
                       "; recorded: ", absl::StrJoin(runs.front(), " -> ")));
    }
  }
}

}  // namespace

bool Spread::Admits(double ms) const {
  return ms >= least - Widening(least) && ms <= most + Widening(most);
}

bool Comparison::ok() const {
  return other_allocations.empty() && one_sided.empty() &&
         std::all_of(times.begin(), times.end(), [](const ComparedTime& time) {
           return !time.judged() || time.ok();
         });
}

Comparison Compare(const Recording& recording,
                   const std::vector<Observation>& observations) {
  Comparison comparison;
  comparison.recording = recording.name;
  comparison.recorded_runs = recording.runs;
  comparison.simulated_runs = observations.size();
  CompareAllocations(recording, observations, comparison);

  std::map<Quantity, std::vector<double>> simulated;
  for (const Observation& observation : observations) {
    for (const auto& [quantity, ms] : observation.ms) {
      simulated[quantity].push_back(ms);
    }
    comparison.stale += observation.stale.size();
    comparison.consumers += recording.allocations.size();
  }
  for (const auto& [quantity, runs] : recording.ms) {
    std::vector<double> recorded;
    for (const std::optional<double>& ms : runs) {
      if (ms.has_value()) recorded.push_back(*ms);
    }
    const auto it = simulated.find(quantity);
    if (it == simulated.end() || recorded.empty()) {
      comparison.one_sided.push_back(Words(quantity));
      continue;
    }
    comparison.times.push_back(
        CompareOne(quantity, std::move(recorded), it->second));
  }
  for (const auto& [quantity, ms] : simulated) {
    if (!recording.ms.contains(quantity)) {
      comparison.one_sided.push_back(absl::StrCat(
          Words(quantity), " (", ms.size(), " simulated runs only)"));
    }
  }
  return comparison;
}

std::string Comparison::Table() const {
  std::string table = absl::StrFormat(
      "%s: %d recorded runs, %d simulated ones; milliseconds\n"
      "  %-42s %8s  %19s  %28s  %10s\n",
      recording, recorded_runs, simulated_runs, "", "subjects", "recorded",
      "simulated median (spread)", "runs inside");
  struct Line {
    std::vector<double> recorded;
    std::vector<double> simulated;
    size_t subjects = 0;
    size_t inside = 0;
    std::vector<std::string> outside;
  };
  std::map<std::pair<std::string, std::string>, Line> lines;
  for (const ComparedTime& time : times) {
    Line& line = lines[{time.quantity.after, time.quantity.what}];
    line.recorded.insert(line.recorded.end(), time.recorded.begin(),
                         time.recorded.end());
    line.simulated.insert(line.simulated.end(), time.simulated.begin(),
                          time.simulated.end());
    ++line.subjects;
    line.inside += time.simulated_inside;
    if (!time.ok()) {
      line.outside.push_back(absl::StrFormat(
          "%s: recorded %s, simulated %.1f (%.1f..%.1f)", time.quantity.subject,
          absl::StrJoin(time.recorded, " "), time.median,
          time.simulated_spread.least, time.simulated_spread.most));
    }
  }
  for (auto& [name, line] : lines) {
    const ComparedTime all =
        CompareOne({name.first, name.second, ""}, line.recorded,
                   std::move(line.simulated));
    absl::StrAppendFormat(
        &table,
        "  %-42s %8d  %8.1f..%9.1f  %8.1f (%8.1f..%8.1f)  %4d/%4d  %s\n",
        absl::StrCat(name.first, ": ", name.second), line.subjects,
        all.recorded_spread.least, all.recorded_spread.most, all.median,
        all.simulated_spread.least, all.simulated_spread.most, line.inside,
        all.simulated.size(),
        !all.judged()          ? "(not judged)"
        : line.outside.empty() ? "inside"
                               : "OUTSIDE");
    for (const std::string& outside : line.outside) {
      absl::StrAppend(&table, "      ", outside, "\n");
    }
  }
  absl::StrAppendFormat(&table,
                        "  allocations: %d of %d consumers as recorded\n",
                        consumers - other_allocations.size(), consumers);
  for (const std::string& other : other_allocations) {
    absl::StrAppend(&table, "      ", other, "\n");
  }
  absl::StrAppendFormat(&table, "  stale subscriptions: %d of %d starts\n",
                        stale, consumers);
  for (const std::string& words : one_sided) {
    absl::StrAppend(&table, "      only on one side: ", words, "\n");
  }
  return table;
}

}  // namespace groupsim
