#include "scenarios/runner/report_builder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/base/name.h"
#include "model/facts/fact.h"
#include "model/runtime/remoting.h"
#include "model/wire/codes.h"
#include "scenarios/faults/cast.h"
#include "scenarios/faults/timeline.h"
#include "scenarios/measure/audit.h"
#include "scenarios/measure/metrics.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/strategies/strategy_of.h"

namespace groupsim {
namespace {

constexpr int kSchemaVersion = 1;

std::string Hex(uint64_t value) { return absl::StrFormat("%016x", value); }

void FillRun(const ReportParts& parts, Report& report) {
  Report::Run& run = *report.mutable_run();
  run.set_scenario(parts.options.scenario_name);
  run.set_title(parts.scenario.title());
  run.set_seed(parts.world.seed());
  run.set_version(kVersion);
  run.set_duration_seconds(Seconds(parts.world.now().since_start()));
  run.set_brokers(parts.scenario.broker_size());
  run.set_name_servers(std::max(1, parts.scenario.name_server().count()));
  run.set_reproduce(parts.options.reproduce);

  Report::Fingerprints& prints = *report.mutable_fingerprints();
  prints.set_facts(Hex(parts.world.trace().fact_fingerprint()));
  prints.set_schedule(Hex(parts.world.engine().schedule_fingerprint()));
  prints.set_fact_count(static_cast<int64_t>(parts.world.trace().facts()));
  prints.set_event_count(static_cast<int64_t>(parts.world.engine().fired()));
  for (const FactKindInfo& kind : AllFactKinds()) {
    Report::FactCount& count = *report.add_fact_counts();
    count.set_kind(std::string(kind.name));
    count.set_count(
        static_cast<int64_t>(parts.world.trace().CountOf(kind.kind)));
  }
}

void FillTopics(const ReportParts& parts, Report& report) {
  const Growth growth(parts.scenario);
  for (int i = 0; i < parts.scenario.topic_size(); ++i) {
    const schema::Topic& topic = parts.scenario.topic(i);
    Report::TopicReport& out = *report.add_topics();
    out.set_name(topic.name());
    out.set_queues(static_cast<int32_t>(growth.MostQueues(topic)));
    out.set_brokers(topic.broker_size());
    out.set_stored_before(parts.stage.stored_before()[static_cast<size_t>(i)]);
    int64_t stored = 0;
    const Subjects& subjects = parts.stage.subjects();
    for (size_t q = 0; q < subjects.queues().size(); ++q) {
      if (subjects.queues()[q].queue.topic.text() == topic.name()) {
        stored +=
            parts.measures.delivery().stored_in(static_cast<QueueIndex>(q));
      }
    }
    out.set_stored(stored);
  }
}

void FillSeries(const ReportParts& parts, GroupIndex group,
                Report::TimeSeries& out) {
  OwnershipMeasure& ownership = parts.measures.ownership(group);
  DeliveryMeasure& delivery = parts.measures.delivery();
  out.set_step_seconds(Seconds(ownership.alive_columns().width()));
  for (const Columns::Column& c : ownership.alive_columns().columns()) {
    out.add_consumers_alive(static_cast<int32_t>(c.min));
  }
  for (const Columns::Column& c : ownership.unowned_columns().columns()) {
    out.add_queues_unowned(static_cast<int32_t>(c.max));
  }
  for (const Columns::Column& c : ownership.double_owned_columns().columns()) {
    out.add_queues_double_owned(static_cast<int32_t>(c.max));
  }
  for (const Columns::Column& c : delivery.lag(group).columns().columns()) {
    out.add_lag(c.max);
  }
  for (const Columns::Column& c : ownership.jain_columns().columns()) {
    out.add_jain(static_cast<double>(c.min) / 1e6);
  }
  for (const Columns::Column& c : ownership.idle_columns().columns()) {
    out.add_consumers_idle(static_cast<int32_t>(c.max));
  }
  for (const Columns::Column& c : delivery.at_risk_columns(group).columns()) {
    out.add_at_risk(c.max);
  }
  for (const DeliveryMeasure::Flow& flow : delivery.flow(group)) {
    out.add_stored(flow.stored);
    out.add_deliveries(flow.deliveries);
    out.add_duplicates(flow.duplicates);
  }
}

void FillQueues(const ReportParts& parts, GroupIndex group,
                Report::GroupReport& out) {
  const Subjects& subjects = parts.stage.subjects();
  const Subjects::Group& own = subjects.groups()[static_cast<size_t>(group)];
  OwnershipMeasure& ownership = parts.measures.ownership(group);
  const std::vector<DeliveryMeasure::QueueResult> delivered =
      parts.measures.delivery().QueueResults(group);
  const std::vector<Report::QueueMetrics> metrics =
      QueueMetricsOf(parts.measures, group);
  for (size_t i = 0; i < own.queues.size(); ++i) {
    const MessageQueue& queue =
        subjects.queues()[static_cast<size_t>(own.queues[i])].queue;
    Report::QueueReport& row = *out.add_queue();
    row.set_topic(queue.topic.text());
    row.set_broker(queue.broker.text());
    row.set_queue(queue.queue_id);
    row.set_max_offset(delivered[i].max_offset);
    row.set_committed_offset(delivered[i].committed);
    for (const ConsumerIndex owner : ownership.queues()[i].owners_at_end) {
      row.add_owners(
          subjects.consumers()[static_cast<size_t>(owner)].process.text());
    }
    const Report::QueueMetrics& own_metrics = metrics[i];
    row.set_unowned_seconds(own_metrics.unowned_seconds());
    row.set_double_owned_seconds(own_metrics.double_owned_seconds());
    row.set_moves(own_metrics.queue_moves());
    row.set_deliveries(own_metrics.deliveries());
    row.set_duplicates(own_metrics.duplicates());
    row.set_skipped(own_metrics.skipped());
    if (own_metrics.has_takeover_max_seconds()) {
      row.set_takeover_max_seconds(own_metrics.takeover_max_seconds());
    }
    if (own_metrics.has_time_to_first_owner_seconds()) {
      row.set_time_to_first_owner_seconds(
          own_metrics.time_to_first_owner_seconds());
    }
    *row.mutable_metrics() = own_metrics;
  }
}

// Topics in the order in which the group's queues come.
void FillGroupTopics(const ReportParts& parts, GroupIndex group,
                     Report::GroupReport& out) {
  const Subjects& subjects = parts.stage.subjects();
  Name last;
  for (const QueueIndex queue :
       subjects.groups()[static_cast<size_t>(group)].queues) {
    const Name topic =
        subjects.queues()[static_cast<size_t>(queue)].queue.topic;
    if (topic == last) continue;
    last = topic;
    Report::GroupTopicReport& row = *out.add_topic();
    row.set_topic(topic.text());
    FillTopicMetrics(parts.measures, group, topic, row.mutable_metrics());
  }
}

void FillChanges(const ReportParts& parts, GroupIndex group,
                 Report::GroupReport& out) {
  const Subjects& subjects = parts.stage.subjects();
  const OwnershipMeasure& ownership = parts.measures.ownership(group);
  const std::vector<std::optional<Duration>>& agreements =
      ownership.views().by_change();
  for (size_t i = 0; i < ownership.events().size(); ++i) {
    const OwnershipMeasure::Event& event = ownership.events()[i];
    Report::ChangeReport& change = *out.add_changes();
    change.set_time_seconds(Seconds(event.time.since_start()));
    change.set_cause(
        absl::StrCat(subjects.consumers()[static_cast<size_t>(event.consumer)]
                         .process.text(),
                     " ", DescribeChange(event.cause)));
    change.set_moved(event.moves);
    change.set_necessary(event.necessary_moves);
    if (event.convergence.has_value()) {
      change.set_convergence_seconds(Seconds(*event.convergence));
    }
    if (agreements[i].has_value()) {
      change.set_view_agreement_seconds(Seconds(*agreements[i]));
    }
  }
}

// The strategy of a group, or those that its members mix, in the order of the
// scenario: "averagely", "averagely + averagely_by_circle".
std::string StrategiesOf(const schema::Group& group) {
  if (group.message_model() == schema::Group::BROADCASTING) {
    return "broadcasting";
  }
  std::vector<std::string> names;
  for (const schema::Consumer& consumer : group.consumer()) {
    const std::string name = StrategyName(StrategyOf(group, consumer));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return absl::StrJoin(names, " + ");
}

// How the consumers of a group consume: "concurrently", "orderly", "pull",
// "lite pull", or several of these.
std::string ModesOf(const schema::Group& group) {
  bool concurrently = false;
  bool orderly = false;
  bool pull = false;
  bool lite_pull = false;
  for (const schema::Consumer& consumer : group.consumer()) {
    (IsLitePull(group, consumer)  ? lite_pull
     : IsPull(group, consumer)    ? pull
     : IsOrderly(group, consumer) ? orderly
                                  : concurrently) = true;
  }
  std::vector<std::string> modes;
  if (concurrently) modes.push_back("concurrently");
  if (orderly) modes.push_back("orderly");
  if (pull) modes.push_back("pull");
  if (lite_pull) modes.push_back("lite pull");
  return modes.empty() ? "concurrently" : absl::StrJoin(modes, " and ");
}

void FillGroups(const ReportParts& parts, Report& report) {
  const Subjects& subjects = parts.stage.subjects();
  for (size_t g = 0; g < subjects.groups().size(); ++g) {
    const auto group = static_cast<GroupIndex>(g);
    const schema::Group& spec = parts.scenario.group(static_cast<int>(g));
    Report::GroupReport& out = *report.add_groups();
    out.set_name(spec.name());
    for (const schema::Subscription& subscription : spec.subscribe()) {
      out.add_topics(subscription.topic());
    }
    out.set_strategy(StrategiesOf(spec));
    out.set_mode(ModesOf(spec));
    const Subjects::Group& own = subjects.groups()[g];
    out.set_consumers(static_cast<int32_t>(own.consumers.size()));
    out.set_queues(static_cast<int32_t>(own.queues.size()));
    FillGroupMetrics(parts.measures, group, out.mutable_metrics());
    for (const ConsumerIndex consumer : own.consumers) {
      Report::ConsumerReport& row = *out.add_consumer();
      row.set_name(
          subjects.consumers()[static_cast<size_t>(consumer)].process.text());
      FillConsumerMetrics(parts.measures, consumer, row.mutable_metrics());
    }
    FillQueues(parts, group, out);
    FillSeries(parts, group, *out.mutable_series());
    FillGroupTopics(parts, group, out);
    FillChanges(parts, group, out);
  }
}

// Why a send failed, from the number in its fact.
std::string WhyOf(int64_t number) {
  if (number == 0) return "not sent";
  return std::string(number > 0 ? NameOf(static_cast<ResponseCode>(number))
                                : NameOf(static_cast<CallError>(-number)));
}

void FillProducers(const ReportParts& parts, Report& report) {
  int i = 0;
  for (const Cast::ProducerPart& producer : parts.stage.cast().producers()) {
    const ProducingMeasure::Result& result =
        parts.producing.producer(static_cast<size_t>(i));
    Report::ProducerReport& out = *report.add_producers();
    out.set_name(producer.host->name().text());
    out.set_topic(producer.workload->topic().text());
    ++i;
    out.set_arrived(producer.workload->arrived());
    out.set_sent(result.sent);
    out.set_failed(result.failed);
    out.set_sent_oneway(result.sent_oneway);
    out.set_retries(result.retries);
    out.set_isolated_seconds(Seconds(result.isolated));
    for (const auto& [number, count] : result.failures) {
      Report::SendFailure& failure = *out.add_failures();
      failure.set_why(WhyOf(number));
      failure.set_count(count);
    }
    if (result.latency.count() > 0) {
      out.set_send_p50_seconds(Seconds(result.latency.Percentile(500)));
      out.set_send_p90_seconds(Seconds(result.latency.Percentile(900)));
      out.set_send_p999_seconds(Seconds(result.latency.Percentile(999)));
      out.set_send_p99_seconds(Seconds(result.latency.Percentile(990)));
      out.set_send_max_seconds(Seconds(result.latency.max()));
    }
  }
}

void FillTimeline(const ReportParts& parts, Report& report) {
  for (const Timeline::Entry& entry : parts.stage.timeline().entries()) {
    Report::TimelineReport& out = *report.add_timeline();
    out.set_name(entry.plan.name);
    out.set_when(DescribeWhen(entry.plan.when));
    out.set_event(entry.plan.action->Describe());
    out.set_times(entry.times);
    out.set_subjects(entry.subjects);
    if (entry.first.has_value()) {
      out.set_time_seconds(Seconds(entry.first->since_start()));
    }
    const std::string reason = WhyVacuous(entry);
    if (reason.empty()) continue;
    out.set_vacuous(reason);
    report.add_reasons(absl::StrCat("timeline: \"", out.event(), "\" ",
                                    out.when(), " ", reason));
    if (report.verdict() == Report::PASSED) {
      report.set_verdict(Report::VACUOUS);
    }
  }
}

void FillExpectations(const ReportParts& parts, Report& report) {
  bool failed = false;
  bool vacuous = false;
  RunEnd end;
  end.time = parts.world.now();
  end.fact_fingerprint = parts.world.trace().fact_fingerprint();
  for (Report::ExpectationReport& item : parts.expectations.Judge(end)) {
    if (item.verdict() != Report::PASSED) {
      (item.verdict() == Report::FAILED ? failed : vacuous) = true;
      report.add_reasons(absl::StrCat(
          "expect[", item.index(), "] ",
          item.verdict() == Report::FAILED ? "failed" : "is vacuous", ": ",
          item.expectation(),
          item.verdict() == Report::FAILED
              ? absl::StrCat(", was ", item.actual())
              : absl::StrCat(": ", item.cause())));
    }
    *report.add_expectations() = std::move(item);
  }
  if (failed) {
    report.set_verdict(Report::FAILED);
  } else if (vacuous && report.verdict() == Report::PASSED) {
    report.set_verdict(Report::VACUOUS);
  }
}

void FillAudits(const ReportParts& parts, Report& report) {
  for (const AuditLaw law : AllAuditLaws()) {
    Report::AuditReport& out = *report.add_audits();
    out.set_name(std::string(NameOf(law)));
    out.set_checks(parts.measures.audit().checks(law));
    out.set_held(true);
    for (const Audit::Violation& violation :
         parts.measures.audit().violations()) {
      if (violation.law != law) continue;
      out.set_held(false);
      out.set_finding(
          absl::StrCat(ToString(violation.time), ": ", violation.what));
      break;
    }
  }
}

}  // namespace

Report BuildReport(const ReportParts& parts) {
  Report report;
  report.set_schema_version(kSchemaVersion);
  report.set_verdict(Report::PASSED);
  FillRun(parts, report);
  FillTopics(parts, report);
  FillGroups(parts, report);
  FillProducers(parts, report);
  FillTimeline(parts, report);
  FillExpectations(parts, report);
  FillAudits(parts, report);
  if (!parts.livelock.empty()) {
    report.set_verdict(Report::FAILED);
    report.add_reasons(absl::StrCat("livelock at ", ToString(parts.world.now()),
                                    ": ", parts.livelock));
  }
  return report;
}

}  // namespace groupsim
