#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "scenarios/lint/lints.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

// When the last part of a rolling restart begins, counted from its first.
Duration LengthOf(const LintSubject& subject,
                  const schema::RollingRestart& restart) {
  for (const LintGroup& group : subject.groups()) {
    if (group.group->name() != restart.group()) continue;
    const int64_t at_a_time = std::max(restart.at_a_time(), 1);
    const int64_t batches = (group.members + at_a_time - 1) / at_a_time;
    const Duration down = DurationOr(restart.down_for(), 15s);
    const Duration one = down + DurationOr(restart.pause(), 30s);
    return one * std::max<int64_t>(batches - 1, 0) + down;
  }
  return Duration();
}

// When something happens for the first time; nothing is known of what waits
// for a fact.
std::string FirstTimeField(const schema::Event& event) {
  if (event.has_time()) return "time";
  if (event.has_every()) return event.has_from() ? "from" : "every";
  return "";
}

bool SharesABroker(const schema::ShrinkQueues& a,
                   const schema::ShrinkQueues& b) {
  if (a.broker_size() == 0 || b.broker_size() == 0) return true;
  return std::any_of(
      a.broker().begin(), a.broker().end(), [&b](const std::string& broker) {
        return std::find(b.broker().begin(), b.broker().end(), broker) !=
               b.broker().end();
      });
}

}  // namespace

void LookAtFaultAfterEnd(const LintSubject& subject, LintNotes& notes) {
  for (int i = 0; i < subject.scenario().at_size(); ++i) {
    const schema::Event& event = subject.scenario().at(i);
    const std::string field = FirstTimeField(event);
    if (field.empty()) continue;
    const std::string& text = field == "time"   ? event.time()
                              : field == "from" ? event.from()
                                                : event.every();
    const Duration time = DurationOr(text, Duration());
    if (time > subject.end()) {
      notes.Add(absl::StrCat(EventPath(i), ".", field),
                absl::StrCat("this happens at ", FormatDuration(time),
                             ", after the end of the run (",
                             FormatDuration(subject.end()), ")"));
    } else if (event.has_rolling_restart()) {
      const Duration last = time + LengthOf(subject, event.rolling_restart());
      if (last <= subject.end()) continue;
      notes.Add(
          absl::StrCat(EventPath(i), ".rolling_restart"),
          absl::StrCat("the rolling restart needs until ", FormatDuration(last),
                       "; the run ends at ", FormatDuration(subject.end())));
    }
  }
}

void LookAtConsumeFromLastWithGrowingQueues(const LintSubject& subject,
                                            LintNotes& notes) {
  for (int i = 0; i < subject.scenario().at_size(); ++i) {
    const schema::Event& event = subject.scenario().at(i);
    if (notes.full()) return;
    if (!event.has_add_queues()) continue;
    for (const LintGroup& group : subject.groups()) {
      if (group.group->consume_from_where() !=
          schema::CONSUME_FROM_LAST_OFFSET) {
        continue;
      }
      const auto topic = std::find_if(
          group.topics.begin(), group.topics.end(),
          [&event](const LintTopic& subscribed) {
            return event.add_queues().topic().empty() ||
                   subscribed.topic->name() == event.add_queues().topic();
          });
      if (topic == group.topics.end()) continue;
      notes.Add(
          absl::StrCat(EventPath(i), ".add_queues"),
          absl::StrCat("group \"", group.group->name(),
                       "\" begins new queues of topic \"", topic->topic->name(),
                       "\" at their end: it skips what is sent there "
                       "before it finds them"));
    }
  }
}

void LookAtShrinkBeforeDrain(const LintSubject& subject, LintNotes& notes) {
  const Scenario& scenario = subject.scenario();
  for (int i = 0; i < scenario.at_size(); ++i) {
    const schema::Event& event = scenario.at(i);
    const schema::ShrinkQueues& shrink = event.shrink_queues();
    if (notes.full()) return;
    if (!shrink.has_read_to()) continue;
    const Duration time = DurationOr(event.time(), Duration::Max());
    const bool drained = std::any_of(
        scenario.at().begin(), scenario.at().end(),
        [&](const schema::Event& other) {
          const schema::ShrinkQueues& before = other.shrink_queues();
          return before.has_write_to() &&
                 before.write_to() <= shrink.read_to() &&
                 before.topic() == shrink.topic() &&
                 SharesABroker(before, shrink) &&
                 DurationOr(other.time(), Duration::Max()) < time;
        });
    if (drained) continue;
    notes.Add(absl::StrCat(EventPath(i), ".shrink_queues.read_to"),
              absl::StrCat("queues from ", shrink.read_to(),
                           " on are closed to readers; nothing closed them to "
                           "writers before"));
  }
}

}  // namespace groupsim
