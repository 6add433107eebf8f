#include "scenarios/reader/findings_json.h"

#include <map>
#include <utility>

#include "nlohmann/json.hpp"
#include "scenarios/reader/line_table.h"

namespace groupsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Json OneFinding(const Finding& finding, const Sources& sources,
                std::map<int, LineTable>& tables) {
  const int source = finding.span ? finding.span->source : 0;
  const bool known = source < sources.size();
  Json json;
  json["file"] = known ? sources[source].name : "";
  if (finding.span && known) {
    const LineTable& lines =
        tables.try_emplace(source, sources[source].text).first->second;
    const LineAndColumn begin = lines.PlaceOf(finding.span->begin);
    const LineAndColumn end = lines.PlaceOf(finding.span->end);
    json["line"] = begin.line;
    json["column"] = begin.column;
    json["end_line"] = end.line;
    json["end_column"] = end.column;
  }
  const bool error = finding.severity == Finding::Severity::kError;
  json["severity"] = error ? "error" : "warning";
  json["lint"] = finding.lint;
  json["message"] = finding.message;
  json["path"] = finding.path;
  json["hint"] = finding.hint;
  if (finding.fix) json["fix"] = *finding.fix;
  return json;
}

}  // namespace

std::string FindingsJson(const Findings& findings, const Sources& sources) {
  std::map<int, LineTable> tables;
  Json list = Json::array();
  for (const Finding* finding : findings.Sorted()) {
    list.push_back(OneFinding(*finding, sources, tables));
  }
  Json json;
  json["version"] = kVersion;
  json["errors"] = findings.errors();
  json["warnings"] = findings.count() - findings.errors();
  json["findings"] = std::move(list);
  // A finding may show a byte of a text that is not UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace groupsim
