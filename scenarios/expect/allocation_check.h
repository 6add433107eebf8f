// Who owns exactly what at a time.
#ifndef GROUPSIM_SCENARIOS_EXPECT_ALLOCATION_CHECK_H_
#define GROUPSIM_SCENARIOS_EXPECT_ALLOCATION_CHECK_H_

#include <optional>
#include <string>
#include <vector>

#include "scenarios/expect/check.h"

namespace groupsim {

class AllocationCheck final : public ExpectationCheck {
 public:
  explicit AllocationCheck(const CheckContext& context);

  std::optional<Instant> look() const override { return at_; }
  void Look() override;
  std::string InWords() const override;
  void Judge(const RunEnd& end, Report::ExpectationReport& report) override;

 private:
  const schema::AllocationBound& bound_;
  const Instant at_;
  const ConsumerIndex consumer_;
  const std::vector<QueueIndex> expected_;
  // What Look() saw.
  bool looked_ = false;
  bool was_alive_ = false;
  std::vector<QueueIndex> owned_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_ALLOCATION_CHECK_H_
