#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "model/broker/delay_levels.h"
#include "model/broker/settings.h"
#include "scenarios/lint/lints.h"
#include "scenarios/reader/inherited.h"
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
  // One in a hundred takes so long.
  if (law.has_exponential()) return time(law.exponential().mean()) * 46 / 10;
  if (law.has_lognormal()) {
    const schema::Lognormal& lognormal = law.lognormal();
    return std::max(
        {time(lognormal.p90()), time(lognormal.p99()), time(lognormal.p999())});
  }
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

// At most a hundred years: longer than any run, and no overflow.
Duration PerCentOf(Duration time, int32_t per_cent) {
  constexpr Duration kMost = Duration::Seconds(int64_t{100} * 365 * 86'400);
  const __int128 nanos = static_cast<__int128>(time.nanos()) * per_cent / 100;
  return Duration::Nanos(
      static_cast<int64_t>(std::min<__int128>(nanos, kMost.nanos())));
}

// A listener, and the settings of some who have it.
struct ListenerUse {
  const schema::Listener* listener = nullptr;
  std::string path;
  schema::ConsumeSettings consume;
};

// Every listener of a scenario with all settings that go with it, except those
// of groups that broadcast and of applications that pull: nobody there sends
// back or locks.
std::vector<ListenerUse> ListenersOf(const LintSubject& subject) {
  std::vector<ListenerUse> uses;
  for (const LintGroup& group : subject.groups()) {
    if (group.broadcasts()) continue;
    for (int i = 0; i < group.group->consumer_size(); ++i) {
      const schema::Consumer& block = group.group->consumer(i);
      if (ApplicationPulls(*group.group, block)) continue;
      uses.push_back(
          {&ListenerOf(*group.group, block),
           absl::StrCat(block.has_listener() ? group.PathOf(i) : group.path,
                        ".listener"),
           ConsumeOf(*group.group, block)});
    }
  }
  return uses;
}

// Adds what has not been said of a place.
class OncePerPlace {
 public:
  explicit OncePerPlace(LintNotes& notes) : notes_(notes) {}
  void Add(const std::string& path, std::string text) {
    if (places_.insert(path).second) notes_.Add(path, std::move(text));
  }

 private:
  LintNotes& notes_;
  std::set<std::string> places_;
};

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

// Longer than any run.
constexpr Duration kEnough = 24h * 365;

// From the first failure to the last of `retries` deliveries more, at least.
Duration LengthOfRetries(const DelayLevels& levels, int64_t retries,
                         int32_t delay_level) {
  // Where the listener does not ask for a level, the broker takes the third for
  // the first retry and the next one for each further.
  constexpr int64_t kFirstLevel = 3;
  Duration length;
  for (int64_t i = 0; i < retries && length < kEnough; ++i) {
    const int64_t level = delay_level > 0 ? delay_level : kFirstLevel + i;
    length += levels.DelayOf(
        static_cast<int32_t>(std::min<int64_t>(level, levels.max())));
  }
  return length;
}

// The same where the queue rests in between.
Duration LengthOfRests(int64_t retries,
                       const schema::ConsumeSettings& consume) {
  const Duration rest =
      std::clamp(DurationOr(consume.suspend_current_queue_time_millis(), 1s),
                 Duration(10ms), Duration(30s));
  return retries > kEnough / rest ? kEnough : rest * retries;
}

// How long the brokers let messages wait; of several the slowest.
Duration LengthAtBrokers(const LintSubject& subject, int64_t retries,
                         int32_t delay_level) {
  Duration longest;
  for (const schema::Broker& broker : subject.scenario().broker()) {
    const schema::BrokerSettings settings = subject.SettingsOf(broker);
    const absl::StatusOr<DelayLevels> levels =
        DelayLevels::Parse(settings.has_message_delay_level()
                               ? settings.message_delay_level()
                               : BrokerSettings().message_delay_level);
    if (!levels.ok()) continue;
    longest = std::max(longest, LengthOfRetries(*levels, retries, delay_level));
  }
  return longest;
}

}  // namespace

void LookAtCacheLargerThanHeap(const LintSubject& subject, LintNotes& notes) {
  for (const LintGroup& group : subject.groups()) {
    if (group.members == 0) continue;
    for (int block = 0; block < group.group->consumer_size(); ++block) {
      const schema::ConsumeSettings consume =
          ConsumeOf(*group.group, group.group->consumer(block));
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
            group.broadcasts()
                ? topic.queues
                : (topic.queues + group.members - 1) / group.members;
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
          DurationOr(ClientOf(*group.group, group.group->consumer(block))
                         .heartbeat_broker_interval(),
                     30s);
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
                      return group.orderly() && !group.broadcasts() &&
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
  OncePerPlace once(notes);
  for (const ListenerUse& use : ListenersOf(subject)) {
    if (use.consume.mode() != schema::ConsumeSettings::ORDERLY) continue;
    const schema::Listener& listener = *use.listener;
    const Duration limit =
        DurationOr(use.consume.unlock_delay_time_mills(), 20s);
    const auto note = [&](const std::string& path, absl::string_view call,
                          Duration takes) {
      if (takes <= limit) return;
      once.Add(path,
               absl::StrCat(call,
                            takes == Duration::Max() ? "for ever"
                                                     : FormatDuration(takes),
                            "; the lock of a queue that moves is given away ",
                            FormatDuration(limit), " after its last renewal"));
    };
    const int32_t per_cent =
        listener.has_time_per_cent() ? listener.time_per_cent() : 100;
    const int32_t batch =
        std::max(use.consume.consume_message_batch_max_size(), 1);
    note(absl::StrCat(use.path, ".service_time"), "a call takes about ",
         PerCentOf(TypicalTime(listener.service_time()) +
                       TypicalTime(listener.service_time_per_message()) * batch,
                   per_cent));
    for (int i = 0; i < listener.hang_size(); ++i) {
      note(absl::StrCat(use.path, ".hang[", i, "]"), "such a call takes ",
           DurationOr(listener.hang(i).lasts(), Duration::Max()));
    }
    for (int i = 0; i < listener.fails_size(); ++i) {
      const schema::Failure& failure = listener.fails(i);
      const bool hangs =
          failure.how() == schema::Failure::HANG && !failure.has_lasts();
      note(absl::StrCat(use.path, ".fails[", i, "]"), "such a call takes ",
           hangs ? Duration::Max() : DurationOr(failure.lasts(), Duration()));
    }
  }
}

void LookAtRetriesOutlastRun(const LintSubject& subject, LintNotes& notes) {
  OncePerPlace once(notes);
  for (const ListenerUse& use : ListenersOf(subject)) {
    const bool orderly = use.consume.mode() == schema::ConsumeSettings::ORDERLY;
    const int64_t given = use.consume.has_max_reconsume_times()
                              ? use.consume.max_reconsume_times()
                              : -1;
    const int64_t most = given >= 0 ? given : orderly ? INT64_MAX : 16;
    for (int i = 0; i < use.listener->fails_size(); ++i) {
      const schema::Failure& failure = use.listener->fails(i);
      if (failure.delay_level() < 0) continue;
      // Not retried.
      if (failure.how() == schema::Failure::HANG ||
          failure.how() == schema::Failure::COMMIT) {
        continue;
      }
      // One that fails by chance ends sooner or later.
      if (failure.per_mille() > 0 && failure.per_mille() < 1000) continue;
      // Nobody counts how often a message is rolled back.
      const int64_t limit =
          failure.how() == schema::Failure::ROLLBACK ? INT64_MAX : most;
      const int64_t retries = failure.has_times()
                                  ? std::min<int64_t>(failure.times(), limit)
                                  : limit;
      const Duration length =
          orderly ? LengthOfRests(retries, use.consume)
                  : LengthAtBrokers(subject, retries, failure.delay_level());
      if (length <= subject.end()) continue;
      once.Add(absl::StrCat(use.path, ".fails[", i, "]"),
               absl::StrCat("such a message is retried for ",
                            length >= kEnough ? "ever" : FormatDuration(length),
                            "; the run lasts ", FormatDuration(subject.end())));
    }
  }
}

}  // namespace groupsim
