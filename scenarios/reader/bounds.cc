#include "scenarios/reader/bounds.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/report.pb.h"

namespace groupsim {
namespace {

class BoundsChecker {
 public:
  BoundsChecker(const Scenario& scenario, ScenarioNames& names, Judge& judge)
      : scenario_(scenario), names_(names), judge_(judge) {}

  void Check(const schema::Expectation& expectation, const std::string& path) {
    const bool about_facts = IsAboutFacts(expectation);
    if (!about_facts && scenario_.group_size() == 0 &&
        !judge_.WasWritten("group[0]")) {
      judge_.Name(path, "an expectation needs a group; there is none");
    }
    CheckWindow(expectation, path);
    if (about_facts) {
      CheckAboutFacts(expectation, path);
    } else {
      CheckSubject(expectation, path);
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
      case schema::Expectation::kOutOfOrder:
        CheckBounds(expectation.out_of_order(),
                    FieldPath(path, "out_of_order"));
        break;
      case schema::Expectation::kDeadLetters:
        CheckBounds(expectation.dead_letters(),
                    FieldPath(path, "dead_letters"));
        break;
      case schema::Expectation::kMoves:
        CheckBounds(expectation.moves(), FieldPath(path, "moves"));
        break;
      case schema::Expectation::kLag:
        CheckBounds(expectation.lag(), FieldPath(path, "lag"));
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
      case schema::Expectation::kMaxOverMean:
        CheckBounds(expectation.max_over_mean(),
                    FieldPath(path, "max_over_mean"));
        break;
      case schema::Expectation::kFlowControl:
        CheckBounds(expectation.flow_control(),
                    FieldPath(path, "flow_control"));
        break;
      case schema::Expectation::kConvergence:
        CheckDurations(expectation.convergence(),
                       FieldPath(path, "convergence"));
        break;
      case schema::Expectation::kTakeover:
        CheckDurations(expectation.takeover(), FieldPath(path, "takeover"));
        break;
      case schema::Expectation::kLatency:
        CheckDurations(expectation.latency(), FieldPath(path, "latency"));
        break;
      case schema::Expectation::kLagRecovery:
        CheckDurations(expectation.lag_recovery(),
                       FieldPath(path, "lag_recovery"));
        break;
      case schema::Expectation::kAllocation:
        CheckAllocation(expectation, FieldPath(path, "allocation"));
        break;
      case schema::Expectation::kMetric:
        CheckMetric(expectation, FieldPath(path, "metric"));
        break;
      case schema::Expectation::kSometimes: {
        const std::string at = FieldPath(path, "sometimes");
        const schema::FactCountBound& bound = expectation.sometimes();
        CheckPattern(bound.seen(), FieldPath(at, "seen"));
        if (bound.has_at_least() && bound.has_at_most() &&
            bound.at_least() > bound.at_most()) {
          Crossed(at);
        }
        break;
      }
      case schema::Expectation::kNever:
        CheckPattern(expectation.never(), FieldPath(path, "never"));
        break;
      case schema::Expectation::kEventually: {
        const std::string at = FieldPath(path, "eventually");
        CheckPattern(expectation.eventually().seen(), FieldPath(at, "seen"));
        if (expectation.eventually().has_after()) {
          CheckPattern(expectation.eventually().after(),
                       FieldPath(at, "after"));
        }
        break;
      }
      case schema::Expectation::kFactFingerprint:
        CheckFingerprint(expectation.fact_fingerprint(),
                         FieldPath(path, "fact_fingerprint"));
        break;
      default:
        break;  // Not given, or not supported yet: told already.
    }
  }

 private:
  static bool IsAboutFacts(const schema::Expectation& expectation) {
    return expectation.has_sometimes() || expectation.has_never() ||
           expectation.has_eventually() || expectation.has_fact_fingerprint();
  }

  // Whether it can be asked about a topic, or some queues.
  static bool HasParts(const schema::Expectation& expectation, bool queues) {
    switch (expectation.what_case()) {
      case schema::Expectation::kLost:
      case schema::Expectation::kDuplicates:
      case schema::Expectation::kSkipped:
      case schema::Expectation::kOutOfOrder:
      case schema::Expectation::kDeadLetters:
      case schema::Expectation::kMoves:
      case schema::Expectation::kLag:
      case schema::Expectation::kUnownedQueueSeconds:
      case schema::Expectation::kDoubleOwnedQueueSeconds:
      case schema::Expectation::kFlowControl:
      case schema::Expectation::kMetric:
        return true;
      case schema::Expectation::kLatency:
        return !queues;
      default:
        return false;
    }
  }

  static std::string WordOf(const schema::Expectation& expectation) {
    const auto* field = expectation.GetReflection()->GetOneofFieldDescriptor(
        expectation, expectation.GetDescriptor()->FindOneofByName("what"));
    return field == nullptr ? "it" : field->name();
  }

  void CheckAboutFacts(const schema::Expectation& expectation,
                       const std::string& path) {
    for (const absl::string_view name :
         {"group", "consumer", "topic", "queues"}) {
      const std::string at = FieldPath(path, name);
      if (!judge_.WasWritten(at)) continue;
      judge_.Name(at, expectation.has_fact_fingerprint()
                          ? absl::StrCat("the fingerprint is that of all facts")
                          : absl::StrCat("what a fact is about is said in its "
                                         "pattern"));
    }
  }

  void CheckSubject(const schema::Expectation& expectation,
                    const std::string& path) {
    if (expectation.has_consumer() && !expectation.has_metric()) {
      judge_.Name(FieldPath(path, "consumer"),
                  "only a metric can be asked of one consumer");
    }
    for (const bool queues : {false, true}) {
      const absl::string_view name = queues ? "queues" : "topic";
      if (!(queues ? expectation.has_queues() : expectation.has_topic())) {
        continue;
      }
      if (!HasParts(expectation, queues)) {
        judge_.Name(FieldPath(path, name),
                    absl::StrCat(WordOf(expectation), " cannot be asked of ",
                                 queues ? "queues" : "a topic"));
      } else if (expectation.has_consumer()) {
        judge_.Name(FieldPath(path, name),
                    "a metric of a consumer is about all its queues");
      }
    }
    if (expectation.has_topic()) CheckTopic(expectation, path);
    if (expectation.has_queues()) {
      names_.CheckQueues(expectation.queues(),
                         names_.TopicNamed(expectation.topic()),
                         FieldPath(path, "queues"));
    }
  }

  // Whether a consumer of the group subscribes to the topic as it runs.
  bool SubscribesLater(const schema::Group& group,
                       const std::string& topic) const {
    for (const schema::Event& event : scenario_.at()) {
      for (const auto& subscription : event.change_subscription().subscribe()) {
        if (subscription.topic() != topic) continue;
        const auto& consumers = event.change_subscription().consumer();
        if (std::any_of(consumers.begin(), consumers.end(),
                        [&](const std::string& consumer) {
                          return names_.GroupOf(consumer) == &group;
                        })) {
          return true;
        }
      }
    }
    return false;
  }

  // A group that it is about reads the topic.
  void CheckTopic(const schema::Expectation& expectation,
                  const std::string& path) {
    if (names_.TopicNamed(expectation.topic()) == nullptr) return;
    for (const schema::Group& group : scenario_.group()) {
      if (expectation.has_group() && group.name() != expectation.group()) {
        continue;
      }
      for (const schema::Subscription& subscription : group.subscribe()) {
        if (subscription.topic() == expectation.topic()) return;
      }
      if (SubscribesLater(group, expectation.topic())) return;
    }
    judge_.Value(
        FieldPath(path, "topic"),
        absl::StrCat(expectation.has_group()
                         ? absl::StrCat("group ", Quote(expectation.group()),
                                        " does not subscribe")
                         : std::string("no group subscribes"),
                     " to topic ", Quote(expectation.topic())));
  }

  void CheckWindow(const schema::Expectation& expectation,
                   const std::string& path) {
    const bool windowless = expectation.has_allocation() ||
                            expectation.has_lag_recovery() ||
                            expectation.has_fact_fingerprint();
    for (const absl::string_view name :
         {"from", "to", "after_event", "lasts"}) {
      const std::string at = FieldPath(path, name);
      if (!judge_.WasWritten(at)) continue;
      if (windowless) {
        judge_.Name(at, absl::StrCat(WordOf(expectation), " has no window"));
        return;
      }
      if ((name == "from" || name == "to") && expectation.has_after_event()) {
        judge_.Name(at, absl::StrCat(name, " cannot stand beside after_event"));
        return;
      }
      if (name == "lasts" && !expectation.has_after_event()) {
        judge_.Name(at, "lasts needs after_event");
        return;
      }
    }
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
         {absl::string_view("at_least"), absl::string_view("at_most"),
          absl::string_view("equals"), absl::string_view("within"),
          kUnknownField}) {
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

  template <class Bound>
  void CheckDurations(const Bound& bound, const std::string& path) {
    if (!bound.has_at_least() && !bound.has_within()) {
      Missing(path, "at_least or within");
    }
    const absl::StatusOr<Duration> least = ParseDuration(bound.at_least());
    const absl::StatusOr<Duration> most = ParseDuration(bound.within());
    if (least.ok() && most.ok() && *least > *most) Crossed(path);
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
    const schema::Group* group = names_.GroupOf(bound.consumer());
    if (group == nullptr) return;  // Told already.
    CheckGroupOfConsumer(expectation, *group, bound.consumer(), path);
    if (!bound.has_topic() && group->subscribe_size() > 1) {
      judge_.Name(path, absl::StrCat("AllocationBound needs topic, as group ",
                                     Quote(group->name()), " subscribes to ",
                                     group->subscribe_size()));
    }
    names_.CheckQueues(bound.queues(), names_.TopicNamed(bound.topic()),
                       FieldPath(path, "queues"));
  }

  void CheckPattern(const schema::FactPattern& pattern,
                    const std::string& path) {
    if (pattern.has_fact() && pattern.fact() == schema::FACT_UNSPECIFIED) {
      judge_.Value(FieldPath(path, "fact"), "a fact must be named",
                   "see groupsim list facts");
    }
    names_.CheckQueues(pattern.queues(), names_.TopicNamed(pattern.topic()),
                       FieldPath(path, "queues"));
  }

  void CheckFingerprint(const schema::FingerprintBound& bound,
                        const std::string& path) {
    const std::string& text = bound.equals();
    const bool hexadecimal =
        text.size() == 16 && std::all_of(text.begin(), text.end(), [](char c) {
          return absl::ascii_isxdigit(c);
        });
    if (bound.has_equals() && !hexadecimal) {
      judge_.Value(FieldPath(path, "equals"),
                   absl::StrCat(Quote(text),
                                " is not 16 hexadecimal digits, as a run "
                                "prints them"));
    }
  }

  void CheckMetric(const schema::Expectation& expectation,
                   const std::string& path) {
    const schema::MetricBound& bound = expectation.metric();
    CheckBounds(bound, path);
    const google::protobuf::Descriptor* metrics =
        Report::GroupMetrics::descriptor();
    absl::string_view of = "group";
    if (expectation.has_consumer()) {
      metrics = Report::ConsumerMetrics::descriptor();
      of = "consumer";
    } else if (expectation.has_queues()) {
      metrics = Report::QueueMetrics::descriptor();
      of = "queue";
    } else if (expectation.has_topic()) {
      metrics = Report::TopicMetrics::descriptor();
      of = "topic";
    }
    if (!bound.name().empty() &&
        metrics->FindFieldByName(bound.name()) == nullptr) {
      std::vector<absl::string_view> names;
      for (int i = 0; i < metrics->field_count(); ++i) {
        names.push_back(metrics->field(i)->name());
      }
      const absl::string_view nearest = NearestName(bound.name(), names);
      judge_.Value(
          FieldPath(path, "name"),
          absl::StrCat("there is no metric ", Quote(bound.name()), " of a ",
                       of),
          nearest.empty()
              ? absl::StrCat("there are ",
                             ListNames(NearestFirst(bound.name(), names), 4),
                             "; see groupsim list metrics")
              : DidYouMean(nearest));
    }
    if (!expectation.has_consumer()) return;
    const schema::Group* group = names_.GroupOf(expectation.consumer());
    if (group != nullptr) {
      CheckGroupOfConsumer(expectation, *group, expectation.consumer(), path);
    }
  }

  const Scenario& scenario_;
  ScenarioNames& names_;
  Judge& judge_;
};

}  // namespace

void CheckExpectations(const Scenario& scenario, ScenarioNames& names,
                       Judge& judge) {
  BoundsChecker checker(scenario, names, judge);
  for (int i = 0; i < scenario.expect_size() && !judge.full(); ++i) {
    checker.Check(scenario.expect(i), FieldPath("", "expect", i));
  }
}

}  // namespace groupsim
