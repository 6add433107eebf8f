#include "tests/fidelity/recording.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "nlohmann/json.hpp"

namespace groupsim {
namespace {

using nlohmann::json;

// The recordings are of tenths of milliseconds.
double Rounded(double value) { return std::round(value * 10) / 10; }

// One line for each list of values, so that people can read it.
std::string Lines(const json& value, size_t depth = 0) {
  const std::string indent(depth + 1, ' ');
  std::vector<std::string> parts;
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      parts.push_back(absl::StrCat(indent, json(key).dump(), ": ",
                                   Lines(inner, depth + 1)));
    }
    if (parts.empty()) return "{}";
    return absl::StrCat("{\n", absl::StrJoin(parts, ",\n"), "\n",
                        std::string(depth, ' '), "}");
  }
  if (value.is_array() && !value.empty() && value.front().is_structured()) {
    for (const json& inner : value) {
      parts.push_back(absl::StrCat(
          indent, inner.is_object() ? inner.dump() : Lines(inner, depth + 1)));
    }
    return absl::StrCat("[\n", absl::StrJoin(parts, ",\n"), "\n",
                        std::string(depth, ' '), "]");
  }
  return value.dump();
}

}  // namespace

Declared DeclaredOf(std::vector<double> round_trips,
                    std::map<std::string, std::vector<double>> calls) {
  CHECK(!round_trips.empty());
  std::sort(round_trips.begin(), round_trips.end());
  const auto count = static_cast<double>(round_trips.size());
  Declared declared;
  int below = 0;  // In thousandths.
  for (size_t i = 0; i < Declared::kShares.size(); ++i) {
    const double middle = below + Declared::kShares[i] / 2.0;
    below += Declared::kShares[i];
    const auto place = static_cast<size_t>(middle / 1000 * count);
    declared.round_trips[i] =
        round_trips[std::min(place, round_trips.size() - 1)];
  }
  for (auto& [consumer, times] : calls) {
    std::sort(times.begin(), times.end());
    declared.calls[consumer] =
        std::round(times[times.size() / 2] * 1000) / 1000;
  }
  return declared;
}

bool Quantity::IsCount() const {
  return what == "pulls" || absl::StartsWith(what, "messages ") ||
         absl::StartsWith(what, "pulls put off");
}

std::map<Quantity, std::vector<std::optional<double>>> Recording::Values()
    const {
  std::map<Quantity, std::vector<std::optional<double>>> values;
  for (size_t run = 0; run < runs.size(); ++run) {
    for (const auto& [quantity, value] : runs[run].values) {
      values[quantity].resize(runs.size());
      values[quantity][run] = value;
    }
  }
  return values;
}

Recording ParseRecording(const std::string& text) {
  const json from = json::parse(text, nullptr, /*allow_exceptions=*/false);
  CHECK(from.is_object()) << "a recording is not JSON";
  Recording recording;
  recording.name = from.at("recording");
  recording.input = from.at("input");
  const json& declared = from.at("declared_ms");
  declared.at("round_trips").get_to(recording.declared.round_trips);
  declared.at("calls").get_to(recording.declared.calls);
  recording.runs.resize(from.at("runs").get<size_t>());
  for (const auto& [consumer, runs] : from.at("allocations").items()) {
    CHECK(runs.size() == recording.runs.size()) << consumer;
    for (size_t run = 0; run < runs.size(); ++run) {
      recording.runs[run].allocations[consumer] =
          runs.at(run).get<std::vector<std::string>>();
    }
  }
  for (const auto& [after, whats] : from.at("values").items()) {
    for (const auto& [what, subjects] : whats.items()) {
      for (const auto& [subject, values] : subjects.items()) {
        CHECK(values.size() == recording.runs.size())
            << after << " " << subject;
        for (size_t run = 0; run < values.size(); ++run) {
          if (values.at(run).is_null()) continue;
          recording.runs[run].values[{after, what, subject}] = values.at(run);
        }
      }
    }
  }
  for (const json& one : from.at("stale_subscription")) {
    StaleSubscription stale;
    stale.consumer = one.at("consumer");
    stale.first_refusal_ms = one.at("first_refusal_ms");
    stale.last_refusal_ms = one.at("last_refusal_ms");
    recording.runs.at(one.at("run").get<size_t>() - 1).stale.push_back(stale);
  }
  return recording;
}

std::string RecordingText(const Recording& recording) {
  json text = {{"recording", recording.name},
               {"release", "5.3.3"},
               {"input", recording.input},
               {"declared_ms",
                {{"round_trips", recording.declared.round_trips},
                 {"calls", recording.declared.calls}}},
               {"runs", recording.runs.size()},
               {"allocations", json::object()},
               {"values", json::object()},
               {"stale_subscription", json::array()}};
  std::set<std::string> consumers;
  for (const Observation& run : recording.runs) {
    for (const auto& [consumer, shares] : run.allocations) {
      consumers.insert(consumer);
    }
  }
  for (size_t run = 0; run < recording.runs.size(); ++run) {
    const Observation& observation = recording.runs[run];
    for (const std::string& consumer : consumers) {
      const auto it = observation.allocations.find(consumer);
      text["allocations"][consumer].push_back(
          it == observation.allocations.end() ? std::vector<std::string>()
                                              : it->second);
    }
    for (const StaleSubscription& stale : observation.stale) {
      text["stale_subscription"].push_back(
          {{"run", run + 1},
           {"consumer", stale.consumer},
           {"first_refusal_ms", Rounded(stale.first_refusal_ms)},
           {"last_refusal_ms", Rounded(stale.last_refusal_ms)}});
    }
  }
  for (const auto& [quantity, runs] : recording.Values()) {
    json values = json::array();
    for (const std::optional<double>& value : runs) {
      if (!value.has_value()) {
        values.push_back(nullptr);
      } else if (quantity.IsCount()) {
        values.push_back(std::llround(*value));
      } else {
        values.push_back(Rounded(*value));
      }
    }
    text["values"][quantity.after][quantity.what][quantity.subject] =
        std::move(values);
  }
  return absl::StrCat(Lines(text), "\n");
}

}  // namespace groupsim
