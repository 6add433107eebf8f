#include "tools/cli/comparison.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "model/base/check.h"
#include "scenarios/expect/metric_check.h"
#include "scenarios/reader/finding.h"
#include "scenarios/schema/group.pb.h"
#include "scenarios/schema/rule.pb.h"
#include "scenarios/strategies/strategy_of.h"

namespace groupsim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

absl::Status Wrong(std::string message) {
  return absl::InvalidArgumentError(std::move(message));
}

// The parts of `text` between separators that stand in no quotes, brackets or
// braces.
std::vector<std::string> SplitOutside(absl::string_view text, char separator,
                                      size_t most_parts = SIZE_MAX) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\' && i + 1 < text.size()) {
        parts.back() += c;
        parts.back() += text[++i];
        continue;
      }
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == separator && depth <= 0 && parts.size() < most_parts) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

ComparedMetric MetricOf(const FieldDescriptor& field, std::string heading) {
  return {.field = &field,
          .heading = std::move(heading),
          .unit = field.options().GetExtension(metric).unit()};
}

}  // namespace

absl::StatusOr<std::vector<Variant>> VariantsOfField(absl::string_view text) {
  const std::vector<std::string> halves = SplitOutside(text, '=', 2);
  if (halves.size() != 2 || halves[0].empty() || halves[1].empty()) {
    return Wrong(absl::StrCat(
        "--vary must be PATH=v1,v2, such as group[0].consumer[0].count=4,8, "
        "not ",
        Quote(text)));
  }
  std::vector<Variant> variants;
  for (const std::string& value : SplitOutside(halves[1], ',')) {
    const std::string setting = absl::StrCat(halves[0], "=", value);
    variants.push_back({setting, {setting}});
  }
  return variants;
}

StrategyPlaces StrategyPlacesOf(const Scenario& scenario) {
  StrategyPlaces places;
  for (int g = 0; g < scenario.group_size(); ++g) {
    const schema::Group& group = scenario.group(g);
    places.fields.push_back(absl::StrCat("group[", g, "].strategy"));
    for (int c = 0; c < group.consumer_size(); ++c) {
      if (!group.consumer(c).has_strategy()) continue;
      places.fields.push_back(
          absl::StrCat("group[", g, "].consumer[", c, "].strategy"));
      places.own.push_back(
          absl::StrCat(group.consumer(c).name(), " of group ", group.name()));
    }
  }
  return places;
}

absl::StatusOr<std::vector<Variant>> VariantsOfStrategies(
    absl::string_view text, const std::vector<std::string>& fields) {
  const Descriptor& type = *schema::Strategy::descriptor();
  std::vector<absl::string_view> known;
  for (int i = 0; i < type.field_count(); ++i) {
    known.push_back(type.field(i)->name());
  }
  std::vector<std::string> wanted;
  if (text == "all") {
    for (const absl::string_view name : known) wanted.emplace_back(name);
  } else {
    for (const absl::string_view part : absl::StrSplit(text, ',')) {
      wanted.push_back(absl::StrReplaceAll(part, {{"-", "_"}}));
    }
  }
  std::vector<Variant> variants;
  for (const std::string& name : wanted) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string hint = DidYouMean(NearestName(name, known));
      return Wrong(absl::StrCat(
          "no strategy ", Quote(name), "; ",
          hint.empty() ? absl::StrCat("there are ", absl::StrJoin(known, ", "))
                       : hint));
    }
    Variant variant;
    variant.name = name;
    variant.optional = text == "all";
    if (NeedsOnlyThePast(name)) {
      variant.name += " (what-if)";
      variant.what_if = name;
      variants.push_back(std::move(variant));
      continue;
    }
    for (const std::string& field : fields) {
      variant.settings.push_back(absl::StrCat(field, "={ ", name, " {} }"));
    }
    variants.push_back(std::move(variant));
  }
  return variants;
}

absl::StatusOr<std::vector<Variant>> Crossed(const std::vector<Variant>& a,
                                             const std::vector<Variant>& b) {
  if (a.size() * b.size() > kMostVariants) {
    return Wrong(absl::StrCat("there are ", a.size() * b.size(),
                              " variants; at most ", kMostVariants,
                              " can be compared"));
  }
  std::vector<Variant> variants;
  for (const Variant& first : a) {
    for (const Variant& second : b) {
      Variant variant = first;
      absl::StrAppend(&variant.name, variant.name.empty() ? "" : " ",
                      second.name);
      variant.settings.insert(variant.settings.end(), second.settings.begin(),
                              second.settings.end());
      if (!second.what_if.empty()) variant.what_if = second.what_if;
      variant.optional = first.optional || second.optional;
      variants.push_back(std::move(variant));
    }
  }
  return variants;
}

std::vector<ComparedMetric> UsualMetrics() {
  const std::pair<const char*, const char*> kUsual[] = {
      {"jain_time_weighted", "Jain"},
      {"queue_moves", "moves"},
      {"convergence_p99_seconds", "converged p99"},
      {"unowned_queue_seconds", "unowned q-s"},
      {"double_owned_queue_seconds", "owned twice q-s"},
      {"duplicates", "duplicates"},
      {"latency_p99_seconds", "latency p99"},
  };
  std::vector<ComparedMetric> metrics;
  for (const auto& [name, heading] : kUsual) {
    const FieldDescriptor* const field =
        Report::GroupMetrics::descriptor()->FindFieldByName(name);
    CHECK(field != nullptr) << name;
    metrics.push_back(MetricOf(*field, heading));
  }
  return metrics;
}

absl::StatusOr<std::vector<ComparedMetric>> MetricsNamed(
    absl::string_view text) {
  const Descriptor& type = *Report::GroupMetrics::descriptor();
  std::vector<ComparedMetric> metrics;
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    const FieldDescriptor* const field =
        type.FindFieldByName(std::string(name));
    if (field == nullptr) {
      std::vector<absl::string_view> known;
      for (int i = 0; i < type.field_count(); ++i) {
        known.push_back(type.field(i)->name());
      }
      const std::string hint = DidYouMean(NearestName(name, known));
      return Wrong(absl::StrCat(
          "no metric ", Quote(name), "; ",
          hint.empty() ? "groupsim list metrics names them" : hint));
    }
    metrics.push_back(MetricOf(*field, std::string(name)));
  }
  return metrics;
}

MetricSpread SpreadOf(std::vector<double> values) {
  MetricSpread spread;
  if (values.empty()) return spread;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  spread.runs = values.size();
  spread.lowest = values.front();
  spread.highest = values.back();
  spread.median = values.size() % 2 == 1
                      ? values[half]
                      : (values[half - 1] + values[half]) / 2;
  return spread;
}

void AddRows(const std::string& variant, const std::vector<Report>& reports,
             Comparison& comparison) {
  CHECK(!reports.empty());
  for (int group = 0; group < reports[0].groups_size(); ++group) {
    ComparisonRow row;
    row.variant = variant;
    row.group = reports[0].groups(group).name();
    row.runs = reports.size();
    for (const Report& report : reports) {
      if (report.verdict() == Report::PASSED) ++row.passed;
    }
    for (const ComparedMetric& compared : comparison.metrics) {
      std::vector<double> values;
      for (const Report& report : reports) {
        const std::optional<double> value = MetricByName(
            report.groups(group).metrics(), compared.field->name());
        if (value) values.push_back(*value);
      }
      row.metrics.push_back(SpreadOf(std::move(values)));
    }
    comparison.rows.push_back(std::move(row));
  }
}

}  // namespace groupsim
