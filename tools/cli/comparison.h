// One scenario in several variants, each with the same seeds.
#ifndef GROUPSIM_TOOLS_CLI_COMPARISON_H_
#define GROUPSIM_TOOLS_CLI_COMPARISON_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "scenarios/schema/report.pb.h"
#include "scenarios/schema/scenario.pb.h"
#include "tools/cli/flags.h"

namespace groupsim {

// The scenario with some fields set.
struct Variant {
  std::string name;  // Such as "averagely" or "group[0].consumer[0].count=4".
  std::vector<std::string> settings;
  // A strategy that no client can compute alone, and every consumer is given
  // after the scenario was read; "" for none.
  std::string what_if = "";
  // Came with `all`: it is left out, with the reason, where it cannot be run.
  bool optional = false;
};

// The most variants in one comparison.
inline constexpr size_t kMostVariants = 1'000;

// "PATH=v1,v2": a variant for each value. Commas in quotes, brackets and braces
// belong to a value. InvalidArgument, in words, where there is no value.
absl::StatusOr<std::vector<Variant>> VariantsOfField(absl::string_view text);

// Where a scenario chooses strategies: in each group, and in consumers that
// have one of their own.
struct StrategyPlaces {
  std::vector<std::string> fields;  // "group[0].consumer[1].strategy".
  std::vector<std::string> own;     // Such consumers: "pod of group readers".
};
StrategyPlaces StrategyPlacesOf(const Scenario& scenario);

// "a,b", strategies of the schema, or "all": a variant for each, in which all
// `fields` have it. One that needs the previous assignment is marked
// "(what-if)". InvalidArgument, with the nearest name, for one that there is
// not.
absl::StatusOr<std::vector<Variant>> VariantsOfStrategies(
    absl::string_view text, const std::vector<std::string>& fields);

// Each of `a` with each of `b`. InvalidArgument for too many.
absl::StatusOr<std::vector<Variant>> Crossed(const std::vector<Variant>& a,
                                             const std::vector<Variant>& b);

// A column: a metric of groups.
struct ComparedMetric {
  const google::protobuf::FieldDescriptor* field = nullptr;
  std::string heading;
  std::string unit;
};

// The usual ones.
std::vector<ComparedMetric> UsualMetrics();
// "jain_final,lost". InvalidArgument, with the nearest name, for an unknown
// one.
absl::StatusOr<std::vector<ComparedMetric>> MetricsNamed(
    absl::string_view text);

// A metric over the seeds. Runs that have none do not count.
struct MetricSpread {
  size_t runs = 0;
  double median = 0;
  double lowest = 0;
  double highest = 0;
};
MetricSpread SpreadOf(std::vector<double> values);

// One variant and group.
struct ComparisonRow {
  std::string variant;
  std::string group;
  std::vector<MetricSpread> metrics;
  size_t runs = 0;
  size_t passed = 0;  // Of these, the ones whose expectations all held.
};

// A variant that was not run.
struct LeftOut {
  std::string variant;
  std::string why;
};

struct Comparison {
  std::string scenario;  // Name of its file.
  SeedRange seeds;
  std::string duration;
  std::vector<ComparedMetric> metrics;
  std::vector<ComparisonRow> rows;
  std::vector<LeftOut> left_out;
  // Consumers whose own strategy the variants replace: "pod of group readers".
  std::vector<std::string> replaced;
};

// Adds what the runs of one variant gave: a row for each group.
void AddRows(const std::string& variant, const std::vector<Report>& reports,
             Comparison& comparison);

// A table for each group; its lines are the variants.
std::string ComparisonText(const Comparison& comparison);
std::string ComparisonJson(const Comparison& comparison);
// A line for each variant and group, under a heading.
std::string ComparisonCsv(const Comparison& comparison);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_COMPARISON_H_
