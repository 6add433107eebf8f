#include "scenarios/expect/allocation_check.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "scenarios/measure/metrics.h"
#include "scenarios/reader/values.h"

namespace groupsim {

AllocationCheck::AllocationCheck(const CheckContext& context)
    : ExpectationCheck(context),
      bound_(context.expectation.allocation()),
      at_(Instant::Start() + Parsed(bound_.at())),
      consumer_(FindConsumer(context.subjects, bound_.consumer())),
      expected_(FindQueues(context.subjects, context.scope.group,
                           bound_.topic(), bound_.queues())) {}

void AllocationCheck::Look() {
  const OwnershipMeasure& ownership = context_.whole.ownership(scope().group);
  looked_ = true;
  was_alive_ = ownership.alive(consumer_);
  owned_ = ownership.OwnedBy(consumer_);
  if (bound_.has_topic()) {
    owned_.erase(
        std::remove_if(owned_.begin(), owned_.end(),
                       [&](QueueIndex queue) {
                         return context_.subjects
                                    .queues()[static_cast<size_t>(queue)]
                                    .queue.topic.text() != bound_.topic();
                       }),
        owned_.end());
  }
  std::sort(owned_.begin(), owned_.end());
  if (!was_alive_ || owned_ == expected_) return;
  Occurrence what;
  what.time = at_;
  Violate(what, true);
}

std::string AllocationCheck::InWords() const {
  return absl::StrCat(
      bound_.consumer(), " owns ",
      expected_.empty() ? std::string("nothing") : bound_.queues(), " at ",
      bound_.at());
}

void AllocationCheck::Judge(const RunEnd& /*end*/,
                            Report::ExpectationReport& report) {
  report.set_subject(bound_.consumer());
  if (!looked_ || !was_alive_) {
    Vacuous(looked_ ? absl::StrCat(bound_.consumer(), " did not run then")
                    : std::string("the run ended before"),
            report);
    return;
  }
  report.set_actual(QueuesInWords(context_.subjects, owned_));
  report.set_verdict(owned_ == expected_ ? Report::PASSED : Report::FAILED);
  Blame(report);
}

}  // namespace groupsim
