#include "tools/cli/report_json.h"

#include "absl/status/status.h"
#include "google/protobuf/util/json_util.h"
#include "model/base/check.h"

namespace groupsim {

std::string ReportToJson(const Report& report) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string json;
  const auto status =
      google::protobuf::util::MessageToJsonString(report, &json, options);
  CHECK(status.ok()) << "a report cannot be printed: " << status.ToString();
  while (!json.empty() && json.back() == '\n') json.pop_back();
  return json;
}

void Shorten(Report& report) {
  for (Report::GroupReport& group : *report.mutable_groups()) {
    group.clear_consumer();
    group.clear_queue();
    group.clear_series();
    group.clear_changes();
  }
}

absl::StatusOr<Report> ReportFromJson(absl::string_view json) {
  Report report;
  const auto status = google::protobuf::util::JsonStringToMessage(
      google::protobuf::StringPiece(json.data(), json.size()), &report);
  if (!status.ok()) return absl::InvalidArgumentError(status.ToString());
  return report;
}

}  // namespace groupsim
