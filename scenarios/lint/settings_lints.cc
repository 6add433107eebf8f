#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "scenarios/lint/lints.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

constexpr int64_t kMebi = 1 << 20;

int64_t SizeOr(const std::string& text, int64_t otherwise) {
  const absl::StatusOr<int64_t> size = ParseSize(text);
  return size.ok() ? *size : otherwise;
}

// About the mean of a distribution of sizes.
int64_t TypicalSize(const schema::Distribution& law, int64_t otherwise) {
  if (law.has_constant()) return SizeOr(law.constant(), otherwise);
  if (law.has_uniform()) {
    return (SizeOr(law.uniform().min(), 0) + SizeOr(law.uniform().max(), 0)) /
           2;
  }
  if (law.has_exponential()) {
    return SizeOr(law.exponential().mean(), otherwise);
  }
  if (law.has_lognormal()) return SizeOr(law.lognormal().median(), otherwise);
  if (law.has_bimodal()) return TypicalSize(law.bimodal().often(), otherwise);
  int64_t largest = otherwise;
  for (const schema::WeightedValue& value : law.empirical().value()) {
    largest = std::max(largest, SizeOr(value.value(), 0));
  }
  return largest;
}

// The typical body of a topic's largest source; nothing if it has no messages.
std::optional<int64_t> BodyOf(const LintSubject& subject,
                              const schema::Topic& topic) {
  constexpr int64_t kDefault = 1024;
  std::optional<int64_t> body;
  const auto add = [&body](int64_t size) {
    body = std::max(body.value_or(0), size);
  };
  for (const schema::StoredMessages& stored : topic.stored()) {
    add(SizeOr(stored.body_size(), kDefault));
  }
  for (const schema::Producer& producer : subject.scenario().producer()) {
    if (producer.topic() == topic.name()) {
      add(TypicalSize(producer.body_size(), kDefault));
    }
  }
  return body;
}

// About the longest of many times of a distribution.
Duration TypicalTime(const schema::Distribution& law) {
  const auto time = [](const std::string& text) {
    return DurationOr(text, Duration());
  };
  if (law.has_constant()) return time(law.constant());
  if (law.has_uniform()) return time(law.uniform().max());
  if (law.has_exponential()) return time(law.exponential().mean());
  if (law.has_lognormal()) return time(law.lognormal().p99());
  if (law.has_bimodal()) {
    const Duration often = TypicalTime(law.bimodal().often());
    if (law.bimodal().seldom_per_mille() == 0) return often;
    return std::max(often, TypicalTime(law.bimodal().seldom()));
  }
  Duration longest;
  for (const schema::WeightedValue& value : law.empirical().value()) {
    longest = std::max(longest, time(value.value()));
  }
  return longest;
}

// Whether the timeline makes consumers die without letting go of their locks.
bool ConsumersDie(const Scenario& scenario) {
  return std::any_of(scenario.at().begin(), scenario.at().end(),
                     [](const schema::Event& event) {
                       return event.crash().consumer_size() > 0 ||
                              event.vanish().consumer_size() > 0 ||
                              event.crash().group_size() > 0 ||
                              event.vanish().group_size() > 0 ||
                              event.restart().stop() != schema::GRACEFUL ||
                              event.rolling_restart().stop() !=
                                  schema::GRACEFUL ||
                              event.scale().stop() != schema::GRACEFUL;
                     });
}

// From the first failure to the last of `retries` deliveries more, at least.
Duration LengthOfRetries(const std::vector<Duration>& levels, int64_t retries,
                         int32_t delay_level) {
  // Where the listener does not ask for a level, the broker takes the third for
  // the first retry and the next one for each further.
  constexpr size_t kFirstLevel = 3;
  // Longer than any run.
  constexpr Duration kEnough = 24h * 365;
  Duration length;
  for (int64_t i = 0; i < retries && !levels.empty() && length < kEnough; ++i) {
    const size_t level = delay_level > 0 ? static_cast<size_t>(delay_level)
                                         : kFirstLevel + static_cast<size_t>(i);
    length = length + levels[std::min(level, levels.size()) - 1];
  }
  return length;
}

}  // namespace

void LookAtCacheLargerThanHeap(const LintSubject& subject, LintNotes& notes) {
  for (const LintGroup& group : subject.groups()) {
    if (group.members == 0) continue;
    for (int block = 0; block < group.group->consumer_size(); ++block) {
      const schema::ConsumeSettings consume = group.ConsumeOf(block);
      const int64_t count = consume.has_pull_threshold_for_queue()
                                ? consume.pull_threshold_for_queue()
                                : 1000;
      const int64_t size = (consume.has_pull_threshold_size_for_queue()
                                ? consume.pull_threshold_size_for_queue()
                                : 100) *
                           kMebi;
      int64_t queues = 0;
      int64_t bytes = 0;
      for (const LintTopic& topic : group.topics) {
        const std::optional<int64_t> body = BodyOf(subject, *topic.topic);
        if (!body) continue;
        const int64_t owned =
            (topic.queues + group.members - 1) / group.members;
        // One pull may come on top of a cache that is just below its limit.
        int64_t cached = owned * std::min(count * *body, size);
        if (consume.pull_threshold_for_topic() > 0) {
          cached = std::min(cached, consume.pull_threshold_for_topic() * *body);
        }
        if (consume.pull_threshold_size_for_topic() > 0) {
          cached =
              std::min(cached, consume.pull_threshold_size_for_topic() * kMebi);
        }
        queues += owned;
        bytes += cached;
      }
      if (bytes <= kAssumedHeapBytes) continue;
      notes.Add(group.PathOf(block),
                absl::StrFormat(
                    "each of these consumers may cache %.1f GiB in %s; a heap "
                    "of %d GiB is assumed",
                    static_cast<double>(bytes) / (1 << 30),
                    Counted(queues, "queue"), kAssumedHeapBytes >> 30));
    }
  }
}

void LookAtHeartbeatNotBelowExpiry(const LintSubject& subject,
                                   LintNotes& notes) {
  Duration shortest = Duration::Max();
  int broker = -1;
  for (int i = 0; i < subject.scenario().broker_size(); ++i) {
    const Duration expiry =
        DurationOr(subject.SettingsOf(subject.scenario().broker(i))
                       .channel_expired_timeout(),
                   120s);
    if (expiry >= shortest) continue;
    shortest = expiry;
    broker = i;
  }
  if (broker < 0) return;
  for (const LintGroup& group : subject.groups()) {
    for (int block = 0; block < group.group->consumer_size(); ++block) {
      const Duration interval =
          DurationOr(group.ClientOf(block).heartbeat_broker_interval(), 30s);
      if (interval < shortest) continue;
      const bool own =
          group.group->consumer(block).client().has_heartbeat_broker_interval();
      const bool of_group =
          group.group->client().has_heartbeat_broker_interval();
      notes.Add(own        ? absl::StrCat(group.PathOf(block),
                                          ".client.heartbeat_broker_interval")
                : of_group ? absl::StrCat(group.path,
                                          ".client.heartbeat_broker_interval")
                : subject.scenario()
                        .broker(broker)
                        .settings()
                        .has_channel_expired_timeout()
                    ? absl::StrCat("broker[", broker,
                                   "].settings.channel_expired_timeout")
                    : "broker_defaults.channel_expired_timeout",
                absl::StrCat(
                    "consumers of group \"", group.group->name(),
                    "\" send a heartbeat every ", FormatDuration(interval),
                    "; broker \"", subject.scenario().broker(broker).name(),
                    "\" forgets who sent none for ", FormatDuration(shortest)));
      // The place is the same for all that have the group's.
      if (!own) break;
    }
  }
}

void LookAtLockOutlivesTakeoverGoal(const LintSubject& subject,
                                    LintNotes& notes) {
  const Scenario& scenario = subject.scenario();
  if (!ConsumersDie(scenario)) return;
  Duration longest;
  for (const schema::Broker& broker : scenario.broker()) {
    longest = std::max(
        longest,
        DurationOr(subject.SettingsOf(broker).lock_max_live_time(), 60s));
  }
  for (int i = 0; i < scenario.expect_size(); ++i) {
    const schema::Expectation& expectation = scenario.expect(i);
    if (!expectation.takeover().has_within()) continue;
    const Duration within =
        DurationOr(expectation.takeover().within(), Duration::Max());
    const bool orderly =
        std::any_of(subject.groups().begin(), subject.groups().end(),
                    [&expectation](const LintGroup& group) {
                      return group.orderly() &&
                             (!expectation.has_group() ||
                              expectation.group() == group.group->name());
                    });
    if (!orderly || within >= longest) continue;
    notes.Add(absl::StrCat("expect[", i, "].takeover.within"),
              absl::StrCat("a takeover within ", FormatDuration(within),
                           " is expected; the locks of a consumer that died "
                           "live for ",
                           FormatDuration(longest)));
  }
}

void LookAtListenerOutlivesLock(const LintSubject& subject, LintNotes& notes) {
  const auto look = [&](const schema::Listener& listener,
                        const schema::ConsumeSettings& consume,
                        const std::string& path) {
    if (consume.mode() != schema::ConsumeSettings::ORDERLY) return;
    const Duration limit = DurationOr(consume.unlock_delay_time_mills(), 20s);
    const Duration typical = TypicalTime(listener.service_time());
    if (typical > limit) {
      notes.Add(absl::StrCat(path, ".service_time"),
                absl::StrCat("a call takes about ", FormatDuration(typical),
                             "; the lock of a queue that moves is given away ",
                             FormatDuration(limit), " after its last renewal"));
    }
    for (int i = 0; i < listener.hang_size(); ++i) {
      const schema::Hang& hang = listener.hang(i);
      const Duration lasts = DurationOr(hang.lasts(), Duration::Max());
      if (lasts <= limit) continue;
      notes.Add(
          absl::StrCat(path, ".hang[", i, "]"),
          absl::StrCat("such a call takes ",
                       hang.has_lasts() ? FormatDuration(lasts) : "for ever",
                       "; the lock of a queue that moves is given away ",
                       FormatDuration(limit), " after its last renewal"));
    }
  };
  for (const LintGroup& group : subject.groups()) {
    look(group.group->listener(), group.group->consume(),
         absl::StrCat(group.path, ".listener"));
    for (int block = 0; block < group.group->consumer_size(); ++block) {
      if (!group.group->consumer(block).has_listener()) continue;
      look(group.group->consumer(block).listener(), group.ConsumeOf(block),
           absl::StrCat(group.PathOf(block), ".listener"));
    }
  }
}

void LookAtRetriesOutlastRun(const LintSubject& subject, LintNotes& notes) {
  constexpr absl::string_view kDefaultLevels =
      "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h";
  const std::string& given =
      subject.scenario().broker_defaults().message_delay_level();
  std::vector<Duration> levels;
  for (const std::string& level : std::vector<std::string>(absl::StrSplit(
           given.empty() ? kDefaultLevels : absl::string_view(given), ' ',
           absl::SkipEmpty()))) {
    levels.push_back(DurationOr(level, Duration()));
  }
  const auto look = [&](const schema::Listener& listener,
                        const schema::ConsumeSettings& consume,
                        const std::string& path) {
    if (consume.mode() != schema::ConsumeSettings::CONCURRENTLY) return;
    const int64_t most =
        consume.has_max_reconsume_times() && consume.max_reconsume_times() >= 0
            ? consume.max_reconsume_times()
            : 16;
    for (int i = 0; i < listener.fails_size(); ++i) {
      const schema::Failure& failure = listener.fails(i);
      if (failure.delay_level() < 0) continue;
      if (failure.how() == schema::Failure::HANG) continue;  // Not retried.
      // One that fails by chance ends sooner or later.
      if (failure.per_mille() > 0 && failure.per_mille() < 1000) continue;
      const int64_t retries =
          failure.has_times() ? std::min<int64_t>(failure.times(), most) : most;
      const Duration length =
          LengthOfRetries(levels, retries, failure.delay_level());
      if (length <= subject.end()) continue;
      notes.Add(
          absl::StrCat(path, ".fails[", i, "]"),
          absl::StrCat("such a message is retried for ", FormatDuration(length),
                       "; the run lasts ", FormatDuration(subject.end())));
    }
  };
  for (const LintGroup& group : subject.groups()) {
    look(group.group->listener(), group.group->consume(),
         absl::StrCat(group.path, ".listener"));
    for (int block = 0; block < group.group->consumer_size(); ++block) {
      look(group.group->consumer(block).listener(), group.ConsumeOf(block),
           absl::StrCat(group.PathOf(block), ".listener"));
    }
  }
}

}  // namespace groupsim
