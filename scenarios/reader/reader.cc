#include "scenarios/reader/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/unknown_field_set.h"
#include "model/base/check.h"
#include "scenarios/reader/binder.h"
#include "scenarios/reader/escapes.h"
#include "scenarios/reader/judge.h"
#include "scenarios/reader/meaning.h"
#include "scenarios/reader/rules.h"
#include "scenarios/reader/syntax.h"

namespace groupsim {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Tells fields that the schema does not have, at any depth.
void CheckNoUnknownFields(const Message& message, const std::string& path,
                          Judge& judge) {
  const Reflection& reflection = *message.GetReflection();
  const google::protobuf::UnknownFieldSet& unknown =
      reflection.GetUnknownFields(message);
  for (int i = 0; i < unknown.field_count() && !judge.full(); ++i) {
    judge.Name(path, absl::StrCat("no field number ", unknown.field(i).number(),
                                  " in ", message.GetDescriptor()->name()));
  }
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      CheckNoUnknownFields(reflection.GetMessage(message, field),
                           FieldPath(path, field->name()), judge);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      if (judge.full()) return;
      CheckNoUnknownFields(reflection.GetRepeatedMessage(message, field, i),
                           FieldPath(path, field->name(), i), judge);
    }
  }
}

void ParseBinary(const std::string& bytes, Scenario& scenario, Judge& judge) {
  google::protobuf::io::CodedInputStream input(
      reinterpret_cast<const uint8_t*>(bytes.data()),
      static_cast<int>(bytes.size()));
  input.SetRecursionLimit(kDeepestNesting);
  if (!scenario.ParseFromCodedStream(&input) ||
      !input.ConsumedEntireMessage()) {
    judge.Name("", "this is not a scenario in binary form");
    return;
  }
  CheckNoUnknownFields(scenario, "", judge);
}

// Whether `text` can be looked at as text at all.
bool IsText(const std::string& text, Findings& findings) {
  size_t bad = text.find('\0');
  if (bad == std::string::npos) bad = FindBadUtf8(text);
  if (bad == std::string::npos) return true;
  findings.Add(
      {.span = std::nullopt,
       .message = absl::StrCat("this is not a text in UTF-8: byte ", bad,
                               " is not part of one"),
       .path = "",
       .hint = "if this is the binary form, give the file a name that ends in "
               ".binpb"});
  return false;
}

absl::Status SystemError() {
  return absl::Status(absl::ErrnoToStatusCode(errno), strerror(errno));
}

}  // namespace

ScenarioForm FormOf(absl::string_view path) {
  if (absl::EndsWithIgnoreCase(path, ".json")) return ScenarioForm::kJson;
  if (absl::EndsWithIgnoreCase(path, ".binpb") ||
      absl::EndsWithIgnoreCase(path, ".pb")) {
    return ScenarioForm::kBinary;
  }
  return ScenarioForm::kText;
}

absl::StatusOr<Source> LoadSource(const std::string& path) {
  // Not to wait where the file is a pipe without a writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return SystemError();
  }
  const absl::Cleanup close_file = [file] { close(file); };
  struct stat info;
  if (fstat(file, &info) != 0) {
    return SystemError();
  }
  if (S_ISDIR(info.st_mode)) {
    return absl::UnavailableError("this is a folder, not a file");
  }
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode) &&
      !S_ISCHR(info.st_mode)) {
    return absl::UnavailableError("this is not a file");
  }
  const int flags = fcntl(file, F_GETFL);
  if (flags >= 0) fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
  Source source;
  source.name = path;
  std::vector<char> buffer(64 * 1024);
  for (;;) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError();
    if (count == 0) return source;
    source.text.append(buffer.data(), static_cast<size_t>(count));
    if (source.text.size() > kLargestScenarioFile) {
      return absl::InvalidArgumentError(
          absl::StrCat("the file is larger than ", kLargestScenarioFile >> 20,
                       " MiB, the most that is read"));
    }
  }
}

Reading ReadScenario(const Source& source, ScenarioForm form) {
  Reading reading;
  FieldPlaces places;
  Judge judge(places, reading.findings);
  if (source.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    judge.Name("", "the file is empty");
    return reading;
  }
  if (form == ScenarioForm::kBinary) {
    ParseBinary(source.text, reading.scenario, judge);
    if (!reading.ok()) return reading;
  } else {
    if (!IsText(source.text, reading.findings)) return reading;
    const bool json = form == ScenarioForm::kJson;
    SyntaxValue tree;
    if (!(json ? ParseJson(source.text, tree, reading.findings)
               : ParseTextFormat(source.text, tree, reading.findings))) {
      return reading;
    }
    Bind(tree, json, reading.scenario, places, reading.findings);
  }
  CheckRules(reading.scenario, judge);
  CompleteScenario(reading.scenario, judge);
  CheckMeaning(reading.scenario, judge);
  return reading;
}

Scenario ScenarioFromTextOrDie(absl::string_view text) {
  const Source source{.name = "", .text = std::string(text)};
  Reading reading = ReadScenario(source, ScenarioForm::kText);
  CHECK(reading.ok()) << "\n" << reading.findings.Format(source);
  return std::move(reading.scenario);
}

}  // namespace groupsim
