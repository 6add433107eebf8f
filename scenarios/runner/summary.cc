#include "scenarios/runner/summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "scenarios/runner/readable.h"

namespace groupsim {
namespace {

constexpr size_t kLabelWidth = 31;

Duration FromSeconds(double seconds) {
  return Duration::Nanos(static_cast<int64_t>(std::llround(seconds * 1e9)));
}

std::string Line(absl::string_view label, absl::string_view text) {
  return absl::StrFormat("  %-12s %s\n", label, text);
}

// One character for a number: "." for nothing, 1 to 9, then a for 10 to z for
// 35.
constexpr int64_t kLargestDigit = 35;
char Digit(int64_t n) {
  if (n <= 0) return '.';
  return n <= 9 ? static_cast<char>('0' + n)
                : static_cast<char>('a' + (n - 10));
}

// A row of the timeline. Numbers too large for one character are divided by a
// power of ten that makes the largest one fit into a digit.
std::string Row(absl::string_view label, const std::vector<int64_t>& values) {
  const int64_t max =
      values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  int64_t unit = 1;
  if (max > kLargestDigit) {
    while (max / unit > 9) unit *= 10;
  }
  std::string text(label);
  if (unit > 1) absl::StrAppend(&text, ", in ", ReadableCount(unit), "s");
  std::string cells;
  for (const int64_t value : values) {
    // Whatever is not nothing is shown.
    cells += value > 0 && value < unit ? '+' : Digit(value / unit);
  }
  return absl::StrFormat("    %-*s %s\n", static_cast<int>(kLabelWidth - 5),
                         text, cells);
}

template <class Values>
std::vector<int64_t> Wide(const Values& values) {
  return {values.begin(), values.end()};
}

// Time marks over the columns: one every ten.
std::string Ruler(const Report::TimeSeries& series) {
  std::string marks;
  const int columns = series.consumers_alive_size();
  for (int i = 0; i <= columns; i += 10) {
    while (static_cast<int>(marks.size()) < i) marks += ' ';
    marks += ToString(FromSeconds(series.step_seconds() * i));
  }
  return marks;
}

std::string Timeline(const Report::TimeSeries& series) {
  std::string text = absl::StrFormat(
      "    %-*s %s\n", static_cast<int>(kLabelWidth - 5),
      absl::StrCat("1 column = ", ReadableTime(series.step_seconds())),
      Ruler(series));
  absl::StrAppend(&text, Row("consumers alive", Wide(series.consumers_alive())),
                  Row("queues unowned", Wide(series.queues_unowned())),
                  Row("queues owned twice", Wide(series.queues_double_owned())),
                  Row("lag", Wide(series.lag())),
                  Row("duplicates", Wide(series.duplicates())));
  return text;
}

std::string Fairness(const Report::GroupMetrics& m) {
  std::vector<std::string> parts;
  if (m.has_jain_time_weighted()) {
    parts.push_back(
        absl::StrFormat("Jain %.3f (time-weighted)", m.jain_time_weighted()));
  }
  if (m.has_jain_final()) {
    parts.push_back(absl::StrFormat("%.3f at the end", m.jain_final()));
  }
  if (m.has_max_over_mean()) {
    parts.push_back(absl::StrFormat("max/mean %.2f", m.max_over_mean()));
  }
  if (m.has_idle_consumers()) {
    parts.push_back(
        absl::StrCat("idle consumers ", ReadableCount(m.idle_consumers())));
  }
  return parts.empty() ? "no consumer owned a queue"
                       : absl::StrJoin(parts, "   ");
}

std::string Percentiles(absl::string_view what, bool present, double p50,
                        double p99, double max) {
  if (!present) return absl::StrCat(what, " none");
  return absl::StrCat(what, " p50 ", ReadableTime(p50), "   p99 ",
                      ReadableTime(p99), "   max ", ReadableTime(max));
}

std::string Group(const Report::GroupReport& group) {
  const Report::GroupMetrics& m = group.metrics();
  std::string text = absl::StrCat(
      "\n  group ", group.name(), ": ",
      ReadablePlural(group.consumers(), "consumer"), ", ",
      ReadablePlural(group.queues(), "queue"), " of ",
      group.topics_size() <= 3 ? absl::StrJoin(group.topics(), ", ")
                               : absl::StrCat(group.topics_size(), " topics"),
      ", ", group.strategy(), ", ", group.mode(), "\n\n");
  absl::StrAppend(&text, Timeline(group.series()), "\n");
  absl::StrAppend(&text, Line("fairness", Fairness(m)));
  absl::StrAppend(
      &text,
      Line("changes",
           absl::StrCat(
               ReadablePlural(m.membership_changes(), "membership change"),
               "   ", ReadablePlural(m.queue_moves(), "queue move"),
               " (necessary ", ReadableCount(m.necessary_moves()),
               ")   allocations run ", ReadableCount(m.allocations_run()),
               ", changed ", ReadableCount(m.allocations_changed()))));
  absl::StrAppend(
      &text,
      Line("convergence",
           Percentiles("after a change", m.has_convergence_max_seconds(),
                       m.convergence_p50_seconds(), m.convergence_p99_seconds(),
                       m.convergence_max_seconds())));
  absl::StrAppend(
      &text,
      Line("takeover",
           Percentiles("from release to first message",
                       m.has_takeover_max_seconds(), m.takeover_p50_seconds(),
                       m.takeover_p99_seconds(), m.takeover_max_seconds())));
  absl::StrAppend(
      &text,
      Line("ownership",
           absl::StrCat("unowned ", ReadableAmount(m.unowned_queue_seconds()),
                        " queue-s   owned twice ",
                        ReadableAmount(m.double_owned_queue_seconds()),
                        " queue-s")));
  absl::StrAppend(
      &text,
      Line("delivery",
           absl::StrCat("stored ", ReadableCount(m.stored()), "   deliveries ",
                        ReadableCount(m.deliveries()), " = distinct ",
                        ReadableCount(m.distinct()), " + duplicates ",
                        ReadableCount(m.duplicates()), " + retries ",
                        ReadableCount(m.retries()))),
      Line("", absl::StrCat("skipped ", ReadableCount(m.skipped()),
                            m.has_filtered()
                                ? absl::StrCat("   filtered ",
                                               ReadableCount(m.filtered()))
                                : "",
                            "   lost ", ReadableCount(m.lost()),
                            "   lag at the end ", ReadableCount(m.final_lag()),
                            ", at most ", ReadableCount(m.peak_lag()))));
  if (m.failed() + m.sent_back() + m.send_backs_failed() + m.expired() > 0) {
    absl::StrAppend(
        &text,
        Line("failures",
             absl::StrCat("failed ", ReadableCount(m.failed()), "   sent back ",
                          ReadableCount(m.sent_back()), "   sent anew ",
                          ReadableCount(m.resent()), "   kept for another try ",
                          ReadableCount(m.resubmitted()), "   expired ",
                          ReadableCount(m.expired()), "   dead letters ",
                          ReadableCount(m.dead_letters()), "   dropped ",
                          ReadableCount(m.dropped_by_broker()))));
    if (m.has_retry_delay_max_seconds()) {
      absl::StrAppend(
          &text, Line("", Percentiles("from a failure to the next try", true,
                                      m.retry_delay_p50_seconds(),
                                      m.retry_delay_p99_seconds(),
                                      m.retry_delay_max_seconds())));
    }
  }
  if (m.has_latency_max_seconds()) {
    absl::StrAppend(
        &text,
        Line("latency",
             absl::StrCat("p50 ", ReadableTime(m.latency_p50_seconds()),
                          "   p99 ", ReadableTime(m.latency_p99_seconds()),
                          "   p99.9 ", ReadableTime(m.latency_p999_seconds()),
                          "   max ", ReadableTime(m.latency_max_seconds()))));
  }
  absl::StrAppend(
      &text,
      Line("flow control",
           absl::StrCat(
               "count ", ReadableTime(m.flow_control_count_seconds()),
               "   size ", ReadableTime(m.flow_control_size_seconds()),
               m.has_locks_refused()
                   ? absl::StrCat("   lock ",
                                  ReadableTime(m.flow_control_lock_seconds()))
                   : "",
               "   span ", ReadableTime(m.flow_control_span_seconds()))));
  if (m.has_locks_refused()) {
    absl::StrAppend(
        &text,
        Line("locks", absl::StrCat("refused ", ReadableCount(m.locks_refused()),
                                   "   waited ",
                                   ReadableAmount(m.lock_wait_queue_seconds()),
                                   " queue-s   expired ",
                                   ReadableCount(m.locks_expired()), "   lost ",
                                   ReadableCount(m.locks_lost()))),
        Line("", absl::StrCat(
                     "removals put off ", ReadableCount(m.removals_put_off()),
                     "   unlocks forced ", ReadableCount(m.unlocks_forced()),
                     "   two at work ",
                     ReadableAmount(m.processed_twice_queue_seconds()),
                     " queue-s, ",
                     ReadablePlural(m.processing_overlaps(), "time"))));
  }
  absl::StrAppend(
      &text,
      Line("memory",
           absl::StrCat("at most ",
                        ReadablePlural(m.peak_cached_messages(), "message"),
                        " (", ReadableBytes(m.peak_cached_bytes()),
                        ") cached in one consumer")));
  return text;
}

std::string Producers(const Report& report) {
  int64_t sent = 0;
  int64_t failed = 0;
  int64_t oneway = 0;
  int64_t retries = 0;
  double isolated = 0;
  for (const Report::ProducerReport& producer : report.producers()) {
    sent += producer.sent();
    failed += producer.failed();
    oneway += producer.sent_oneway();
    retries += producer.retries();
    isolated += producer.isolated_seconds();
  }
  std::string text =
      absl::StrCat(report.producers_size(), "   sent ", ReadableCount(sent),
                   "   failed ", ReadableCount(failed));
  if (oneway > 0) absl::StrAppend(&text, "   one way ", ReadableCount(oneway));
  if (retries > 0) {
    absl::StrAppend(&text, "   tried again ", ReadableCount(retries));
  }
  if (isolated > 0) {
    absl::StrAppend(&text, "   brokers avoided for ",
                    absl::StrFormat("%.1f s", isolated));
  }
  return Line("producers", text);
}

std::string Expectations(const Report& report) {
  int passed = 0;
  int failed = 0;
  int vacuous = 0;
  std::string details;
  for (const Report::ExpectationReport& item : report.expectations()) {
    switch (item.verdict()) {
      case Report::PASSED:
        ++passed;
        continue;
      case Report::FAILED:
        ++failed;
        break;
      default:
        ++vacuous;
        break;
    }
    absl::StrAppend(&details, "    ",
                    item.verdict() == Report::FAILED ? "failed: " : "vacuous: ",
                    item.group(), item.group().empty() ? "" : ": ",
                    item.expectation());
    if (item.verdict() == Report::FAILED) {
      absl::StrAppend(&details, ", was ", item.actual());
    }
    if (item.has_violated_at_seconds()) {
      absl::StrAppend(&details, ", first at ",
                      ToString(FromSeconds(item.violated_at_seconds())));
    }
    if (!item.subject().empty()) {
      absl::StrAppend(&details, ", ", item.subject());
    }
    if (!item.cause().empty()) absl::StrAppend(&details, ", ", item.cause());
    details += "\n";
  }
  std::string text;
  if (report.expectations_size() > 0) {
    text =
        Line("expectations",
             absl::StrCat(passed, " passed, ", failed, " failed",
                          vacuous > 0 ? absl::StrCat(", ", vacuous, " vacuous")
                                      : std::string()));
    text += details;
  }
  for (const Report::TimelineReport& event : report.timeline()) {
    if (event.vacuous().empty()) continue;
    absl::StrAppend(&text, "    vacuous: timeline: ", event.event(), " ",
                    event.when(), " ", event.vacuous(), "\n");
  }
  return text;
}

absl::string_view Word(Report::Verdict verdict) {
  switch (verdict) {
    case Report::PASSED:
      return "passed";
    case Report::FAILED:
      return "FAILED";
    case Report::VACUOUS:
      return "VACUOUS";
    default:
      return "unknown";
  }
}

}  // namespace

std::string FormatSummary(const Report& report) {
  std::string text = absl::StrCat(
      report.run().scenario(), "   seed ", report.run().seed(), "   ",
      ToString(FromSeconds(report.run().duration_seconds())), " simulated\n");
  if (!report.run().title().empty()) {
    absl::StrAppend(&text, "  ", report.run().title(), "\n");
  }
  absl::StrAppend(&text, "  ", ReadablePlural(report.run().brokers(), "broker"),
                  ", ",
                  ReadablePlural(report.run().name_servers(), "name server"),
                  ", ", ReadablePlural(report.topics_size(), "topic"), ", ",
                  ReadablePlural(report.groups_size(), "group"), "\n");
  for (const Report::GroupReport& group : report.groups()) {
    text += Group(group);
  }
  text += "\n";
  if (report.producers_size() > 0) text += Producers(report);
  text += Expectations(report);
  for (const std::string& reason : report.reasons()) {
    if (reason.rfind("livelock", 0) == 0) {
      absl::StrAppend(&text, "    failed: ", reason, "\n");
    }
  }
  text += Line("verdict", Word(report.verdict()));
  text +=
      Line("facts", absl::StrCat(report.fingerprints().facts(), "   schedule ",
                                 report.fingerprints().schedule()));
  text += Line("reproduce", report.run().reproduce());
  return text;
}

std::string FormatSeedTable(const std::vector<Report>& reports) {
  std::string text =
      absl::StrFormat("  %-8s %-8s %10s %12s %12s %12s %10s %10s  %s\n", "seed",
                      "verdict", "Jain", "unowned", "owned twice", "duplicates",
                      "takeover", "p99 lat.", "facts");
  for (const Report& report : reports) {
    double unowned = 0;
    double twice = 0;
    int64_t duplicates = 0;
    double jain = 1;
    double takeover = 0;
    double latency = 0;
    for (const Report::GroupReport& group : report.groups()) {
      const Report::GroupMetrics& m = group.metrics();
      unowned += m.unowned_queue_seconds();
      twice += m.double_owned_queue_seconds();
      duplicates += m.duplicates();
      if (m.has_jain_time_weighted()) {
        jain = std::min(jain, m.jain_time_weighted());
      }
      takeover = std::max(takeover, m.takeover_max_seconds());
      latency = std::max(latency, m.latency_p99_seconds());
    }
    absl::StrAppendFormat(&text,
                          "  %-8d %-8s %10.3f %12s %12s %12s %10s %10s  %s\n",
                          report.run().seed(), Word(report.verdict()), jain,
                          ReadableAmount(unowned), ReadableAmount(twice),
                          ReadableCount(duplicates), ReadableTime(takeover),
                          ReadableTime(latency), report.fingerprints().facts());
  }
  return text;
}

}  // namespace groupsim
