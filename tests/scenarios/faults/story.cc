#include "tests/scenarios/faults/story.h"

#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"

namespace groupsim {
namespace {

ToldFact FromLine(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line);
  ToldFact fact;
  fact.time = json.at("time").get<double>() / 1e9;
  fact.kind = json.at("kind");
  fact.host = json.value("host", "");
  fact.group = json.value("group", "");
  fact.topic = json.value("topic", "");
  fact.broker = json.value("broker", "");
  fact.queue = json.value("queue", int64_t{-1});
  const auto number = [&json](const char* key) {
    return json.contains(key) && json[key].is_number()
               ? json[key].get<int64_t>()
               : 0;
  };
  fact.offset = number("offset");
  fact.count = number("count");
  fact.value = number("value");
  return fact;
}

}  // namespace

std::vector<ToldFact> Story::Of(absl::string_view kind, double from, double to,
                                absl::string_view host) const {
  std::vector<ToldFact> found;
  for (const ToldFact& fact : facts) {
    if (fact.kind == kind && fact.time >= from && fact.time < to &&
        (host.empty() || fact.host == host)) {
      found.push_back(fact);
    }
  }
  return found;
}

std::string Story::TimesOf(absl::string_view kind, absl::string_view host,
                           double from) const {
  std::vector<int64_t> times;
  for (const ToldFact& fact : Of(kind, from, 1e9, host)) {
    times.push_back(std::llround(fact.time));
  }
  return absl::StrJoin(times, " ");
}

std::string Story::OwnedBy(absl::string_view consumer, double time) const {
  std::set<std::pair<std::string, int64_t>> owned;
  for (const ToldFact& fact : facts) {
    if (fact.time > time || fact.host != consumer) continue;
    if (fact.kind == "PROCESS_STARTED") owned.clear();
    if (fact.topic.rfind("%RETRY%", 0) == 0) continue;
    if (fact.kind == "QUEUE_ADDED") owned.emplace(fact.broker, fact.queue);
    if (fact.kind == "QUEUE_DROPPED") owned.erase({fact.broker, fact.queue});
  }
  std::string text;
  std::string broker;
  for (const auto& [name, queue] : owned) {
    if (name != broker) {
      absl::StrAppend(&text, text.empty() ? "" : " ", name);
      broker = name;
    }
    absl::StrAppend(&text, " ", queue);
  }
  return text;
}

std::string SmallScenario(absl::string_view more, absl::string_view duration) {
  return absl::StrCat("duration: \"", duration, "\"", R"(
    broker { name: "broker-a" }
    broker { name: "broker-b" }
    topic { name: "orders" queues_per_broker: 4 }
    producer { name: "shop" rate { per_second: 100 } }
    group { name: "readers" consumer { name: "pod" count: 3 } }
  )",
                      more);
}

Story Tell(absl::string_view text, uint64_t seed) {
  const Scenario scenario = ScenarioFromTextOrDie(std::string(text));
  std::stringstream log;
  RunOptions options;
  options.seed = seed;
  options.scenario_name = "story";
  options.reproduce = "groupsim run story";
  options.event_log = &log;
  Story story;
  story.report = RunScenario(scenario, options).report;
  std::string line;
  while (std::getline(log, line)) story.facts.push_back(FromLine(line));
  return story;
}

}  // namespace groupsim
