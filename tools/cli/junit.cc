#include "tools/cli/junit.h"

#include <cstddef>
#include <cstdint>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "model/base/check.h"
#include "pugixml.hpp"
#include "tools/cli/golden.h"

namespace groupsim {
namespace {

// Control characters, which XML cannot hold, as they are written in C.
std::string Legal(absl::string_view text) {
  std::string legal;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) {
      absl::StrAppendFormat(&legal, "\\x%02x", byte);
    } else {
      legal += c;
    }
  }
  return legal;
}

void Set(pugi::xml_node node, const char* name, absl::string_view value) {
  node.append_attribute(name).set_value(Legal(value).c_str());
}

void Set(pugi::xml_node node, const char* name, int64_t value) {
  Set(node, name, absl::StrCat(value));
}

std::string Seconds(double seconds) { return absl::StrFormat("%.3f", seconds); }

struct Counts {
  int64_t tests = 0;
  int64_t failures = 0;
  int64_t errors = 0;

  void Add(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
  }
};

// Attributes are written in the order in which GoogleTest has them.
void SetCounts(pugi::xml_node node, const Counts& counts) {
  Set(node, "tests", counts.tests);
  Set(node, "failures", counts.failures);
  Set(node, "disabled", 0);
  Set(node, "errors", counts.errors);
}

void AddProperty(pugi::xml_node properties, absl::string_view name,
                 absl::string_view value) {
  pugi::xml_node property = properties.append_child("property");
  Set(property, "name", name);
  Set(property, "value", value);
}

void AddProperties(const Report& report, pugi::xml_node suite) {
  pugi::xml_node properties = suite.append_child("properties");
  AddProperty(properties, "seed", absl::StrCat(report.run().seed()));
  AddProperty(properties, "version", report.run().version());
  AddProperty(properties, "facts", report.fingerprints().facts());
  AddProperty(properties, "schedule", report.fingerprints().schedule());
  AddProperty(properties, "reproduce", report.run().reproduce());
  for (const auto& [key, value] : GoldenLinesOf(report)) {
    constexpr absl::string_view kMetric = "metric ";
    if (key.substr(0, kMetric.size()) != kMetric) continue;
    // "metric GROUP NAME"; names of groups have no spaces.
    std::string name = key.substr(kMetric.size());
    name[name.find(' ')] = '.';
    AddProperty(properties, name, value);
  }
}

void AddProblem(pugi::xml_node test, const char* kind, absl::string_view type,
                absl::string_view message, absl::string_view details) {
  pugi::xml_node problem = test.append_child(kind);
  Set(problem, "message", message);
  Set(problem, "type", type);
  problem.append_child(pugi::node_cdata).set_value(Legal(details).c_str());
}

pugi::xml_node AddCase(pugi::xml_node suite, absl::string_view name,
                       const FilePlace& place, absl::string_view class_name) {
  pugi::xml_node test = suite.append_child("testcase");
  Set(test, "name", name);
  if (!place.file.empty()) Set(test, "file", place.file);
  if (place.line > 0) Set(test, "line", static_cast<int64_t>(place.line));
  Set(test, "status", "run");
  Set(test, "result", "completed");
  Set(test, "time", "0.000");
  Set(test, "classname", class_name);
  return test;
}

void AddExpectation(const Report::ExpectationReport& item, const JunitRun& run,
                    const std::string& class_name, pugi::xml_node suite,
                    Counts& counts) {
  FilePlace place;
  if (static_cast<size_t>(item.index()) < run.expectations.size()) {
    place = run.expectations[static_cast<size_t>(item.index())];
  }
  pugi::xml_node test =
      AddCase(suite,
              absl::StrCat("expect[", item.index(), "] ", item.expectation(),
                           item.group().empty() ? "" : " of ", item.group()),
              place, class_name);
  ++counts.tests;
  if (item.verdict() == Report::PASSED) return;
  std::string details;
  if (!item.subject().empty()) {
    absl::StrAppend(&details, "subject: ", item.subject(), "\n");
  }
  if (item.has_violated_at_seconds()) {
    absl::StrAppend(&details, "first at ", Seconds(item.violated_at_seconds()),
                    " s\n");
  }
  if (!item.cause().empty()) {
    absl::StrAppend(&details, "cause: ", item.cause(), "\n");
  }
  absl::StrAppend(&details, run.report.run().reproduce(), "\n");
  if (item.verdict() == Report::FAILED) {
    ++counts.failures;
    AddProblem(
        test, "failure", "expectation",
        absl::StrCat("expected ", item.expectation(), ", got ", item.actual()),
        details);
    return;
  }
  ++counts.errors;
  AddProblem(test, "error", "vacuous",
             absl::StrCat("vacuous: ", item.expectation()), details);
}

void AddEvent(const Report::TimelineReport& item, int index,
              const std::string& reproduce, const std::string& class_name,
              pugi::xml_node suite, Counts& counts) {
  pugi::xml_node test = AddCase(
      suite,
      absl::StrCat("timeline[", index, "] ", item.event(), " ", item.when()),
      FilePlace(), class_name);
  ++counts.tests;
  if (item.vacuous().empty()) return;
  ++counts.errors;
  AddProblem(test, "error", "vacuous",
             absl::StrCat("vacuous: ", item.event(), " ", item.when(), " ",
                          item.vacuous()),
             absl::StrCat(reproduce, "\n"));
}

Counts AddSuite(const JunitRun& run, pugi::xml_node suites) {
  const Report& report = run.report;
  pugi::xml_node suite = suites.append_child("testsuite");
  const std::string name =
      absl::StrCat(report.run().scenario(), " seed ", report.run().seed());
  Set(suite, "name", name);
  // The counts are known at the end, but stand in front.
  Counts counts;
  pugi::xml_document cases;
  for (const Report::ExpectationReport& item : report.expectations()) {
    AddExpectation(item, run, name, cases, counts);
  }
  for (int i = 0; i < report.timeline_size(); ++i) {
    AddEvent(report.timeline(i), i, report.run().reproduce(), name, cases,
             counts);
  }
  // A verdict that no case shows, as of a livelock.
  if (report.verdict() == Report::FAILED && counts.failures == 0) {
    pugi::xml_node test = AddCase(cases, "verdict", FilePlace(), name);
    ++counts.tests;
    ++counts.failures;
    std::string reasons;
    for (const std::string& reason : report.reasons()) {
      absl::StrAppend(&reasons, reason, "\n");
    }
    AddProblem(test, "failure", "verdict", "the run failed", reasons);
  }
  SetCounts(suite, counts);
  Set(suite, "skipped", 0);
  Set(suite, "time", Seconds(report.run().duration_seconds()));
  AddProperties(report, suite);
  for (const pugi::xml_node& test : cases.children()) suite.append_copy(test);
  return counts;
}

}  // namespace

std::string FormatJunit(const std::vector<JunitRun>& runs) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suites = document.append_child("testsuites");
  Set(suites, "name", "groupsim");
  Counts counts;
  double seconds = 0;
  for (const JunitRun& run : runs) {
    counts.Add(AddSuite(run, suites));
    seconds += run.report.run().duration_seconds();
  }
  SetCounts(suites, counts);
  Set(suites, "time", Seconds(seconds));
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace groupsim
