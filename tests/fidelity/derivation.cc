#include "tests/fidelity/derivation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace groupsim {
namespace {

using nlohmann::json;

constexpr absl::string_view kHead =
    "# proto-file: scenarios/schema/scenario.proto\n"
    "# proto-message: groupsim.Scenario\n\n";

// A rule of a listener names at most so many messages.
constexpr size_t kMessagesOfOneRule = 1000;

std::string Ms(int64_t ms) {
  return ms % 1000 == 0 ? absl::StrCat("\"", ms / 1000, "s\"")
                        : absl::StrCat("\"", ms, "ms\"");
}

// The number before or after a word: the digits at the begin of `text`.
std::optional<int64_t> Digits(absl::string_view text) {
  text = absl::StripLeadingAsciiWhitespace(text);
  size_t length = 0;
  while (length < text.size() && absl::ascii_isdigit(text[length])) ++length;
  int64_t number = 0;
  if (!absl::SimpleAtoi(text.substr(0, length), &number)) return std::nullopt;
  return number;
}

std::optional<int64_t> NumberAfter(absl::string_view text,
                                   absl::string_view word) {
  const size_t at = text.find(word);
  if (at == absl::string_view::npos) return std::nullopt;
  return Digits(text.substr(at + word.size()));
}

// What is written for a setting of consumers unless it is the default.
struct Setting {
  absl::string_view key;
  absl::string_view before;
  absl::string_view after;
  int64_t otherwise;
};

constexpr Setting kConsume[] = {
    {"pull_batch", "pull_batch_size: ", "", 32},
    {"consume_batch", "consume_message_batch_max_size: ", "", 1},
    {"pull_threshold_for_queue", "pull_threshold_for_queue: ", "", 1000},
    {"pull_threshold_for_topic", "pull_threshold_for_topic: ", "", -1},
    {"consume_concurrently_max_span", "consume_concurrently_max_span: ", "",
     2000},
    {"pull_interval_ms", "pull_interval: \"", "ms\"", 0},
    {"max_reconsume_times", "max_reconsume_times: ", "", -1},
    {"suspend_current_queue_time_ms", "suspend_current_queue_time_millis: \"",
     "ms\"", 1000},
    {"suspend_ms", "suspend_current_queue_time_millis: \"", "ms\"", 1000},
    {"consume_timeout_min", "consume_timeout: \"", "m\"", 15},
    {"await_termination_ms", "await_termination_millis_when_shutdown: \"",
     "ms\"", 0},
};

constexpr Setting kClient[] = {
    {"poll_name_server_ms", "poll_name_server_interval: \"", "ms\"", 30'000},
    {"heartbeat_ms", "heartbeat_broker_interval: \"", "ms\"", 30'000},
    {"persist_offsets_ms", "persist_consumer_offset_interval: \"", "ms\"",
     5'000},
};

constexpr std::pair<absl::string_view, absl::string_view> kStrategies[] = {
    {"AVG", ""},
    {"AVG_BY_CIRCLE", "averagely_by_circle {}"},
    {"CONSISTENT_HASH", "consistent_hash {}"},
};

class Deriver {
 public:
  Deriver(const Script& script, const Declared& declared)
      : script_(script), declared_(declared) {}

  Derivation Derive() && {
    absl::StrAppend(&text_, "# The recording ", script_.name(),
                    " as a scenario, derived from its script.\n#\n", kHead,
                    "title: \"Recording ", script_.name(), ": ",
                    absl::StrReplaceAll(script_.title(), {{"\"", "'"}}), "\"\n",
                    "duration: ", Ms(script_.duration_ms()), "\ncpus: 2\n\n");
    Topology();
    Broker();
    Traffic();
    Groups();
    Timeline();
    Network();
    return {std::move(text_), std::move(not_played_)};
  }

 private:
  template <typename... Parts>
  void Note(const Parts&... parts) {
    not_played_.push_back(absl::StrCat(parts...));
  }

  // The name of the broker of queue "a0".
  std::string BrokerOf(const std::string& queue) const {
    for (const std::string& broker : script_.brokers()) {
      if (absl::EndsWith(broker, absl::StrCat("-", queue.substr(0, 1)))) {
        return broker;
      }
    }
    return absl::StrCat("broker-", queue.substr(0, 1));
  }

  void Topology() {
    const json& topology = script_.input().at("topology");
    const int name_servers = topology.value("name_servers", 1);
    if (name_servers != 1) {
      absl::StrAppend(&text_, "name_server { count: ", name_servers, " }\n");
    }
    for (const std::string& broker : script_.brokers()) {
      absl::StrAppend(&text_, "broker { name: \"", broker, "\" }\n");
    }
    absl::StrAppend(&text_, "topic { name: \"", script_.topic(), "\"");
    for (const auto& [key, value] : topology.at("topic").items()) {
      if (key == "queues_per_broker" || key == "read_queues" ||
          key == "write_queues") {
        absl::StrAppend(&text_, " ", key, ": ", value.get<int64_t>());
      } else if (key == "fresh" ? !value.get<bool>() : key != "name") {
        Note("topology.topic.", key, " = ", value.dump());
      }
    }
    absl::StrAppend(&text_, " }\n");
    for (const auto& [key, value] : topology.items()) {
      if (key != "name_servers" && key != "brokers" && key != "topic" &&
          key != "group") {
        Note("topology.", key, " = ", value.dump());
      }
    }
  }

  void Broker() {
    const json defaults = script_.input().value("defaults", json::object());
    const json broker = defaults.value("broker", json::object());
    for (const auto& [key, value] : broker.items()) {
      if (key == "everything_else" ||
          (key == "flush" && value == "ASYNC_FLUSH")) {
        continue;
      }
      Note("defaults.broker.", key, " = ", value.dump());
    }
  }

  void Traffic() {
    int number = 0;
    for (const ScriptTraffic& sent : script_.traffic()) {
      ++number;
      // Neighbours as ranges: "broker-a#0..3".
      std::vector<std::string> ranges;
      for (size_t i = 0; i < sent.queues.size();) {
        const std::string broker = BrokerOf(sent.queues[i]);
        const int64_t first = *Digits(sent.queues[i].substr(1));
        int64_t last = first;
        size_t next = i + 1;
        while (next < sent.queues.size() &&
               BrokerOf(sent.queues[next]) == broker &&
               *Digits(sent.queues[next].substr(1)) == last + 1) {
          ++last;
          ++next;
        }
        ranges.push_back(last == first
                             ? absl::StrCat(broker, "#", first)
                             : absl::StrCat(broker, "#", first, "..", last));
        i = next;
      }
      absl::StrAppend(
          &text_, "\nproducer {\n  name: \"producer",
          number == 1 ? "" : absl::StrCat("-", number), "\"\n  rate { ",
          RateOf(sent.rate), " }\n  body_size { constant: \"", sent.body_bytes,
          "B\" }\n  queues: \"", absl::StrJoin(ranges, ","), "\"\n");
      // Message i has key i + 1, as there is no key 0.
      if (NamesMessages()) {
        absl::StrAppend(&text_, "  key { keys: ", sent.messages(),
                        " sequence {} }\n");
      }
      absl::StrAppend(&text_,
                      "  send_mode: ASYNC\n"
                      "  settings { retry_times_when_send_async_failed: 0 }\n");
      if (sent.from_ms > 0) {
        absl::StrAppend(&text_, "  from: ", Ms(sent.from_ms), "\n");
      }
      absl::StrAppend(&text_, "  until: ", Ms(sent.until_ms), "\n}\n");
    }
  }

  static std::string RateOf(double rate) {
    if (rate >= 1 && rate == std::floor(rate)) {
      return absl::StrCat("per_second: ", static_cast<int64_t>(rate));
    }
    return absl::StrCat("every: \"", std::llround(1e6 / rate), "us\"");
  }

  // Whether a listener treats messages by their index.
  bool NamesMessages() const {
    return std::any_of(
        script_.consumers().begin(), script_.consumers().end(),
        [](const ScriptConsumer& consumer) {
          return consumer.settings.contains("listener") &&
                 consumer.settings.at("listener").contains("when");
        });
  }

  void Groups() {
    std::vector<std::string> groups;
    for (const ScriptConsumer& consumer : script_.consumers()) {
      if (std::find(groups.begin(), groups.end(), consumer.group) ==
          groups.end()) {
        groups.push_back(consumer.group);
      }
    }
    for (const std::string& group : groups) Group(group);
  }

  void Group(const std::string& name) {
    std::vector<const ScriptConsumer*> members;
    for (const ScriptConsumer& consumer : script_.consumers()) {
      if (consumer.group == name) members.push_back(&consumer);
    }
    // What all have in common is written once.
    std::vector<std::vector<std::string>> settings;
    for (const ScriptConsumer* member : members) {
      settings.push_back(Settings(*member));
    }
    const bool common = std::all_of(
        settings.begin(), settings.end(),
        [&settings](const auto& own) { return own == settings.front(); });
    absl::StrAppend(&text_, "\ngroup {\n  name: \"", name, "\"\n");
    const json& first = members.front()->settings;
    if (first.at("mode") == "broadcasting") {
      absl::StrAppend(&text_, "  message_model: BROADCASTING\n");
    }
    if (const std::string from = first.value("consume_from", "");
        !from.empty() && from != "CONSUME_FROM_LAST_OFFSET") {
      absl::StrAppend(&text_, "  consume_from_where: ", from, "\n");
    }
    if (common) {
      for (const std::string& line : settings.front()) {
        absl::StrAppend(&text_, "  ", line, "\n");
      }
    }
    for (size_t i = 0; i < members.size(); ++i) {
      absl::StrAppend(&text_, "  consumer {", common ? " " : "\n    ",
                      "name: \"", members[i]->name, "\" client_id: \"",
                      members[i]->client_id, "\"");
      if (const std::optional<int64_t> start = StartOf(members[i]->name)) {
        absl::StrAppend(&text_, " start_at: ", Ms(*start));
      } else {
        Note("consumer ", members[i]->name, ", which never starts");
      }
      if (!common) {
        for (const std::string& line : settings[i]) {
          absl::StrAppend(&text_, "\n    ", line);
        }
      }
      absl::StrAppend(&text_, common ? " }\n" : "\n  }\n");
    }
    absl::StrAppend(&text_, "}\n");
  }

  std::optional<int64_t> StartOf(const std::string& consumer) const {
    for (const ScriptAction& action : script_.actions()) {
      if (action.subject == consumer && action.verb == "starts") {
        return action.at_ms;
      }
    }
    return std::nullopt;
  }

  // Lines of a group or of a consumer.
  std::vector<std::string> Settings(const ScriptConsumer& consumer) {
    std::vector<std::string> lines;
    std::vector<std::string> consume;
    std::vector<std::string> client;
    std::string listener;
    for (const auto& [key, value] : consumer.settings.items()) {
      if (key == "client_id" || key == "own_process" || key == "group" ||
          key == "consume_from") {
        continue;
      }
      if (key == "mode") {
        if (value == "orderly") {
          consume.insert(consume.begin(), "mode: ORDERLY");
        } else if (value != "concurrently" && value != "broadcasting") {
          Note("mode ", value.dump());
        }
      } else if (key == "strategy") {
        const std::string strategy = StrategyOf(value);
        if (!strategy.empty()) {
          lines.push_back(absl::StrCat("strategy { ", strategy, " }"));
        }
      } else if (key == "consume_threads") {
        if (const int64_t threads = value; threads != 20) {
          consume.push_back(absl::StrCat("consume_thread_min: ", threads,
                                         " consume_thread_max: ", threads));
        }
      } else if (key == "listener_work_ms") {
        const auto call = declared_.calls.find(consumer.name);
        listener = absl::StrCat(
            "service_time { constant: ",
            call == declared_.calls.end()
                ? Ms(value.get<int64_t>())
                : absl::StrCat("\"", std::llround(call->second * 1000), "us\""),
            " }", listener);
      } else if (key == "listener") {
        absl::StrAppend(&listener, ListenerRules(consumer.name, value));
      } else if (!Written(kConsume, key, value, consume) &&
                 !Written(kClient, key, value, client)) {
        Note("consumers.", consumer.name, ".", key, " = ", value.dump());
      }
    }
    if (!consume.empty()) {
      lines.push_back(
          absl::StrCat("consume { ", absl::StrJoin(consume, " "), " }"));
    }
    if (!client.empty()) {
      lines.push_back(
          absl::StrCat("client { ", absl::StrJoin(client, " "), " }"));
    }
    if (!listener.empty()) {
      lines.push_back(absl::StrCat("listener { ", listener, " }"));
    }
    return lines;
  }

  template <size_t kSize>
  static bool Written(const Setting (&settings)[kSize], const std::string& key,
                      const json& value, std::vector<std::string>& lines) {
    for (const Setting& setting : settings) {
      if (setting.key != key || !value.is_number_integer()) continue;
      if (const int64_t number = value; number != setting.otherwise) {
        lines.push_back(absl::StrCat(setting.before, number, setting.after));
      }
      return true;
    }
    return false;
  }

  std::string StrategyOf(const json& value) {
    for (const auto& [name, text] : kStrategies) {
      if (value == std::string(name)) return std::string(text);
    }
    Note("strategy ", value.dump());
    return "";
  }

  // Messages that a listener treats in another way. Known are
  //   {"message_with_queue_offset_0_takes_ms": 30000}
  //   {"returns": "RECONSUME_LATER",
  //    "when": "i mod 399 == 130, for the first 3 deliveries"}
  std::string ListenerRules(const std::string& consumer, const json& rules) {
    std::string text;
    for (const auto& [key, value] : rules.items()) {
      const std::optional<int64_t> offset =
          NumberAfter(key, "message_with_queue_offset_");
      if (offset.has_value() && absl::EndsWith(key, "_takes_ms")) {
        absl::StrAppend(&text, " hang { offset: ", *offset,
                        " lasts: ", Ms(value.get<int64_t>()), " }");
      } else if (key != "returns" && key != "when" && key != "throws" &&
                 key != "delay_level") {
        Note("consumers.", consumer, ".listener.", key, " = ", value.dump());
      }
    }
    if (!rules.contains("returns") && !rules.contains("throws")) return text;
    std::string how;
    if (rules.contains("throws")) {
      how = " how: THROW";
    } else if (rules.at("returns").is_null() || rules.at("returns") == "null") {
      how = " how: NULL_RESULT";
    } else if (rules.at("returns") != "RECONSUME_LATER" &&
               rules.at("returns") != "SUSPEND_CURRENT_QUEUE_A_MOMENT") {
      Note("consumers.", consumer,
           ".listener.returns = ", rules.at("returns").dump());
      return text;
    }
    if (rules.contains("delay_level")) {
      absl::StrAppend(&how,
                      " delay_level: ", rules.at("delay_level").get<int64_t>());
    }
    const std::string when = rules.value("when", "always");
    if (const std::optional<int64_t> times = NumberAfter(when, "first ")) {
      absl::StrAppend(&how, " times: ", *times);
    } else if (absl::StrContains(when, "first ")) {
      absl::StrAppend(&how, " times: 1");
    }
    const std::optional<int64_t> divisor = NumberAfter(when, "i mod ");
    const std::optional<int64_t> rest = NumberAfter(when, "==");
    if (divisor.has_value() && *divisor > 0 && rest.has_value()) {
      return text + Failures(*divisor, *rest, how);
    }
    if (const std::optional<int64_t> index = NumberAfter(when, "i == ")) {
      return absl::StrCat(text, " fails { key: ", KeyOf(*index), how, " }");
    }
    if (!absl::StrContains(when, "always") &&
        !absl::StrContains(when, "every")) {
      Note("consumers.", consumer, ".listener.when = \"", when, "\"");
      return text;
    }
    return absl::StrCat(text, " fails {", how, " }");
  }

  // Where several producers send, the keys of the first are those that count.
  int64_t KeyOf(int64_t index) const {
    return index + 1 -
           (script_.traffic().empty() ? 0
                                      : script_.traffic().front().first_index);
  }

  std::string Failures(int64_t divisor, int64_t rest, const std::string& how) {
    std::string text;
    std::vector<int64_t> keys;
    const auto end_rule = [&] {
      if (keys.empty()) return;
      absl::StrAppend(&text, "\n    fails { key: [", absl::StrJoin(keys, ", "),
                      "]", how, " }\n ");
      keys.clear();
    };
    if (script_.traffic().size() > 1) {
      Note("failures of messages of more than one producer");
    }
    for (const ScriptTraffic& sent : script_.traffic()) {
      const int64_t end = sent.first_index + sent.messages();
      int64_t index = sent.first_index / divisor * divisor + rest;
      if (index < sent.first_index) index += divisor;
      for (; index < end; index += divisor) {
        keys.push_back(index - sent.first_index + 1);
        if (keys.size() == kMessagesOfOneRule) end_rule();
      }
    }
    end_rule();
    return text;
  }

  void Timeline() {
    std::set<std::string> started;
    std::string events;
    for (const ScriptAction& action : script_.actions()) {
      if (action.verb == "starts" && !action.of_broker &&
          started.insert(action.subject).second) {
        continue;  // start_at says it.
      }
      const std::string what = EventOf(action);
      if (what.empty()) {
        Note("action ", action.raw.dump());
        continue;
      }
      absl::StrAppend(&events, "at { time: ", Ms(action.at_ms), " ", what,
                      " }\n");
    }
    if (!events.empty()) absl::StrAppend(&text_, "\n", events);
  }

  std::string EventOf(const ScriptAction& action) const {
    const std::string whom =
        absl::StrCat("{ ", action.of_broker ? "broker" : "consumer", ": \"",
                     action.subject, "\" }");
    static const std::map<std::string, std::string> kEvents = {
        {"starts", "start"},
        {"stops", "stop"},
        {"is killed", "crash"},
        {"is suspended", "suspend_consumer"},
        {"is resumed", "resume_consumer"},
    };
    if (action.verb == "is frozen") {
      return absl::StrCat("pause { processes ", whom, " }");
    }
    if (action.verb == "goes on") {
      return absl::StrCat("resume { processes ", whom, " }");
    }
    if (const auto it = kEvents.find(action.verb); it != kEvents.end()) {
      return absl::StrCat(it->second, " ", whom);
    }
    return QueueChange(action.raw);
  }

  // {"do": "set_queues", "queues_per_broker": 8}, of one broker or of all.
  std::string QueueChange(const json& raw) const {
    const json& topic = script_.input().at("topology").at("topic");
    if (!raw.contains("queues_per_broker")) return "";
    const int64_t before = topic.at("queues_per_broker");
    const int64_t after = raw.at("queues_per_broker");
    const std::string broker =
        raw.contains("broker")
            ? absl::StrCat(" broker: \"", raw.at("broker").get<std::string>(),
                           "\"")
            : "";
    if (after > before) {
      return absl::StrCat("add_queues { queues: ", after - before, broker,
                          " }");
    }
    return absl::StrCat("shrink_queues { write_to: ", after,
                        " read_to: ", after, broker, " }");
  }

  // A way takes half of a round trip.
  void Network() {
    absl::StrAppend(&text_,
                    "\n# Half of the recorded round trips; README.md says of "
                    "which.\nnetwork {\n  same_room {\n    empirical {\n");
    for (size_t i = 0; i < Declared::kShares.size(); ++i) {
      absl::StrAppend(
          &text_, "      value { value: \"",
          std::max<int64_t>(std::llround(declared_.round_trips[i] * 500), 1),
          "us\" weight: ", Declared::kShares[i], " }\n");
    }
    absl::StrAppend(&text_, "    }\n  }\n}\n");
  }

  const Script& script_;
  const Declared& declared_;
  std::string text_;
  std::vector<std::string> not_played_;
};

}  // namespace

Derivation DeriveScenario(const Script& script, const Declared& declared) {
  return Deriver(script, declared).Derive();
}

}  // namespace groupsim
