#include "tests/fidelity/live_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "model/wire/codes.h"
#include "nlohmann/json.hpp"

namespace groupsim {
namespace {

using nlohmann::json;

// So many deliveries in a row, of one queue, wait for each other.
constexpr double kLongRange = 10;

class Reader {
 public:
  explicit Reader(const Script& script) : script_(script) {}

  void Read(const json& line) {
    const std::string kind = line.at("k");
    if (kind == "act") {
      Act(line);
    } else if (kind == "notify") {
      Add(EventKind::kNotice, line);
    } else if (kind == "own") {
      Add(EventKind::kAdopted, line).queue = line.at("q");
    } else if (kind == "rel") {
      Add(EventKind::kReleased, line).queue = line.at("q");
    } else if (kind == "alloc") {
      if (line.at("retry") == 0) {
        Add(EventKind::kShare, line).what =
            absl::StrJoin(line.at("r").get<std::vector<std::string>>(), " ");
      }
    } else if (kind == "rpc") {
      if (line.at("code") == static_cast<int>(RequestCode::kUnregisterClient)) {
        Add(EventKind::kUnregistered, line);
      }
    } else if (kind == "pull") {
      for (const json& pull : line.at("p")) Pull(line, pull);
    } else if (kind == "dlv") {
      for (const json& one : line.at("d")) {
        Deliver(line, one.at(0),
                one.at(1).get<double>() + one.at(2).get<double>() +
                    one.at(3).get<double>());
      }
    } else if (kind == "dlvr") {
      for (const json& range : line.at("d")) DeliverRange(line, range);
    } else if (kind == "redlv") {
      Redeliver(line);
    } else if (kind == "pq") {
      PutOff(line, "count or size", line.at("fc"));
      PutOff(line, "span", line.at("sfc"));
    }
  }

  Observation Observe() && {
    std::stable_sort(
        events_.begin(), events_.end(),
        [](const Event& a, const Event& b) { return a.ms < b.ms; });
    Observer observer(script_);
    const auto end = static_cast<double>(script_.duration_ms());
    for (const Event& event : events_) {
      if (event.ms <= end) observer.OnEvent(event);
    }
    return observer.Finish(end);
  }

 private:
  Event& Add(EventKind kind, const json& line) {
    Event event;
    event.kind = kind;
    event.ms = line.at("t");
    event.subject = line.at("c");
    events_.push_back(std::move(event));
    return events_.back();
  }

  void Act(const json& line) {
    const std::optional<std::string> verb =
        VerbOf(line.at("do").get<std::string>());
    if (!verb.has_value()) return;
    Event event;
    event.ms = line.at("t");
    event.what = *verb;
    event.subject = line.value("c", line.value("broker", ""));
    if (!event.subject.empty()) events_.push_back(std::move(event));
  }

  void Pull(const json& line, const json& pull) {
    Event& sent = Add(EventKind::kPullSent, line);
    sent.queue = line.at("q");
    sent.ms = pull.at(0);
    if (pull.at(3) == static_cast<int>(ResponseCode::kSubscriptionNotLatest)) {
      Event refused = sent;
      refused.kind = EventKind::kPullRefused;
      events_.push_back(std::move(refused));
    }
  }

  void Deliver(const json& line, int64_t offset, double ms) {
    Event& event = Add(EventKind::kDelivered, line);
    event.queue = line.at("q");
    event.offset = offset;
    event.ms = ms;
  }

  // Deliveries that follow each other closely, evenly spread.
  void DeliverRange(const json& line, const json& range) {
    const int64_t first = range.at(0);
    const int64_t last = range.at(1);
    const double from = range.at(2);
    const double to = range.at(3);
    for (int64_t offset = first; offset <= last; ++offset) {
      const double share = static_cast<double>(offset - first) /
                           static_cast<double>(last - first + 1);
      Deliver(line, offset, from + (to - from) * share);
    }
  }

  void Redeliver(const json& line) {
    Event& event = Add(EventKind::kDelivered, line);
    event.queue = line.at("q");
    event.offset = line.at("o");
    event.amount = line.at("r");
    // Copies in a retry queue count where they were first.
    if (const auto place = script_.PlaceOf(line.at("i"));
        place.has_value() && absl::StartsWith(event.queue, "R:")) {
      std::tie(event.queue, event.offset) = *place;
    }
    if (!line.contains("status")) return;
    Event failed = event;
    failed.kind = EventKind::kFailed;
    failed.ms += line.at("dur").get<double>();
    events_.push_back(std::move(failed));
  }

  // The counters are the client's, of all its queues, and only grow.
  void PutOff(const json& line, const std::string& why, int64_t counter) {
    int64_t& before =
        counters_[absl::StrCat(line.at("c").get<std::string>(), " ", why)];
    Event& event = Add(EventKind::kPutOff, line);
    event.what = why;
    event.amount = std::max<int64_t>(counter - before, 0);
    before = std::max(before, counter);
  }

  const Script& script_;
  std::vector<Event> events_;
  std::map<std::string, int64_t> counters_;
};

}  // namespace

Observation ObserveRecorded(const Script& script, const std::string& lines) {
  Reader reader(script);
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    if (!line.empty()) reader.Read(json::parse(line));
  }
  return std::move(reader).Observe();
}

void AddLatencies(const Script& script, const std::string& lines,
                  Latencies& latencies) {
  const json defaults = script.input().value("defaults", json::object());
  const json client = defaults.value("client", json::object());
  const int64_t full = client.value("pull_batch", 32);
  const auto works = [&script](const std::string& name) {
    const ScriptConsumer* consumer = script.Find(name);
    return consumer != nullptr &&
           consumer->settings.value("listener_work_ms", 0.0) > 0;
  };
  for (const absl::string_view text : absl::StrSplit(lines, '\n')) {
    if (text.empty()) continue;
    const json line = json::parse(text);
    const std::string kind = line.at("k");
    if (kind == "rpc" && line.contains("lat") && line.at("lat").is_number()) {
      latencies.round_trips.push_back(line.at("lat"));
    } else if (kind == "pull") {
      for (const json& pull : line.at("p")) {
        if (pull.at(2).is_number() && pull.at(4).get<int64_t>() >= full) {
          latencies.round_trips.push_back(pull.at(2));
        }
      }
    } else if (kind == "dlv" && works(line.at("c"))) {
      for (const json& one : line.at("d")) {
        latencies.calls[line.at("c")].push_back(one.at(4));
      }
    } else if (kind == "dlvr" && works(line.at("c"))) {
      for (const json& range : line.at("d")) {
        const double number = range.at(4);
        if (number < kLongRange) continue;
        latencies.calls[line.at("c")].push_back(
            (range.at(3).get<double>() - range.at(2).get<double>()) / number);
      }
    }
  }
}

}  // namespace groupsim
