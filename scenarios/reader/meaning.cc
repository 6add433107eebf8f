#include "scenarios/reader/meaning.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "model/broker/delay_levels.h"
#include "scenarios/reader/bounds.h"
#include "scenarios/reader/effect_rules.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/reader/names.h"
#include "scenarios/reader/strategies.h"
#include "scenarios/reader/timeline_meaning.h"
#include "scenarios/reader/totals.h"
#include "scenarios/reader/traffic_rules.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

class MeaningChecker {
 public:
  MeaningChecker(const Scenario& scenario, Judge& judge)
      : scenario_(scenario),
        judge_(judge),
        growth_(scenario),
        names_(scenario, growth_, judge) {}

  void Check() {
    if (scenario_.group_size() == 0 && scenario_.producer_size() == 0 &&
        !judge_.has_errors()) {
      judge_.Name("", "there is nothing to simulate: no group and no producer");
    }
    names_.CheckReferences();
    CheckTopics();
    CheckBrokers();
    CheckLinks();
    CheckProducers();
    CheckGroups();
    CheckStrategies(scenario_, names_, judge_);
    CheckTimeline(scenario_, growth_, names_, judge_);
    CheckExpectations(scenario_, names_, judge_);
    CheckTotals(scenario_, growth_, judge_);
    CheckDistributions(scenario_, judge_);
    CheckTraffic(scenario_, judge_);
    CheckEffects(scenario_, judge_);
  }

 private:
  // ---- Parts

  void CheckTopics() {
    for (int i = 0; i < scenario_.topic_size(); ++i) {
      const schema::Topic& topic = scenario_.topic(i);
      const std::string path = FieldPath("", "topic", i);
      absl::flat_hash_set<std::string> seen;
      for (int j = 0; j < topic.broker_size(); ++j) {
        if (!seen.insert(topic.broker(j)).second) {
          judge_.Value(FieldPath(path, "broker", j),
                       absl::StrCat("broker ", Quote(topic.broker(j)),
                                    " is given twice"));
        }
      }
      for (int j = 0; j < topic.stored_size(); ++j) {
        names_.CheckQueues(topic.stored(j).queues(), &topic,
                           FieldPath(FieldPath(path, "stored", j), "queues"));
      }
    }
  }

  void CheckLinks() {
    for (int i = 0; i < scenario_.network().link_size(); ++i) {
      const schema::Link& link = scenario_.network().link(i);
      if (link.has_latency() || link.has_loss_per_mille()) continue;
      judge_.Name(FieldPath("network", "link", i),
                  "Link needs latency or loss_per_mille");
    }
  }

  void CheckBrokerSettings(const schema::BrokerSettings& settings,
                           const std::string& path) {
    for (const absl::string_view hour :
         absl::StrSplit(settings.delete_when(), ';')) {
      int number = 0;
      if (!settings.has_delete_when() ||
          (hour.size() == 2 && absl::SimpleAtoi(hour, &number) && number >= 0 &&
           number < 24)) {
        continue;
      }
      judge_.Value(FieldPath(path, "delete_when"),
                   absl::StrCat(Quote(hour), " is no hour"),
                   "write hours from 00 to 23 as \"04\" or \"04;16\"");
      break;
    }
    if (!settings.has_message_delay_level()) return;
    const absl::StatusOr<DelayLevels> levels =
        DelayLevels::Parse(settings.message_delay_level());
    if (levels.ok()) return;
    judge_.Value(FieldPath(path, "message_delay_level"),
                 std::string(levels.status().message()));
  }

  void CheckBrokers() {
    CheckBrokerSettings(scenario_.broker_defaults(), "broker_defaults");
    for (int i = 0; i < scenario_.broker_size(); ++i) {
      CheckBrokerSettings(scenario_.broker(i).settings(),
                          FieldPath(FieldPath("", "broker", i), "settings"));
    }
  }

  void CheckProducers() {
    for (int i = 0; i < scenario_.producer_size(); ++i) {
      const schema::Producer& producer = scenario_.producer(i);
      const std::string path = FieldPath("", "producer", i);
      names_.CheckQueues(producer.queues(), names_.TopicNamed(producer.topic()),
                         FieldPath(path, "queues"));
      names_.CheckQueues(producer.hot_queue().queues(),
                         names_.TopicNamed(producer.topic()),
                         FieldPath(FieldPath(path, "hot_queue"), "queues"));
      const std::optional<Duration> from = DurationOf(producer.from());
      const std::optional<Duration> until = DurationOf(producer.until());
      if (from && until && *from >= *until) {
        judge_.Value(
            FieldPath(path, producer.has_from() ? "from" : "until"),
            absl::StrCat("from (", producer.from(), ") must lie before until (",
                         producer.until(), ")"));
      }
    }
  }

  void CheckGroups() {
    for (int i = 0; i < scenario_.group_size(); ++i) {
      const schema::Group& group = scenario_.group(i);
      const std::string path = FieldPath("", "group", i);
      absl::flat_hash_set<std::string> topics;
      for (int j = 0; j < group.subscribe_size(); ++j) {
        const schema::Subscription& subscription = group.subscribe(j);
        const std::string at = FieldPath(path, "subscribe", j);
        if (!topics.insert(subscription.topic()).second) {
          judge_.Value(FieldPath(at, "topic"),
                       absl::StrCat("topic ", Quote(subscription.topic()),
                                    " is subscribed twice"));
        }
        CheckExpression(subscription, at, judge_);
      }
      if (group.has_consume_timestamp() &&
          group.consume_from_where() != schema::CONSUME_FROM_TIMESTAMP) {
        judge_.Value(FieldPath(path, "consume_timestamp"),
                     "consume_timestamp has no effect without "
                     "consume_from_where: CONSUME_FROM_TIMESTAMP");
      }
      CheckThreads(group.consume(), FieldPath(path, "consume"));
      CheckListener(group.listener(), FieldPath(path, "listener"));
      for (int j = 0; j < group.consumer_size(); ++j) {
        const std::string at = FieldPath(path, "consumer", j);
        if (group.consumer(j).has_consume()) {
          CheckThreads(ConsumeOf(group, group.consumer(j)),
                       FieldPath(at, "consume"));
        }
        CheckListener(group.consumer(j).listener(), FieldPath(at, "listener"));
        CheckOwnSubscriptions(group, j, topics, at);
        CheckAssigned(group, group.consumer(j), topics, at);
      }
      CheckCommitted(group, topics, path);
    }
  }

  // What a block subscribes to in place of the group's topics is some of them.
  void CheckOwnSubscriptions(const schema::Group& group, int block,
                             const absl::flat_hash_set<std::string>& topics,
                             const std::string& path) {
    const schema::Consumer& consumer = group.consumer(block);
    absl::flat_hash_set<std::string> own;
    for (int i = 0; i < consumer.subscribe_size(); ++i) {
      const schema::Subscription& subscription = consumer.subscribe(i);
      const std::string at = FieldPath(path, "subscribe", i);
      CheckExpression(subscription, at, judge_);
      if (names_.TopicNamed(subscription.topic()) == nullptr) continue;
      if (!own.insert(subscription.topic()).second) {
        judge_.Value(FieldPath(at, "topic"),
                     absl::StrCat("topic ", Quote(subscription.topic()),
                                  " is subscribed twice"));
      } else if (!topics.contains(subscription.topic())) {
        judge_.Value(
            FieldPath(at, "topic"),
            absl::StrCat("topic ", Quote(subscription.topic()),
                         " is none of the group's"),
            absl::StrCat("give it to the group too: subscribe { topic: ",
                         Quote(subscription.topic()), " }"));
      }
    }
    if (group.message_model() == schema::Group::BROADCASTING && !own.empty() &&
        own.size() < topics.size()) {
      judge_.Value(FieldPath(path, "subscribe", 0),
                   "where the group broadcasts, consumers that subscribe to "
                   "some of its topics only are not supported yet");
    }
  }

  void CheckThreads(const schema::ConsumeSettings& consume,
                    const std::string& path) {
    if (consume.has_consume_thread_min() && consume.has_consume_thread_max() &&
        consume.consume_thread_min() > consume.consume_thread_max()) {
      judge_.Value(
          FieldPath(path, "consume_thread_min"),
          absl::StrCat("consume_thread_min (", consume.consume_thread_min(),
                       ") must not exceed consume_thread_max (",
                       consume.consume_thread_max(), ")"));
    }
    CheckHeldPulls(consume.lite_pull(), FieldPath(path, "lite_pull"));
    CheckHeldPulls(consume.pull(), FieldPath(path, "pull"));
  }

  template <class Settings>
  void CheckHeldPulls(const Settings& pull, const std::string& path) {
    const Duration held =
        DurationOr(pull.broker_suspend_max_time_millis(), 20s);
    const Duration limit =
        DurationOr(pull.consumer_timeout_millis_when_suspend(), 30s);
    if (held > limit) {
      judge_.Value(
          path,
          absl::StrCat("broker_suspend_max_time_millis (", FormatDuration(held),
                       ") must not exceed consumer_timeout_millis_when_suspend "
                       "(",
                       FormatDuration(limit), ")"));
    }
  }

  void CheckAssigned(const schema::Group& group,
                     const schema::Consumer& consumer,
                     const absl::flat_hash_set<std::string>& topics,
                     const std::string& path) {
    for (int i = 0; i < consumer.assign_size(); ++i) {
      const schema::AssignedQueues& assigned = consumer.assign(i);
      const std::string at = FieldPath(path, "assign", i);
      if (!assigned.has_topic()) {
        judge_.Name(at, absl::StrCat("AssignedQueues needs topic, as group ",
                                     Quote(group.name()), " subscribes to ",
                                     group.subscribe_size()));
        continue;
      }
      const schema::Topic* const topic = names_.TopicNamed(assigned.topic());
      if (topic != nullptr && !topics.contains(assigned.topic())) {
        judge_.Value(FieldPath(at, "topic"),
                     absl::StrCat("the group does not subscribe to topic ",
                                  Quote(assigned.topic())));
        continue;
      }
      names_.CheckQueues(assigned.queues(), topic, FieldPath(at, "queues"));
    }
  }

  void CheckListener(const schema::Listener& listener,
                     const std::string& path) {
    for (int i = 0; i < listener.hang_size(); ++i) {
      const schema::Hang& hang = listener.hang(i);
      names_.CheckQueues(hang.queues(), names_.TopicNamed(hang.topic()),
                         FieldPath(FieldPath(path, "hang", i), "queues"));
    }
    for (int i = 0; i < listener.fails_size(); ++i) {
      const schema::Failure& failure = listener.fails(i);
      const std::string at = FieldPath(path, "fails", i);
      names_.CheckQueues(failure.queues(), names_.TopicNamed(failure.topic()),
                         FieldPath(at, "queues"));
      CheckKeys(failure, at);
    }
  }

  // Some producer gives messages these keys.
  void CheckKeys(const schema::Failure& failure, const std::string& path) {
    int64_t most = 0;
    for (const schema::Producer& producer : scenario_.producer()) {
      if (failure.has_topic() && failure.topic() != producer.topic()) continue;
      most = std::max(most, producer.key().keys());
    }
    for (int i = 0; i < failure.key_size(); ++i) {
      // Those below 1 have been told.
      if (failure.key(i) <= std::max<int64_t>(most, 0)) continue;
      judge_.Value(FieldPath(path, "key", i),
                   absl::StrCat("no message has key ", failure.key(i)),
                   most == 0 ? "give a producer keys: key { keys: ... }"
                             : absl::StrCat("producers give keys 1 to ", most));
      return;
    }
  }

  void CheckCommitted(const schema::Group& group,
                      const absl::flat_hash_set<std::string>& topics,
                      const std::string& path) {
    for (int i = 0; i < group.committed_size(); ++i) {
      const schema::CommittedOffset& committed = group.committed(i);
      const std::string at = FieldPath(path, "committed", i);
      const schema::Topic* topic = names_.TopicNamed(committed.topic());
      if (topic == nullptr) continue;
      if (!topics.contains(committed.topic())) {
        judge_.Value(FieldPath(at, "topic"),
                     absl::StrCat("the group does not subscribe to topic ",
                                  Quote(committed.topic())));
        continue;
      }
      names_.CheckQueues(committed.queues(), topic, FieldPath(at, "queues"));
      const int64_t stored = stored_.try_emplace(topic, *topic, growth_)
                                 .first->second.FewestIn(committed.queues());
      if (committed.offset() > stored) {
        judge_.Value(
            FieldPath(at, "offset"),
            absl::StrCat("offset is ", committed.offset(), "; at most ", stored,
                         " messages are stored there beforehand"));
      }
    }
  }

  const Scenario& scenario_;
  Judge& judge_;
  const Growth growth_;
  ScenarioNames names_;
  absl::flat_hash_map<const schema::Topic*, StoredBefore> stored_;
};

}  // namespace

void CheckMeaning(const Scenario& scenario, Judge& judge) {
  MeaningChecker(scenario, judge).Check();
}

}  // namespace groupsim
