#include "tools/cli/golden.h"

#include <charconv>
#include <filesystem>
#include <map>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "model/base/check.h"
#include "tools/cli/output_file.h"

namespace groupsim {
namespace {

// The shortest text that is this number.
std::string ShortestText(double number) {
  char buffer[64];
  const std::to_chars_result end =
      std::to_chars(buffer, buffer + sizeof(buffer), number);
  return std::string(buffer, end.ptr);
}

void AddMetrics(const std::string& group, const google::protobuf::Message& of,
                GoldenLines& lines) {
  using google::protobuf::FieldDescriptor;
  const google::protobuf::Descriptor& type = *of.GetDescriptor();
  const google::protobuf::Reflection& reflection = *of.GetReflection();
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (field.has_presence() && !reflection.HasField(of, &field)) continue;
    std::string value;
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE) {
      value = ShortestText(reflection.GetDouble(of, &field));
    } else {
      CHECK(field.cpp_type() == FieldDescriptor::CPPTYPE_INT64)
          << field.full_name();
      value = absl::StrCat(reflection.GetInt64(of, &field));
    }
    lines.emplace_back(absl::StrCat("metric ", group, " ", field.name()),
                       value);
  }
}

}  // namespace

GoldenLines GoldenLinesOf(const Report& report) {
  GoldenLines lines;
  lines.emplace_back("seed", absl::StrCat(report.run().seed()));
  lines.emplace_back("facts", report.fingerprints().facts());
  for (const Report::FactCount& count : report.fact_counts()) {
    if (count.count() == 0) continue;
    lines.emplace_back(absl::StrCat("fact ", count.kind()),
                       absl::StrCat(count.count()));
  }
  for (const Report::GroupReport& group : report.groups()) {
    AddMetrics(group.name(), group.metrics(), lines);
  }
  return lines;
}

std::string FormatGolden(absl::string_view scenario, const GoldenLines& lines) {
  std::string text = absl::StrCat("# Of ", scenario,
                                  "; written by groupsim verify --update.\n");
  for (const auto& [key, value] : lines) {
    absl::StrAppend(&text, key, " ", value, "\n");
  }
  return text;
}

absl::StatusOr<GoldenLines> ParseGolden(absl::string_view text) {
  GoldenLines lines;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || absl::StartsWith(line, "#")) continue;
    const size_t space = line.rfind(' ');
    if (space == absl::string_view::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, " is not a name and a value"));
    }
    lines.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  return lines;
}

std::vector<std::string> DifferencesOf(const GoldenLines& before,
                                       const GoldenLines& after) {
  std::map<std::string, std::string> old(before.begin(), before.end());
  std::vector<std::string> differences;
  for (const auto& [key, value] : after) {
    const auto found = old.find(key);
    if (found == old.end()) {
      differences.push_back(absl::StrCat(key, " none -> ", value));
      continue;
    }
    if (found->second != value) {
      differences.push_back(
          absl::StrCat(key, " ", found->second, " -> ", value));
    }
    old.erase(found);
  }
  for (const auto& [key, value] : old) {
    differences.push_back(absl::StrCat(key, " ", value, " -> none"));
  }
  return differences;
}

std::string GoldenPathOf(const std::string& scenario_path) {
  std::error_code error;
  const std::filesystem::path given(scenario_path);
  // The path as given, so that what is printed does not depend on the machine,
  // unless it does not reach up to the folder.
  for (std::filesystem::path folder = given.parent_path();;
       folder = folder.parent_path()) {
    const std::filesystem::path golden = folder / "tests" / "golden";
    if (IsFolder(golden.string())) {
      return (golden / absl::StrCat(given.stem().string(), ".txt")).string();
    }
    if (folder.empty() || folder == folder.parent_path()) break;
  }
  std::filesystem::path folder =
      std::filesystem::absolute(given, error).parent_path();
  while (!error && folder != folder.parent_path()) {
    const std::filesystem::path golden = folder / "tests" / "golden";
    if (IsFolder(golden.string())) {
      return (golden / absl::StrCat(given.stem().string(), ".txt")).string();
    }
    folder = folder.parent_path();
  }
  return (given.parent_path() /
          absl::StrCat(given.stem().string(), ".golden.txt"))
      .string();
}

}  // namespace groupsim
