#include "scenarios/lint/subject.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/reader/values.h"

namespace groupsim {

std::string EventPath(int index) { return absl::StrCat("at[", index, "]"); }

std::string Counted(int64_t count, absl::string_view thing) {
  return absl::StrCat(count, " ", thing, count == 1 ? "" : "s");
}

std::string LintGroup::PathOf(int block) const {
  return absl::StrCat(path, ".consumer[", block, "]");
}

bool LintGroup::orderly() const {
  return std::any_of(group->consumer().begin(), group->consumer().end(),
                     [this](const schema::Consumer& block) {
                       return IsOrderly(*group, block);
                     });
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
  const std::vector<RosterEntry> roster = RosterOf(scenario, Growth(scenario));
  auto entry = roster.begin();
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
    for (; entry != roster.end() && entry->group == i; ++entry) {
      group.consumers.push_back(*entry);
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
    const auto add = [&](const schema::Processes& processes, Turn turn) {
      for (const std::string& name : processes.consumer()) {
        turns_of_[name].push_back(turn);
      }
      turn.whole_group = true;
      for (const std::string& name : processes.group()) {
        turns_of_group_[name].push_back(turn);
      }
    };
    add(event.start(), {.time = time, .runs = true});
    for (const schema::Processes* ended :
         {&event.stop(), &event.crash(), &event.vanish()}) {
      add(*ended, {.time = time, .runs = false});
    }
    if (event.has_scale()) {
      turns_of_block_[event.scale().consumer()].push_back(
          {.time = time, .scaled_to = event.scale().to()});
    }
  }
}

int64_t LintSubject::MembersOf(const LintGroup& group) const {
  // What would take too long to follow is counted without the timeline.
  constexpr size_t kMostTurns = 10'000'000;
  // One more or one less at a time. What ends makes room for what begins then.
  std::vector<std::pair<Duration, int>> steps;
  size_t followed = 0;
  std::vector<Turn> turns;
  for (const RosterEntry& consumer : group.consumers) {
    const schema::Consumer& block = group.group->consumer(consumer.block);
    turns = {{.time = consumer.start, .runs = true, .whole_group = true}};
    for (const auto& [map, name] :
         {std::pair(&turns_of_, &consumer.name),
          std::pair(&turns_of_block_, &block.name()),
          std::pair(&turns_of_group_, &group.group->name())}) {
      const auto more = map->find(*name);
      if (more == map->end() || followed > kMostTurns) continue;
      turns.insert(turns.end(), more->second.begin(), more->second.end());
    }
    followed += turns.size();
    std::stable_sort(
        turns.begin(), turns.end(),
        [](const Turn& a, const Turn& b) { return a.time < b.time; });
    bool running = false;
    bool wanted = consumer.at_first;
    for (const Turn& turn : turns) {
      bool runs = turn.runs;
      if (turn.scaled_to.has_value()) {
        wanted = consumer.in_block < *turn.scaled_to;
        runs = wanted;
      } else if (turn.whole_group && turn.runs && !wanted) {
        continue;
      }
      if (runs == running) continue;
      running = runs;
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
