#include "scenarios/lint/subject.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "scenarios/reader/values.h"

namespace groupsim {

Duration DurationOr(const std::string& text, Duration otherwise) {
  const absl::StatusOr<Duration> duration = ParseDuration(text);
  return duration.ok() ? *duration : otherwise;
}

std::string EventPath(int index) { return absl::StrCat("at[", index, "]"); }

std::string Counted(int64_t count, absl::string_view thing) {
  return absl::StrCat(count, " ", thing, count == 1 ? "" : "s");
}

std::string LintGroup::PathOf(int block) const {
  return absl::StrCat(path, ".consumer[", block, "]");
}

const schema::Strategy& LintGroup::StrategyOf(int block) const {
  const schema::Consumer& consumer = group->consumer(block);
  return consumer.has_strategy() ? consumer.strategy() : group->strategy();
}

schema::ConsumeSettings LintGroup::ConsumeOf(int block) const {
  schema::ConsumeSettings settings = group->consume();
  settings.MergeFrom(group->consumer(block).consume());
  return settings;
}

schema::ClientSettings LintGroup::ClientOf(int block) const {
  schema::ClientSettings settings = group->client();
  settings.MergeFrom(group->consumer(block).client());
  return settings;
}

LintSubject::LintSubject(const Scenario& scenario)
    : scenario_(scenario), end_(DurationOr(scenario.duration(), 1min)) {
  for (const schema::Topic& topic : scenario.topic()) {
    topics_.emplace(topic.name(), &topic);
  }
  for (const schema::Broker& broker : scenario.broker()) {
    brokers_.emplace(broker.name(), &broker);
  }
  CollectTurns();
  for (int i = 0; i < scenario.group_size(); ++i) {
    LintGroup group;
    group.group = &scenario.group(i);
    group.path = absl::StrCat("group[", i, "]");
    for (const schema::Subscription& subscription : group.group->subscribe()) {
      const schema::Topic* const topic = TopicNamed(subscription.topic());
      if (topic == nullptr) continue;
      const int64_t on_each = topic->has_read_queues()
                                  ? topic->read_queues()
                                  : topic->queues_per_broker();
      group.topics.push_back({topic, on_each * topic->broker_size()});
    }
    for (int block = 0; block < group.group->consumer_size(); ++block) {
      const schema::Consumer& consumer = group.group->consumer(block);
      Duration start = DurationOr(consumer.start_at(), Duration());
      for (std::string& name :
           consumer.has_count()
               ? ProcessNames(consumer.name(), consumer.count())
               : ProcessNames(consumer.name())) {
        group.consumers.push_back({std::move(name), block, start});
        start = start + DurationOr(consumer.stagger(), Duration());
      }
    }
    group.members = MembersOf(group);
    groups_.push_back(std::move(group));
  }
}

const schema::Topic* LintSubject::TopicNamed(absl::string_view name) const {
  const auto found = topics_.find(name);
  return found == topics_.end() ? nullptr : found->second;
}

const schema::Broker* LintSubject::BrokerNamed(absl::string_view name) const {
  const auto found = brokers_.find(name);
  return found == brokers_.end() ? nullptr : found->second;
}

schema::BrokerSettings LintSubject::SettingsOf(
    const schema::Broker& broker) const {
  schema::BrokerSettings settings = scenario_.broker_defaults();
  settings.MergeFrom(broker.settings());
  return settings;
}

void LintSubject::CollectTurns() {
  for (const schema::Event& event : scenario_.at()) {
    if (!event.has_time()) continue;
    const Duration time = DurationOr(event.time(), Duration());
    const schema::Processes& ended = event.has_stop()    ? event.stop()
                                     : event.has_crash() ? event.crash()
                                                         : event.vanish();
    for (const std::string& name : ended.consumer()) {
      turns_[name].push_back({time, false});
    }
    for (const std::string& name : event.start().consumer()) {
      turns_[name].push_back({time, true});
    }
  }
}

int64_t LintSubject::MembersOf(const LintGroup& group) const {
  // One more or one less at a time. What ends makes room for what begins then.
  std::vector<std::pair<Duration, int>> steps;
  for (const LintConsumer& consumer : group.consumers) {
    std::vector<Turn> turns = {{consumer.start, true}};
    const auto more = turns_.find(consumer.name);
    if (more != turns_.end()) {
      turns.insert(turns.end(), more->second.begin(), more->second.end());
    }
    std::stable_sort(
        turns.begin(), turns.end(),
        [](const Turn& a, const Turn& b) { return a.time < b.time; });
    bool running = false;
    for (const Turn& turn : turns) {
      if (turn.runs == running) continue;
      running = turn.runs;
      steps.emplace_back(turn.time, running ? 1 : -1);
    }
  }
  std::sort(steps.begin(), steps.end());
  int64_t members = 0;
  int64_t most = 0;
  for (const auto& [time, step] : steps) {
    members += step;
    most = std::max(most, members);
  }
  return most;
}

}  // namespace groupsim
