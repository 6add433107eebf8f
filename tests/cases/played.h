// A case of the field, as a scenario in a test.
#ifndef GROUPSIM_TESTS_CASES_PLAYED_H_
#define GROUPSIM_TESTS_CASES_PLAYED_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "scenarios/schema/report.pb.h"

namespace groupsim {

// The end of a run.
class Played {
 public:
  // Plays a scenario. What it expects has to hold, and what it does has to hit
  // something, or the test fails.
  explicit Played(absl::string_view text);
  // The same with all `from` replaced.
  Played(absl::string_view text, absl::string_view from, absl::string_view to);

  const Report& report() const { return report_; }
  // Of the first group.
  const Report::GroupMetrics& metrics() const {
    return report_.groups(0).metrics();
  }
  // Of a consumer of the first group.
  const Report::ConsumerMetrics& consumer(absl::string_view name) const;
  // What the first group committed for a queue; -1 for nothing.
  int64_t committed(absl::string_view broker, int32_t queue) const;

 private:
  Report report_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_CASES_PLAYED_H_
