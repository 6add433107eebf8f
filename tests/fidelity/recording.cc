#include "tests/fidelity/recording.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/base/check.h"
#include "nlohmann/json.hpp"

namespace groupsim {

Recording ParseRecording(const std::string& text) {
  const nlohmann::json json =
      nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  CHECK(json.is_object()) << "a recording is not JSON";
  Recording recording;
  recording.name = json.at("recording");
  recording.runs = json.at("runs");
  for (const auto& [consumer, runs] : json.at("allocations").items()) {
    recording.allocations[consumer] = runs;
    CHECK(recording.allocations[consumer].size() == recording.runs) << consumer;
  }
  for (const auto& [after, whats] : json.at("ms").items()) {
    for (const auto& [what, subjects] : whats.items()) {
      for (const auto& [subject, values] : subjects.items()) {
        std::vector<std::optional<double>>& ms =
            recording.ms[{after, what, subject}];
        for (const nlohmann::json& value : values) {
          if (value.is_null()) {
            ms.push_back(std::nullopt);
          } else {
            ms.push_back(value.get<double>());
          }
        }
        CHECK(ms.size() == recording.runs) << after << " " << subject;
      }
    }
  }
  for (const nlohmann::json& from : json.at("stale_subscription")) {
    StaleSubscription stale;
    stale.consumer = from.at("consumer");
    stale.first_refusal_ms = from.at("first_refusal_ms");
    stale.last_refusal_ms = from.at("last_refusal_ms");
    recording.stale[from.at("run").get<size_t>()] = stale;
  }
  return recording;
}

}  // namespace groupsim
