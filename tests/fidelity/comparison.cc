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

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace groupsim {
namespace {

constexpr double kWidening = 0.10;
constexpr double kLeastWideningMs = 150;

// A share of runs that counts as one of the things that happen.
constexpr double kSome = 0.2;

// So many starts of consumers are lines of their own.
constexpr size_t kStartsApart = 6;

double Widening(double value, double least) {
  return std::max(kWidening * std::abs(value), least);
}

Spread SpreadOf(const std::vector<double>& values, double least_widening) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {*least, *most, least_widening};
}

bool AllIn(const Spread& spread, const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&spread](double value) { return spread.Admits(value); });
}

double MedianOf(const std::vector<double>& sorted) {
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle]
                                : (sorted[middle - 1] + sorted[middle]) / 2;
}

Compared CompareOne(const Quantity& quantity, std::vector<double> recorded,
                    std::vector<double> simulated, double least_widening) {
  Compared result;
  result.quantity = quantity;
  std::sort(simulated.begin(), simulated.end());
  result.recorded_spread = SpreadOf(recorded, least_widening);
  result.simulated_spread = SpreadOf(simulated, least_widening);
  result.median = MedianOf(simulated);
  for (const double value : simulated) {
    if (result.recorded_spread.Admits(value)) ++result.simulated_inside;
  }
  if (AllIn(result.simulated_spread, recorded)) {
    const bool phase =
        result.simulated_spread.most - result.simulated_spread.least >
        Widening(result.median, least_widening);
    if (result.recorded_spread.Admits(result.median)) {
      result.verdict = Verdict::kWithin;
    } else if (phase && static_cast<double>(result.simulated_inside) >=
                            kSome * static_cast<double>(simulated.size())) {
      result.verdict = Verdict::kWithinByPhase;
    }
  }
  result.recorded = std::move(recorded);
  result.simulated = std::move(simulated);
  return result;
}

std::vector<std::string> SharesOf(const Observation& run,
                                  const std::string& consumer) {
  const auto it = run.allocations.find(consumer);
  return it == run.allocations.end() ? std::vector<std::string>() : it->second;
}

ComparedShares CompareShares(const std::string& consumer,
                             const std::vector<Observation>& recorded,
                             const std::vector<Observation>& simulated) {
  std::set<std::vector<std::string>> known;
  for (const Observation& run : recorded) {
    known.insert(SharesOf(run, consumer));
  }
  ComparedShares result;
  result.consumer = consumer;
  std::set<std::vector<std::string>> seen;
  for (const Observation& run : simulated) {
    const std::vector<std::string> shares = SharesOf(run, consumer);
    seen.insert(shares);
    if (known.contains(shares)) {
      ++result.as_recorded;
    } else if (result.words.empty()) {
      result.words = absl::StrCat(
          "with seed ", run.seed, ": ", absl::StrJoin(shares, " -> "),
          "; recorded: ", absl::StrJoin(*known.begin(), " -> "));
    }
  }
  const bool all_seen = std::all_of(
      known.begin(), known.end(),
      [&seen](const auto& shares) { return seen.contains(shares); });
  if (result.as_recorded == simulated.size()) {
    result.verdict = Verdict::kWithin;
  } else if (all_seen && static_cast<double>(result.as_recorded) >=
                             kSome * static_cast<double>(simulated.size())) {
    result.verdict = Verdict::kWithinByPhase;
  }
  return result;
}

const char* NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kWithin:
      return "within";
    case Verdict::kWithinByPhase:
      return "within by phase";
    case Verdict::kOutside:
      break;
  }
  return "OUTSIDE";
}

}  // namespace

bool Spread::Admits(double value) const {
  return value >= least - Widening(least, least_widening) &&
         value <= most + Widening(most, least_widening);
}

bool Compared::judged() const {
  return quantity.what != "notice" && quantity.what != "retry queue owned";
}

Verdict Comparison::Line::verdict() const {
  Verdict worst = Verdict::kWithin;
  for (const Compared* value : values) worst = std::max(worst, value->verdict);
  return worst;
}

Comparison Compare(const Recording& recording, const Script& script,
                   const std::vector<Observation>& observations) {
  Comparison comparison;
  comparison.recording = recording.name;
  comparison.title = script.title();
  comparison.recorded_runs = recording.runs.size();
  comparison.simulated_runs = observations.size();
  std::map<std::string, int> times;
  for (const ScriptAction& action : script.actions()) {
    const int time = ++times[absl::StrCat(action.subject, " ", action.verb)];
    if (action.verb == "starts" && !action.of_broker) ++comparison.starts;
    for (const std::string& scope : script.ScopesOf(action.subject)) {
      comparison.actions.push_back(
          script.LabelOf(scope, action.subject, action.verb, time));
    }
  }
  std::set<std::string> consumers;
  for (const Observation& run : recording.runs) {
    comparison.recorded_stale += run.stale.size();
    for (const auto& [consumer, shares] : run.allocations) {
      consumers.insert(consumer);
    }
  }
  for (const std::string& consumer : consumers) {
    comparison.shares.push_back(
        CompareShares(consumer, recording.runs, observations));
  }

  std::map<Quantity, std::vector<double>> simulated;
  for (const Observation& observation : observations) {
    comparison.simulated_stale += observation.stale.size();
    for (const auto& [quantity, value] : observation.values) {
      simulated[quantity].push_back(value);
    }
  }
  const double some = kSome * static_cast<double>(observations.size());
  const double count_widening =
      std::max(2.0, script.MessagesOfOneQueue(kLeastWideningMs));
  std::set<std::string> recorded_kinds;
  for (const auto& [quantity, runs] : recording.Values()) {
    recorded_kinds.insert(quantity.what);
    std::vector<double> recorded;
    for (const std::optional<double>& value : runs) {
      if (value.has_value()) {
        recorded.push_back(*value);
      } else if (quantity.IsCount()) {
        recorded.push_back(0);
      }
    }
    std::vector<double>& values = simulated[quantity];
    if (quantity.IsCount()) values.resize(observations.size(), 0);
    if (values.empty() || (recorded.size() == recording.runs.size() &&
                           static_cast<double>(values.size()) < some)) {
      comparison.one_sided.push_back(absl::StrCat(
          quantity.after, ": ", quantity.what, " ", quantity.subject, " in ",
          recorded.size(), " recorded runs, but in ", values.size(),
          " simulated ones"));
      continue;
    }
    comparison.values.push_back(
        CompareOne(quantity, std::move(recorded), values,
                   quantity.IsCount() ? count_widening : kLeastWideningMs));
  }
  const std::map<Quantity, std::vector<std::optional<double>>> recorded =
      recording.Values();
  for (const auto& [quantity, values] : simulated) {
    if (recorded.contains(quantity) ||
        (quantity.IsCount() && !recorded_kinds.contains(quantity.what))) {
      continue;
    }
    // What most runs have, a recorded one should have.
    if (2 * values.size() <= observations.size()) continue;
    comparison.one_sided.push_back(absl::StrCat(
        quantity.after, ": ", quantity.what, " ", quantity.subject, " in ",
        values.size(), " simulated runs, but in no recorded one"));
  }
  return comparison;
}

std::vector<Comparison::Line> Comparison::Lines() const {
  // Many starts of the same kind are one line.
  const auto is_start = [](const std::string& after) {
    return absl::EndsWith(after, " starts") && !absl::StrContains(after, ",");
  };
  const bool together =
      static_cast<size_t>(std::count_if(actions.begin(), actions.end(),
                                        is_start)) > kStartsApart;
  std::vector<Line> lines;
  std::map<std::string, size_t> places;
  const auto add = [&](const Compared& value) {
    const std::string after = together && is_start(value.quantity.after)
                                  ? "each start"
                                  : value.quantity.after;
    const std::string name = absl::StrCat(after, ": ", value.quantity.what);
    const auto [it, is_new] = places.try_emplace(name, lines.size());
    if (is_new) lines.push_back({name, {}});
    lines[it->second].values.push_back(&value);
  };
  std::vector<std::string> order = actions;
  order.push_back("whole run");
  std::set<std::string> done;
  for (const std::string& action : order) {
    if (!done.insert(action).second) continue;
    for (const Compared& value : values) {
      if (value.quantity.after == action) add(value);
    }
  }
  for (const Compared& value : values) {
    if (!done.contains(value.quantity.after)) add(value);
  }
  return lines;
}

std::vector<std::string> Comparison::Outside() const {
  std::vector<std::string> outside;
  for (const ComparedShares& share : shares) {
    if (share.verdict != Verdict::kOutside) continue;
    outside.push_back(absl::StrCat("allocations of ", share.consumer));
  }
  for (const Line& line : Lines()) {
    if (line.judged() && line.verdict() == Verdict::kOutside) {
      outside.push_back(line.name);
    }
  }
  outside.insert(outside.end(), one_sided.begin(), one_sided.end());
  outside.insert(outside.end(), not_played.begin(), not_played.end());
  return outside;
}

namespace {

// The subjects of a line together.
Compared Together(const Comparison::Line& line) {
  std::vector<double> recorded;
  std::vector<double> simulated;
  for (const Compared* value : line.values) {
    recorded.insert(recorded.end(), value->recorded.begin(),
                    value->recorded.end());
    simulated.insert(simulated.end(), value->simulated.begin(),
                     value->simulated.end());
  }
  return CompareOne(line.values.front()->quantity, std::move(recorded),
                    std::move(simulated), 0);
}

size_t InsideOf(const Comparison::Line& line) {
  size_t inside = 0;
  for (const Compared* value : line.values) inside += value->simulated_inside;
  return inside;
}

}  // namespace

std::string Comparison::Table() const {
  std::string table = absl::StrFormat(
      "%s: %s\n%d recorded runs, %d simulated ones; milliseconds and counts\n"
      "  %-48s %8s  %21s  %32s  %11s\n",
      recording, title, recorded_runs, simulated_runs, "", "subjects",
      "recorded", "simulated median (spread)", "runs inside");
  for (const Line& line : Lines()) {
    const Compared all = Together(line);
    absl::StrAppendFormat(
        &table,
        "  %-48s %8d  %9.1f..%10.1f  %10.1f (%9.1f..%9.1f)  %5d/%5d  %s\n",
        line.name, line.values.size(), all.recorded_spread.least,
        all.recorded_spread.most, all.median, all.simulated_spread.least,
        all.simulated_spread.most, InsideOf(line), all.simulated.size(),
        line.judged() ? NameOf(line.verdict()) : "(not judged)");
    for (const Compared* value : line.values) {
      if (value->verdict != Verdict::kOutside) continue;
      absl::StrAppendFormat(
          &table, "      %s: recorded %s, simulated %.1f (%.1f..%.1f)\n",
          value->quantity.subject, absl::StrJoin(value->recorded, " "),
          value->median, value->simulated_spread.least,
          value->simulated_spread.most);
    }
  }
  for (const ComparedShares& share : shares) {
    absl::StrAppendFormat(&table, "  %-48s %s in %d of %d simulated runs: %s\n",
                          absl::StrCat("allocations of ", share.consumer),
                          "as recorded", share.as_recorded, simulated_runs,
                          NameOf(share.verdict));
    if (!share.words.empty()) {
      absl::StrAppend(&table, "      ", share.words, "\n");
    }
  }
  absl::StrAppendFormat(
      &table, "  stale subscriptions: %d of %d starts, recorded %d of %d\n",
      simulated_stale, starts * simulated_runs, recorded_stale,
      starts * recorded_runs);
  for (const std::string& words : one_sided) {
    absl::StrAppend(&table, "      OUTSIDE: ", words, "\n");
  }
  for (const std::string& words : not_played) {
    absl::StrAppend(&table, "      NOT PLAYED: ", words, "\n");
  }
  return table;
}

std::string Comparison::Markdown() const {
  std::string rows;
  size_t identical = 0;
  for (const ComparedShares& share : shares) {
    if (share.verdict == Verdict::kWithin) ++identical;
  }
  absl::StrAppendFormat(
      &rows, "| %s | sequences of allocations | | %d of %d identical | %s |\n",
      recording, identical, shares.size(),
      std::all_of(shares.begin(), shares.end(),
                  [](const ComparedShares& share) {
                    return share.verdict != Verdict::kOutside;
                  })
          ? identical == shares.size() ? "within" : "within by phase"
          : "OUTSIDE");
  size_t equal = 0;
  for (const Line& line : Lines()) {
    const Compared all = Together(line);
    if (!line.judged()) continue;
    if (all.recorded_spread.least == all.recorded_spread.most &&
        all.simulated_spread.least == all.recorded_spread.least &&
        all.simulated_spread.most == all.recorded_spread.least) {
      ++equal;
      continue;
    }
    absl::StrAppendFormat(
        &rows, "| %s | %s | %.0f..%.0f | %.0f (%.0f..%.0f) | %s |\n", recording,
        line.name, all.recorded_spread.least, all.recorded_spread.most,
        all.median, all.simulated_spread.least, all.simulated_spread.most,
        NameOf(line.verdict()));
  }
  if (equal > 0) {
    absl::StrAppendFormat(
        &rows, "| %s | whole run: %d numbers more | | all equal | within |\n",
        recording, equal);
  }
  for (const std::string& words : one_sided) {
    absl::StrAppend(&rows, "| ", recording, " | ", words, " | | | OUTSIDE |\n");
  }
  for (const std::string& words : not_played) {
    absl::StrAppend(&rows, "| ", recording, " | not played: ", words,
                    " | | | OUTSIDE |\n");
  }
  return rows;
}

}  // namespace groupsim
