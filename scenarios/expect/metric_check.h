// Any metric of the catalogue against bounds.
#ifndef GROUPSIM_SCENARIOS_EXPECT_METRIC_CHECK_H_
#define GROUPSIM_SCENARIOS_EXPECT_METRIC_CHECK_H_

#include <optional>
#include <string>

#include "google/protobuf/message.h"
#include "scenarios/expect/check.h"

namespace groupsim {

// A metric by name; nothing if there was nothing to measure. The name is one of
// a numeric field.
std::optional<double> MetricByName(const google::protobuf::Message& metrics,
                                   const std::string& name);

// Of the consumer, the topic or the group that the expectation names; or of
// each of the queues, of which all must hold.
class MetricCheck final : public ExpectationCheck {
 public:
  explicit MetricCheck(const CheckContext& context);

  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  std::optional<double> Value() const;
  void JudgeQueues(Report::ExpectationReport& report) const;

  const std::string& name_;
  const Bounds bounds_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_METRIC_CHECK_H_
