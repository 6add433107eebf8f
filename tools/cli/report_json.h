// Reports as JSON.
#ifndef GROUPSIM_TOOLS_CLI_REPORT_JSON_H_
#define GROUPSIM_TOOLS_CLI_REPORT_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "scenarios/schema/report.pb.h"

namespace groupsim {

// By protobuf's JSON mapping, with the schema's names; fields that have no
// presence are always written. Without an end of line.
std::string ReportToJson(const Report& report);

// Leaves out of a report what only its own summary shows, so that many can be
// kept.
void Shorten(Report& report);

// InvalidArgument if it is none.
absl::StatusOr<Report> ReportFromJson(absl::string_view json);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_REPORT_JSON_H_
