#include "tests/cases/played.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"

namespace groupsim {

Played::Played(absl::string_view text) {
  RunOptions options;
  options.scenario_name = "case";
  report_ = RunScenario(ScenarioFromTextOrDie(text), options).report;
  EXPECT_NE(report_.verdict(), Report::FAILED)
      << absl::StrJoin(report_.reasons(), "\n");
  EXPECT_NE(report_.verdict(), Report::VACUOUS)
      << absl::StrJoin(report_.reasons(), "\n");
}

Played::Played(absl::string_view text, absl::string_view from,
               absl::string_view to)
    : Played(absl::StrReplaceAll(text, {{from, to}})) {}

const Report::ConsumerMetrics& Played::consumer(absl::string_view name) const {
  for (const auto& one : report_.groups(0).consumer()) {
    if (one.name() == name) return one.metrics();
  }
  ADD_FAILURE() << "no consumer " << name;
  return Report::ConsumerMetrics::default_instance();
}

int64_t Played::committed(absl::string_view broker, int32_t queue) const {
  for (const auto& one : report_.groups(0).queue()) {
    if (one.broker() == broker && one.queue() == queue) {
      return one.committed_offset();
    }
  }
  ADD_FAILURE() << "no queue " << broker << "#" << queue;
  return -1;
}

}  // namespace groupsim
