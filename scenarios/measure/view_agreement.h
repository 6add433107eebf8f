// When the members of a group see the same group.
#ifndef GROUPSIM_SCENARIOS_MEASURE_VIEW_AGREEMENT_H_
#define GROUPSIM_SCENARIOS_MEASURE_VIEW_AGREEMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"

namespace groupsim {

// A consumer's view is what its last allocation of a topic was made of: so many
// members, so many queues. The group agrees while the view of each consumer
// that runs and is not stopping, of each topic of the group, has as many
// members as there are such consumers, and as many queues as the latest view of
// anybody.
class ViewAgreement {
 public:
  ViewAgreement(const Subjects& subjects, GroupIndex group);

  // Facts in order of time: PROCESS_* of consumers of the group, ALLOCATED of
  // the group. A change of the members that the window `contains` is measured.
  void OnFact(const SeenFact& seen, const Window& window);
  void Finish();

  // From a change of the members until the group agreed, where it did before
  // the next one or the end.
  const Histogram& agreement() const { return agreement_; }
  // The same by change, in order; nothing where it did not.
  const std::vector<std::optional<Duration>>& by_change() const {
    return by_change_;
  }
  bool Agrees() const;

 private:
  struct View {
    bool seen = false;
    int64_t members = 0;
    int64_t queues = 0;
  };

  View& view(ConsumerIndex consumer, size_t topic) {
    return views_[static_cast<size_t>(consumer) * topics_.size() + topic];
  }
  bool Right(const View& view, size_t topic) const {
    return view.seen && view.members == present_ &&
           view.queues == queues_[topic];
  }
  void SetPresent(ConsumerIndex consumer, bool present);
  void OnAllocated(const SeenFact& seen);
  void Recount();
  void BeginChange(Instant now, const Window& window);
  void CloseChange();

  const Subjects& subjects_;
  const GroupIndex group_;
  std::vector<uint32_t> topics_;  // Name ids, sorted.
  std::vector<int64_t> queues_;   // By topic, as seen last.
  std::vector<View> views_;       // By ConsumerIndex and topic.
  std::vector<bool> is_present_;  // By ConsumerIndex.
  int64_t present_ = 0;
  int64_t right_ = 0;  // Views of present consumers that are right.

  bool change_open_ = false;
  Instant change_;
  std::optional<Instant> agreed_;  // Since when.
  Histogram agreement_;
  std::vector<std::optional<Duration>> by_change_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_VIEW_AGREEMENT_H_
