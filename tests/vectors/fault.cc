// The latency-fault strategy of producers against that of RocketMQ.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/fault_strategy.h"
#include "model/client/latency_fault_tolerance.h"
#include "model/client/publish_info.h"
#include "model/client/settings.h"
#include "model/wire/message_queue.h"
#include "tests/vectors/vector_test.h"
#include "tests/vectors/vector_values.h"

namespace groupsim {
namespace {

using nlohmann::json;

VectorResult Compare(const json& expected, const json& got,
                     absl::string_view what) {
  if (expected == got) return VectorResult::Match();
  return VectorResult::Mismatch(absl::StrCat(
      what, "\n  expected ", expected.dump(), "\n  got      ", got.dump()));
}

std::vector<Duration> ReadMillis(const json& list) {
  std::vector<Duration> durations;
  for (const json& item : list) {
    durations.push_back(Duration::Millis(item.get<int64_t>()));
  }
  return durations;
}

// As a producer has it with default settings.
FaultStrategy::Config Usual(bool send_latency_enable) {
  const ProducerSettings settings;
  FaultStrategy::Config config;
  config.send_latency_enable = send_latency_enable;
  config.latency_max = settings.latency_max;
  config.not_available_duration = settings.not_available_duration;
  config.failed_send_latency = kClientRocketMq53.failed_send_latency;
  return config;
}

VectorResult CheckDuration(const json& vector) {
  FaultStrategy::Config config = Usual(true);
  if (vector.contains("latency_max")) {
    config.latency_max = ReadMillis(vector.at("latency_max"));
    config.not_available_duration = ReadMillis(vector.at("not_available"));
  }
  const FaultStrategy strategy(config);
  const auto latency = vector.at("latency").get<int64_t>();
  return Compare(vector.at("not_available_ms"),
                 strategy.NotAvailableMillis(latency),
                 absl::StrCat("latency ", latency));
}

VectorResult CheckUpdate(const json& vector) {
  FaultStrategy strategy(Usual(vector.at("fault_enable").get<bool>()));
  NameTable names;
  const Name broker = names.Intern("b");
  constexpr int64_t kNow = 1'000'000;
  strategy.UpdateFaultItem(broker, vector.at("latency").get<int64_t>(),
                           vector.at("isolation").get<bool>(),
                           vector.at("reachable").get<bool>(), kNow);
  json recorded;
  const LatencyFaultTolerance::Item* item = strategy.tolerance().Find(broker);
  if (item != nullptr) {
    recorded = {{"latency", item->latency_millis},
                {"not_available_ms",
                 std::max<int64_t>(item->available_millis - kNow, 0)},
                {"reachable", item->reachable}};
  }
  return Compare(vector.at("recorded"), recorded, "what is recorded");
}

VectorResult CheckSelect(const json& vector) {
  FaultStrategy strategy(Usual(vector.at("fault_enable").get<bool>()));
  NameTable names;
  const std::optional<std::vector<MessageQueue>> queues =
      ReadQueues(vector.at("queues"), names);
  if (!queues.has_value()) return VectorResult::Malformed("no list of queues");
  // Brokers are isolated for a minute, or not reachable, or both.
  const std::optional<std::vector<Name>> unavailable =
      ReadNames(vector.at("unavailable"), names);
  const std::optional<std::vector<Name>> unreachable =
      ReadNames(vector.at("unreachable"), names);
  if (!unavailable.has_value() || !unreachable.has_value()) {
    return VectorResult::Malformed("no lists of brokers");
  }
  for (Name broker : *unavailable) {
    strategy.tolerance().Update(broker, 0, 60'000, /*reachable=*/true, 0);
  }
  for (Name broker : *unreachable) {
    strategy.tolerance().Update(broker, 0, 0, /*reachable=*/false, 0);
  }
  const auto start = vector.at("start_index").get<int64_t>();
  PublishInfo info(*queues, static_cast<uint32_t>(start));
  json picked = json::array();
  json index_after = json::array();
  for (const json& last : vector.at("last_broker")) {
    const Name broker =
        last.is_null() ? Name() : names.Intern(last.get<std::string>());
    const MessageQueue& queue = strategy.Select(info, broker, 1'000);
    picked.push_back(&queue - info.queues().data());
    index_after.push_back(static_cast<int32_t>(info.index()));
  }
  return Compare({vector.at("picked"), vector.at("index_after")},
                 {picked, index_after}, "queues picked, and the index after");
}

VectorResult CheckTolerance(const json& vector) {
  NameTable names;
  LatencyFaultTolerance tolerance;
  const json& steps = vector.at("steps");
  for (size_t i = 0; i < steps.size(); ++i) {
    const json& step = steps[i];
    const auto now = step.at("at_ms").get<int64_t>();
    const std::string op = step.at("op").get<std::string>();
    if (op == "update") {
      tolerance.Update(names.Intern(step.at("broker").get<std::string>()),
                       step.at("latency").get<int64_t>(),
                       step.at("not_available_ms").get<int64_t>(),
                       step.at("reachable").get<bool>(), now);
    } else if (op == "remove") {
      tolerance.Remove(names.Intern(step.at("broker").get<std::string>()));
    } else if (op == "query") {
      json available = json::array();
      json reachable = json::array();
      for (const json& text : vector.at("brokers")) {
        const Name broker = names.Intern(text.get<std::string>());
        if (tolerance.IsAvailable(broker, now)) available.push_back(text);
        if (tolerance.IsReachable(broker)) reachable.push_back(text);
      }
      const VectorResult result = Compare(
          {step.at("available"), step.at("reachable")}, {available, reachable},
          absl::StrCat("step ", i + 1, ", available and reachable at ", now,
                       " ms"));
      if (result.kind != VectorResult::Kind::kMatch) return result;
    } else {
      return VectorResult::Malformed(absl::StrCat("unknown operation ", op));
    }
  }
  return VectorResult::Match();
}

VectorResult CheckFault(const json& vector) {
  const std::string kind = vector.at("kind").get<std::string>();
  if (kind == "duration") return CheckDuration(vector);
  if (kind == "update") return CheckUpdate(vector);
  if (kind == "select") return CheckSelect(vector);
  if (kind == "tolerance") return CheckTolerance(vector);
  return VectorResult::NotRun();
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  return groupsim::VectorMain({.program = "fault",
                               .file = "tests/vectors/data/fault.jsonl",
                               .check = groupsim::CheckFault},
                              argc, argv);
}
