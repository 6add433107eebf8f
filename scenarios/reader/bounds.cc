#include "scenarios/reader/bounds.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/report.pb.h"

namespace groupsim {
namespace {

class BoundsChecker {
 public:
  BoundsChecker(const Scenario& scenario, Judge& judge)
      : scenario_(scenario), judge_(judge) {}

  void Check(const schema::Expectation& expectation, const std::string& path) {
    if (scenario_.group_size() == 0 && !judge_.WasWritten("group[0]")) {
      judge_.Name(path, "an expectation needs a group; there is none");
    }
    CheckWindow(expectation, path);
    if (expectation.has_consumer() && !expectation.has_metric()) {
      judge_.Name(FieldPath(path, "consumer"),
                  "only a metric can be asked of one consumer");
    }
    switch (expectation.what_case()) {
      case schema::Expectation::kLost:
        CheckBounds(expectation.lost(), FieldPath(path, "lost"));
        break;
      case schema::Expectation::kDuplicates:
        CheckBounds(expectation.duplicates(), FieldPath(path, "duplicates"));
        break;
      case schema::Expectation::kSkipped:
        CheckBounds(expectation.skipped(), FieldPath(path, "skipped"));
        break;
      case schema::Expectation::kUnownedQueueSeconds:
        CheckBounds(expectation.unowned_queue_seconds(),
                    FieldPath(path, "unowned_queue_seconds"));
        break;
      case schema::Expectation::kDoubleOwnedQueueSeconds:
        CheckBounds(expectation.double_owned_queue_seconds(),
                    FieldPath(path, "double_owned_queue_seconds"));
        break;
      case schema::Expectation::kJain:
        CheckBounds(expectation.jain(), FieldPath(path, "jain"));
        break;
      case schema::Expectation::kConvergence:
        CheckDurations(expectation.convergence(),
                       FieldPath(path, "convergence"));
        break;
      case schema::Expectation::kTakeover:
        CheckDurations(expectation.takeover(), FieldPath(path, "takeover"));
        break;
      case schema::Expectation::kAllocation:
        CheckAllocation(expectation, FieldPath(path, "allocation"));
        break;
      case schema::Expectation::kMetric:
        CheckMetric(expectation, FieldPath(path, "metric"));
        break;
      default:
        break;  // Not given, or not supported yet: told already.
    }
  }

 private:
  void CheckWindow(const schema::Expectation& expectation,
                   const std::string& path) {
    const absl::StatusOr<Duration> end = ParseDuration(scenario_.duration());
    if (!end.ok()) return;
    Duration to = *end;
    if (expectation.has_to()) {
      const absl::StatusOr<Duration> parsed = ParseDuration(expectation.to());
      if (!parsed.ok()) return;
      if (*parsed > *end) {
        judge_.Value(FieldPath(path, "to"),
                     absl::StrCat("to is ", expectation.to(),
                                  ", after the end of the run (",
                                  scenario_.duration(), ")"));
        return;
      }
      to = *parsed;
    }
    if (expectation.has_from()) {
      const absl::StatusOr<Duration> from = ParseDuration(expectation.from());
      if (!from.ok()) return;
      if (*from >= to) {
        judge_.Value(FieldPath(path, "from"),
                     absl::StrCat("from is ", expectation.from(),
                                  "; it must lie before ",
                                  expectation.has_to()
                                      ? absl::StrCat("to (", expectation.to())
                                      : absl::StrCat("the end of the run (",
                                                     scenario_.duration()),
                                  ")"));
      }
    }
  }

  void Missing(const std::string& path, absl::string_view names) {
    for (const absl::string_view name :
         {"at_least", "at_most", "equals", "within"}) {
      if (judge_.WasWritten(FieldPath(path, name))) return;  // Told already.
    }
    judge_.Name(path, absl::StrCat("a bound is missing: ", names));
  }

  void Crossed(const std::string& path) {
    judge_.Value(FieldPath(path, "at_least"),
                 "at_least must not be above the other bound");
  }

  // at_least, at_most and, where the type has it, equals.
  template <class Bound>
  void CheckBounds(const Bound& bound, const std::string& path) {
    if constexpr (requires { bound.has_equals(); }) {
      if (bound.has_equals() && (bound.has_at_least() || bound.has_at_most())) {
        judge_.Value(FieldPath(path, "equals"),
                     "equals cannot stand beside at_least and at_most");
      }
      if (!bound.has_at_least() && !bound.has_at_most() &&
          !bound.has_equals()) {
        Missing(path, "at_least, at_most or equals");
      }
    } else if (!bound.has_at_least() && !bound.has_at_most()) {
      Missing(path, "at_least or at_most");
    }
    if (bound.has_at_least() && bound.has_at_most() &&
        bound.at_least() > bound.at_most()) {
      Crossed(path);
    }
  }

  void CheckDurations(const schema::DurationBound& bound,
                      const std::string& path) {
    if (!bound.has_at_least() && !bound.has_within()) {
      Missing(path, "at_least or within");
    }
    const absl::StatusOr<Duration> least = ParseDuration(bound.at_least());
    const absl::StatusOr<Duration> most = ParseDuration(bound.within());
    if (least.ok() && most.ok() && *least > *most) Crossed(path);
  }

  const schema::Group* GroupOf(const std::string& consumer) const {
    for (const schema::Group& group : scenario_.group()) {
      for (const schema::Consumer& block : group.consumer()) {
        for (const std::string& name : AllNamesOf(block, scenario_)) {
          if (name == consumer) return &group;
        }
      }
    }
    return nullptr;
  }

  void CheckGroupOfConsumer(const schema::Expectation& expectation,
                            const schema::Group& group,
                            const std::string& consumer,
                            const std::string& path) {
    if (!expectation.has_group() || expectation.group() == group.name()) return;
    judge_.Value(FieldPath(path, "consumer"),
                 absl::StrCat("consumer ", Quote(consumer), " is in group ",
                              Quote(group.name()), ", not in ",
                              Quote(expectation.group())));
  }

  void CheckAllocation(const schema::Expectation& expectation,
                       const std::string& path) {
    const schema::AllocationBound& bound = expectation.allocation();
    const absl::StatusOr<Duration> at = ParseDuration(bound.at());
    const absl::StatusOr<Duration> end = ParseDuration(scenario_.duration());
    if (at.ok() && end.ok() && *at > *end) {
      judge_.Value(
          FieldPath(path, "at"),
          absl::StrCat("at is ", bound.at(), ", after the end of the run (",
                       scenario_.duration(), ")"));
    }
    if (expectation.has_from() || expectation.has_to()) {
      judge_.Name(path,
                  "an allocation is looked at at one time; from and to "
                  "have no meaning for it");
    }
    const schema::Group* group = GroupOf(bound.consumer());
    if (group == nullptr) return;  // Told already.
    CheckGroupOfConsumer(expectation, *group, bound.consumer(), path);
    if (!bound.has_topic() && group->subscribe_size() > 1) {
      judge_.Name(path, absl::StrCat("AllocationBound needs topic, as group ",
                                     Quote(group->name()), " subscribes to ",
                                     group->subscribe_size()));
    }
  }

  void CheckMetric(const schema::Expectation& expectation,
                   const std::string& path) {
    const schema::MetricBound& bound = expectation.metric();
    CheckBounds(bound, path);
    if (expectation.has_from() || expectation.has_to()) {
      judge_.Name(path,
                  "a metric is about the whole run; from and to are not "
                  "supported for it yet");
    }
    const google::protobuf::Descriptor& metrics =
        expectation.has_consumer() ? *Report::ConsumerMetrics::descriptor()
                                   : *Report::GroupMetrics::descriptor();
    if (!bound.name().empty() &&
        metrics.FindFieldByName(bound.name()) == nullptr) {
      std::vector<absl::string_view> names;
      for (int i = 0; i < metrics.field_count(); ++i) {
        names.push_back(metrics.field(i)->name());
      }
      const absl::string_view nearest = NearestName(bound.name(), names);
      judge_.Value(
          FieldPath(path, "name"),
          absl::StrCat("there is no metric ", Quote(bound.name()), " of a ",
                       expectation.has_consumer() ? "consumer" : "group"),
          nearest.empty() ? "see groupsim list metrics" : DidYouMean(nearest));
    }
    if (!expectation.has_consumer()) return;
    const schema::Group* group = GroupOf(expectation.consumer());
    if (group != nullptr) {
      CheckGroupOfConsumer(expectation, *group, expectation.consumer(), path);
    }
  }

  const Scenario& scenario_;
  Judge& judge_;
};

}  // namespace

void CheckExpectations(const Scenario& scenario, Judge& judge) {
  BoundsChecker checker(scenario, judge);
  for (int i = 0; i < scenario.expect_size() && !judge.full(); ++i) {
    checker.Check(scenario.expect(i), FieldPath("", "expect", i));
  }
}

}  // namespace groupsim
