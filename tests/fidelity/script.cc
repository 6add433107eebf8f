#include "tests/fidelity/script.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "nlohmann/json.hpp"

namespace groupsim {
namespace {

using nlohmann::json;

// "a:0-3,b:1" as "a0", "a1", "a2", "a3", "b1".
std::vector<std::string> Queues(const std::string& text) {
  std::vector<std::string> queues;
  for (const absl::string_view range : absl::StrSplit(text, ',')) {
    const std::vector<std::string> parts = absl::StrSplit(range, ':');
    const std::vector<std::string> ends =
        absl::StrSplit(parts.back(), absl::MaxSplits('-', 1));
    int first = 0;
    int last = 0;
    CHECK(parts.size() == 2 && absl::SimpleAtoi(ends.front(), &first) &&
          absl::SimpleAtoi(ends.back(), &last) && first <= last)
        << "these are no queues: " << text;
    for (int queue = first; queue <= last; ++queue) {
      queues.push_back(absl::StrCat(parts[0], queue));
    }
  }
  return queues;
}

void ReadAction(const json& from, std::vector<ScriptAction>& actions,
                std::vector<ScriptTraffic>& traffic) {
  const std::string what = from.at("do");
  if (what == "produce") {
    ScriptTraffic sent;
    sent.from_ms = from.at("at_ms");
    sent.until_ms = from.at("until_ms");
    sent.rate = from.at("rate_per_s");
    sent.first_index = from.value("first_index", 0);
    sent.body_bytes = from.value("body_bytes", 100);
    sent.queues = Queues(from.at("queues"));
    traffic.push_back(std::move(sent));
    return;
  }
  ScriptAction action;
  action.at_ms = from.at("at_ms");
  action.raw = from;
  action.of_broker = from.contains("broker");
  if (from.contains("consumer")) {
    action.subject = from.at("consumer");
  } else if (action.of_broker) {
    action.subject = from.at("broker");
  }
  if (const std::optional<std::string> verb = VerbOf(what);
      verb.has_value() && !action.subject.empty()) {
    action.verb = *verb;
  }
  actions.push_back(std::move(action));
}

std::string NameOf(const std::string& subject, const std::string& verb,
                   int time) {
  return absl::StrCat(subject, " ", verb,
                      time > 1 ? absl::StrCat(" (", time, ")") : "");
}

}  // namespace

std::optional<std::string> VerbOf(absl::string_view what) {
  if (absl::EndsWith(what, "ed")) return std::nullopt;
  static constexpr std::pair<absl::string_view, absl::string_view> kVerbs[] = {
      {"kill", "is killed"},    {"crash", "is killed"},
      {"freeze", "is frozen"},  {"sigstop", "is frozen"},
      {"pause", "is frozen"},   {"continue", "goes on"},
      {"sigcont", "goes on"},   {"suspend", "is suspended"},
      {"resume", "is resumed"}, {"shutdown", "stops"},
      {"stop", "stops"},        {"start", "starts"},
  };
  for (const auto& [word, verb] : kVerbs) {
    if (absl::StartsWith(what, word)) return std::string(verb);
  }
  return std::nullopt;
}

Script Script::Parse(const json& input) {
  Script script;
  script.input_ = input;
  script.name_ = input.at("scenario");
  script.title_ = input.value("title", "");
  script.duration_ms_ = input.at("duration_ms");
  const json& topology = input.at("topology");
  script.brokers_ = topology.at("brokers").get<std::vector<std::string>>();
  const auto named = [&script](const std::string& pattern) {
    return absl::StrReplaceAll(pattern,
                               {{"{scenario}", script.name_}, {"{run}", "1"}});
  };
  script.topic_ = named(topology.at("topic").at("name"));
  // What follows the name there is said to people.
  const std::string pattern = topology.at("group");
  const std::string group = named(pattern.substr(0, pattern.find(' ')));

  const json defaults = input.value("defaults", json::object());
  for (const auto& [name, own] : input.at("consumers").items()) {
    ScriptConsumer consumer;
    consumer.name = name;
    consumer.client_id = own.at("client_id");
    consumer.settings = defaults.value("client", json::object());
    consumer.settings["mode"] = input.value("mode", "concurrently");
    consumer.settings["strategy"] = input.value("strategy", json("AVG"));
    consumer.settings.update(own);
    const std::string number = own.value("group", "g");
    consumer.group = absl::StrCat(
        group, absl::StartsWith(number, "g") ? number.substr(1) : number);
    consumer.scope =
        consumer.settings.at("mode") == "broadcasting" ? name : number;
    script.consumers_.push_back(std::move(consumer));
  }
  std::set<std::string> scopes;
  for (const ScriptConsumer& consumer : script.consumers_) {
    if (scopes.insert(consumer.scope).second) {
      script.scopes_.push_back(consumer.scope);
    }
  }
  for (const json& action : input.at("actions")) {
    ReadAction(action, script.actions_, script.traffic_);
  }
  std::map<std::pair<std::string, int64_t>, std::vector<std::string>> together;
  std::map<std::string, int> times;
  for (const ScriptAction& action : script.actions_) {
    if (action.verb.empty()) continue;
    const int time = ++times[absl::StrCat(action.subject, " ", action.verb)];
    for (const std::string& scope : script.ScopesOf(action.subject)) {
      together[{scope, action.at_ms}].push_back(
          NameOf(action.subject, action.verb, time));
    }
  }
  for (const auto& [key, names] : together) {
    const std::string label = absl::StrJoin(names, ", ");
    for (const std::string& name : names) {
      script.labels_.try_emplace({key.first, name}, label);
    }
  }
  return script;
}

const ScriptConsumer* Script::Find(absl::string_view consumer) const {
  for (const ScriptConsumer& candidate : consumers_) {
    if (candidate.name == consumer) return &candidate;
  }
  return nullptr;
}

std::vector<std::string> Script::ScopesOf(const std::string& subject) const {
  if (const ScriptConsumer* consumer = Find(subject)) return {consumer->scope};
  return scopes_;
}

std::string Script::LabelOf(const std::string& scope,
                            const std::string& subject, const std::string& verb,
                            int time) const {
  const std::string name = NameOf(subject, verb, time);
  const auto it = labels_.find({scope, name});
  return it == labels_.end() ? name : it->second;
}

std::string Script::SubjectOf(const std::string& scope,
                              const std::string& queue) const {
  return scopes_.size() == 1 ? queue : absl::StrCat(scope, " ", queue);
}

std::optional<std::pair<std::string, int64_t>> Script::PlaceOf(
    int64_t index) const {
  if (traffic_.size() != 1) return std::nullopt;
  const ScriptTraffic& sent = traffic_.front();
  const auto queues = static_cast<int64_t>(sent.queues.size());
  const int64_t number = index - sent.first_index;
  return std::pair(sent.queues[static_cast<size_t>(number % queues)],
                   number / queues);
}

double Script::MessagesOfOneQueue(double ms) const {
  double most = 0;
  for (const ScriptTraffic& sent : traffic_) {
    most = std::max(
        most, sent.rate * ms / 1000 / static_cast<double>(sent.queues.size()));
  }
  return most;
}

}  // namespace groupsim
