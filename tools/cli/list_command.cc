// groupsim list: what there is.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/descriptor.h"
#include "model/allocation/catalogue.h"
#include "model/facts/fact.h"
#include "nlohmann/json.hpp"
#include "scenarios/lint/lint.h"
#include "scenarios/reader/finding.h"
#include "scenarios/schema/report.pb.h"
#include "scenarios/schema/rule.pb.h"
#include "tools/cli/catalog.h"
#include "tools/cli/command.h"
#include "tools/cli/console.h"
#include "tools/cli/faults.h"

namespace groupsim {
namespace {

// One row: names and values of its columns, the last of which is prose.
using Row = std::vector<std::pair<std::string, std::string>>;

std::vector<Row> Scenarios() {
  std::vector<Row> rows;
  for (const CatalogEntry& entry : Catalog()) {
    rows.push_back(
        {{"name", std::string(entry.name)}, {"question", QuestionOf(entry)}});
  }
  return rows;
}

void AddMetrics(const google::protobuf::Descriptor& type, const char* of,
                std::vector<Row>& rows) {
  for (int i = 0; i < type.field_count(); ++i) {
    const MetricInfo& info = type.field(i)->options().GetExtension(metric);
    if (info.meaning().empty()) continue;
    rows.push_back({{"name", type.field(i)->name()},
                    {"of", of},
                    {"unit", info.unit()},
                    {"meaning", info.meaning()}});
  }
}

std::vector<Row> Metrics() {
  std::vector<Row> rows;
  AddMetrics(*Report::GroupMetrics::descriptor(), "group", rows);
  AddMetrics(*Report::ConsumerMetrics::descriptor(), "consumer", rows);
  AddMetrics(*Report::TopicMetrics::descriptor(), "topic", rows);
  AddMetrics(*Report::QueueMetrics::descriptor(), "queue", rows);
  AddMetrics(*Report::ProducerReport::descriptor(), "producer", rows);
  return rows;
}

std::vector<Row> Facts() {
  std::vector<Row> rows;
  for (const FactKindInfo& info : AllFactKinds()) {
    rows.push_back({{"number", absl::StrCat(static_cast<int>(info.kind))},
                    {"name", std::string(info.name)},
                    {"meaning", std::string(info.meaning)},
                    {"fields", std::string(info.fields)}});
  }
  return rows;
}

absl::string_view OriginOf(StrategyOrigin origin) {
  switch (origin) {
    case StrategyOrigin::kRocketMq:
      return "RocketMQ";
    case StrategyOrigin::kKafkaClient:
      return "Kafka client";
    case StrategyOrigin::kKafkaServer:
      return "Kafka server";
    case StrategyOrigin::kLiterature:
      return "literature";
  }
  return "";
}

std::vector<Row> Strategies() {
  std::vector<Row> rows;
  for (const StrategyEntry& entry : StrategyCatalogue()) {
    const StrategyPromises& promises = entry.promises;
    rows.push_back({{"name", std::string(entry.name)},
                    {"origin", std::string(OriginOf(entry.origin))},
                    {"needs", ToString(entry.needs)},
                    {"balance", ToString(promises.balance)},
                    {"stickiness", ToString(promises.stickiness)},
                    {"owners", promises.one_owner ? "one each" : "not all"},
                    {"does", std::string(entry.summary)}});
  }
  return rows;
}

std::string FirstSentence(absl::string_view text) {
  const size_t end = text.find(". ");
  return std::string(
      text.substr(0, end == absl::string_view::npos ? end : end + 1));
}

std::vector<Row> Faults() {
  std::vector<Row> rows;
  for (const FaultEntry& entry : AllFaults()) {
    rows.push_back({{"name", std::string(entry.name)},
                    {"of", std::string(entry.of)},
                    {"meaning", std::string(entry.meaning)}});
  }
  return rows;
}

std::vector<Row> Actions() {
  std::vector<Row> rows;
  for (const ActionEntry& entry : AllActions()) {
    rows.push_back({{"name", std::string(entry.name)},
                    {"supported", entry.supported ? "" : "not yet"},
                    {"meaning", FirstSentence(entry.meaning)}});
  }
  return rows;
}

std::vector<Row> Lints() {
  std::vector<Row> rows;
  for (const Lint& lint : AllLints()) {
    rows.push_back({{"name", std::string(lint.name)},
                    {"meaning", std::string(lint.meaning)},
                    {"remedy", std::string(lint.remedy)}});
  }
  return rows;
}

struct Listing {
  const char* name;
  std::vector<Row> (*rows)();
  // How many of the last columns are prose, shown on lines of their own.
  size_t prose = 0;
};

constexpr Listing kListings[] = {
    {"scenarios", &Scenarios}, {"strategies", &Strategies},
    {"actions", &Actions},     {"faults", &Faults, 1},
    {"metrics", &Metrics},     {"lints", &Lints, 2},
    {"facts", &Facts, 1}};

// Columns in line, but for the last one; the last `prose` ones stand below.
std::string FormatText(const std::vector<Row>& rows, size_t prose) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(row.size());
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].second.size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    const size_t columns = row.size() - prose;
    std::string line;
    for (size_t i = 0; i < columns; ++i) {
      if (i > 0) line += "  ";
      absl::StrAppend(&line, row[i].second);
      if (i + 1 < columns) line.append(widths[i] - row[i].second.size(), ' ');
    }
    absl::StrAppend(&text, line, "\n");
    for (size_t i = columns; i < row.size(); ++i) {
      if (row[i].second.empty()) continue;
      absl::StrAppend(&text, "      ",
                      i == columns ? "" : absl::StrCat(row[i].first, ": "),
                      row[i].second, "\n");
    }
  }
  return text;
}

std::string FormatJson(const std::string& name, const std::vector<Row>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json item;
    for (const auto& [key, value] : row) item[key] = value;
    list.push_back(std::move(item));
  }
  nlohmann::ordered_json all;
  all["schema_version"] = 1;
  all[name] = std::move(list);
  return all.dump(2) + "\n";
}

}  // namespace

std::vector<FlagInfo> ListFlags() {
  return {{.name = "format",
           .value = "FORMAT",
           .help = "text (default) or json",
           .choices = {"text", "json"}}};
}

ExitCode RunList(const Flags& flags, const std::vector<std::string>& what) {
  std::vector<absl::string_view> names;
  for (const Listing& listing : kListings) names.push_back(listing.name);
  const std::string all = absl::StrJoin(names, ", ");
  if (what.size() != 1) {
    return PrintUsageError("list", absl::StrCat("list needs one of ", all));
  }
  for (const Listing& listing : kListings) {
    if (what[0] != listing.name) continue;
    const std::vector<Row> rows = listing.rows();
    return PrintResult(flags.Value("format") == "json"
                           ? FormatJson(what[0], rows)
                           : FormatText(rows, listing.prose));
  }
  const std::string hint = DidYouMean(NearestName(what[0], names));
  return PrintUsageError(
      "list",
      absl::StrCat("there is no list of ", Quote(what[0]), "; ",
                   hint.empty() ? absl::StrCat("there are ", all) : hint));
}

}  // namespace groupsim
