#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "scenarios/runner/readable.h"
#include "tools/cli/comparison.h"
#include "tools/cli/csv.h"

namespace groupsim {
namespace {

std::string Readable(double value, const std::string& unit) {
  if (unit == "ratio") return absl::StrFormat("%.3f", value);
  if (unit == "seconds") return ReadableTime(value);
  if (unit == "bytes") {
    return ReadableBytes(static_cast<int64_t>(std::llround(value)));
  }
  if (value == std::floor(value) && std::fabs(value) < 1e15) {
    return ReadableCount(static_cast<int64_t>(value));
  }
  return ReadableAmount(value);
}

// Without a unit that the other end of the range has as well.
std::string RangeOf(const MetricSpread& spread, const std::string& unit) {
  std::string low = Readable(spread.lowest, unit);
  const std::string high = Readable(spread.highest, unit);
  if (low == high) return "";
  const size_t space = low.rfind(' ');
  if (space != std::string::npos &&
      absl::EndsWith(high, absl::string_view(low).substr(space))) {
    low.resize(space);
  }
  return absl::StrCat(low, "..", high);
}

using Cells = std::vector<std::string>;

// Columns in line, the first one to the left, the others to the right.
std::string Table(const std::vector<Cells>& rows) {
  std::vector<size_t> widths;
  for (const Cells& cells : rows) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], cells[i].size());
    }
  }
  std::string text;
  for (const Cells& cells : rows) {
    std::string line = "   ";
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string space(widths[i] - cells[i].size(), ' ');
      absl::StrAppend(&line, i == 0 ? " " : "   ", i == 0 ? "" : space,
                      cells[i], i == 0 ? space : "");
    }
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

std::string TableOfGroup(const Comparison& comparison,
                         const std::string& group) {
  std::vector<Cells> rows(1);
  rows[0].push_back("");
  for (const ComparedMetric& metric : comparison.metrics) {
    rows[0].push_back(metric.heading);
  }
  rows[0].push_back("passed");
  for (const ComparisonRow& row : comparison.rows) {
    if (row.group != group) continue;
    Cells medians = {row.variant};
    Cells ranges = {""};
    bool any_range = false;
    for (size_t i = 0; i < row.metrics.size(); ++i) {
      const MetricSpread& spread = row.metrics[i];
      const std::string& unit = comparison.metrics[i].unit;
      medians.push_back(spread.runs == 0 ? "-" : Readable(spread.median, unit));
      ranges.push_back(spread.runs == 0 ? "" : RangeOf(spread, unit));
      any_range = any_range || !ranges.back().empty();
    }
    medians.push_back(absl::StrCat(row.passed, " of ", row.runs));
    rows.push_back(std::move(medians));
    if (any_range) rows.push_back(std::move(ranges));
  }
  return Table(rows);
}

// The groups in the order of their first rows.
std::vector<std::string> GroupsOf(const Comparison& comparison) {
  std::vector<std::string> groups;
  for (const ComparisonRow& row : comparison.rows) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) {
      groups.push_back(row.group);
    }
  }
  return groups;
}

// The variants with the same reason stand together.
std::string LeftOutText(const Comparison& comparison) {
  constexpr size_t kWidth = 96;
  std::string text;
  std::set<std::string> told;
  for (const LeftOut& first : comparison.left_out) {
    if (!told.insert(first.why).second) continue;
    absl::StrAppend(&text, text.empty() ? "\n  left out:\n" : "", "    ",
                    first.why, "\n");
    std::string line;
    for (const LeftOut& other : comparison.left_out) {
      if (other.why != first.why) continue;
      if (!line.empty() && line.size() + other.variant.size() > kWidth) {
        absl::StrAppend(&text, "      ", line, "\n");
        line.clear();
      }
      absl::StrAppend(&line, line.empty() ? "" : ", ", other.variant);
    }
    absl::StrAppend(&text, "      ", line, "\n");
  }
  return text;
}

std::string ReplacedText(const Comparison& comparison) {
  if (comparison.replaced.empty()) return "";
  return absl::StrCat(
      "\n  in place of the strategies that they have of their "
      "own: ",
      absl::StrJoin(comparison.replaced, ", "), "\n");
}

}  // namespace

std::string ComparisonText(const Comparison& comparison) {
  const bool several = comparison.seeds.last > comparison.seeds.first;
  std::string text =
      absl::StrCat(comparison.scenario, "   ",
                   several ? absl::StrCat("seeds ", comparison.seeds.first,
                                          " to ", comparison.seeds.last)
                           : absl::StrCat("seed ", comparison.seeds.first),
                   "   ", comparison.duration, " simulated each\n");
  for (const std::string& group : GroupsOf(comparison)) {
    absl::StrAppend(
        &text, "\n  group ", group,
        several ? ": median over the seeds, below it lowest..highest" : "",
        "\n\n", TableOfGroup(comparison, group));
  }
  return absl::StrCat(text, ReplacedText(comparison), LeftOutText(comparison));
}

std::string ComparisonJson(const Comparison& comparison) {
  nlohmann::ordered_json all;
  all["schema_version"] = 1;
  all["scenario"] = comparison.scenario;
  all["first_seed"] = comparison.seeds.first;
  all["last_seed"] = comparison.seeds.last;
  all["rows"] = nlohmann::ordered_json::array();
  for (const ComparisonRow& row : comparison.rows) {
    nlohmann::ordered_json item;
    item["variant"] = row.variant;
    item["group"] = row.group;
    item["runs"] = row.runs;
    item["passed"] = row.passed;
    for (size_t i = 0; i < row.metrics.size(); ++i) {
      const MetricSpread& spread = row.metrics[i];
      nlohmann::ordered_json metric;
      metric["unit"] = comparison.metrics[i].unit;
      metric["runs"] = spread.runs;
      if (spread.runs > 0) {
        metric["median"] = spread.median;
        metric["lowest"] = spread.lowest;
        metric["highest"] = spread.highest;
      }
      item["metrics"][comparison.metrics[i].field->name()] = std::move(metric);
    }
    all["rows"].push_back(std::move(item));
  }
  all["replaced_strategies_of"] = comparison.replaced;
  all["left_out"] = nlohmann::ordered_json::array();
  for (const LeftOut& left_out : comparison.left_out) {
    all["left_out"].push_back(
        {{"variant", left_out.variant}, {"why", left_out.why}});
  }
  return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

std::string ComparisonCsv(const Comparison& comparison) {
  std::string text = "variant,group,runs,passed";
  for (const ComparedMetric& metric : comparison.metrics) {
    for (const char* part : {"median", "lowest", "highest"}) {
      absl::StrAppend(&text, ",", metric.field->name(), "_", part);
    }
  }
  text += "\n";
  for (const ComparisonRow& row : comparison.rows) {
    absl::StrAppend(&text, CsvField(row.variant), ",", CsvField(row.group), ",",
                    row.runs, ",", row.passed);
    for (const MetricSpread& spread : row.metrics) {
      for (const double value :
           {spread.median, spread.lowest, spread.highest}) {
        absl::StrAppend(&text, ",", spread.runs == 0 ? "" : CsvField(value));
      }
    }
    text += "\n";
  }
  return text;
}

}  // namespace groupsim
