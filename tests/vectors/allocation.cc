// Allocation strategies against those of RocketMQ.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/allocation/averagely.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "tests/vectors/vector_test.h"
#include "tests/vectors/vector_values.h"

namespace groupsim {
namespace {

using nlohmann::json;

constexpr absl::string_view kOtherStrategies[] = {
    "AVG_BY_CIRCLE", "CONSISTENT_HASH", "MACHINE_ROOM", "MACHINE_ROOM_NEARBY",
    "CONFIG"};

// What a strategy has to answer to one client id.
struct Answer {
  bool fails = false;
  std::string reason;  // Upstream's words; empty where they are not known.
  std::vector<MessageQueue> queues;
};

// Upstream's words for a refusal, and ours.
struct Refusal {
  absl::string_view upstream;
  absl::string_view ours;
};
constexpr Refusal kRefusals[] = {
    {"currentCID is empty", "the client id is empty"},
    {"mqAll is null or mqAll empty", "there are no queues to allocate"},
    {"cidAll is null or cidAll empty",
     "there are no client ids to allocate queues to"},
};

std::optional<Answer> ReadAnswer(const json& value,
                                 const std::vector<MessageQueue>& queues) {
  Answer answer;
  if (value.is_object()) {
    if (!value.contains("error")) return std::nullopt;
    answer.fails = true;
    answer.reason = value.value("message", "");
    return answer;
  }
  const auto positions = ReadPositions(value, queues.size());
  if (!positions.has_value()) return std::nullopt;
  for (const size_t position : *positions) {
    answer.queues.push_back(queues[position]);
  }
  return answer;
}

std::string Describe(const absl::StatusOr<std::vector<MessageQueue>>& got) {
  return got.ok() ? Brief(*got)
                  : absl::StrCat("error: ", got.status().message());
}

bool Agree(const Answer& expected,
           const absl::StatusOr<std::vector<MessageQueue>>& got) {
  if (expected.fails == got.ok()) return false;
  if (!expected.fails) return *got == expected.queues;
  const auto* refusal =
      std::find_if(std::begin(kRefusals), std::end(kRefusals),
                   [&](const Refusal& candidate) {
                     return candidate.upstream == expected.reason;
                   });
  return refusal == std::end(kRefusals) ||
         got.status().message() == refusal->ours;
}

// One vector: a view, and the answers to some clients.
struct Case {
  NameTable names;
  AllocationView view;
  std::vector<std::pair<Name, Answer>> answers;
};

// Fills the lists; a null list stays null. False if one is malformed.
bool ReadView(const json& vector, Case* result) {
  const json& queues = vector.at("queues");
  if (!queues.is_null()) {
    auto list = ReadQueues(queues, result->names);
    if (!list.has_value()) return false;
    result->view.queues =
        std::make_shared<const std::vector<MessageQueue>>(*std::move(list));
  }
  const json& consumers = vector.at("consumers");
  if (!consumers.is_null()) {
    auto list = ReadNames(consumers, result->names);
    if (!list.has_value()) return false;
    result->view.client_ids =
        std::make_shared<const std::vector<Name>>(*std::move(list));
  }
  return true;
}

bool ReadAnswers(const json& vector, Case* result) {
  static const std::vector<MessageQueue>& none =
      *new std::vector<MessageQueue>();
  const std::vector<MessageQueue>& queues =
      result->view.queues == nullptr ? none : *result->view.queues;
  if (vector.contains("current")) {
    const json& current = vector["current"];
    if (!current.is_null() && !current.is_string()) return false;
    const Name client = current.is_null()
                            ? Name()
                            : result->names.Intern(current.get<std::string>());
    const auto answer = ReadAnswer(
        vector.contains("error") ? vector : vector.at("result"), queues);
    if (!answer.has_value()) return false;
    result->answers.emplace_back(client, *answer);
    return true;
  }
  if (vector.contains("error")) {
    const auto answer = ReadAnswer(vector, queues);
    if (!answer.has_value() || result->view.client_ids == nullptr) return false;
    for (const Name client : *result->view.client_ids) {
      result->answers.emplace_back(client, *answer);
    }
    return true;
  }
  const json& allocations = vector.at("allocations");
  if (!allocations.is_object()) return false;
  for (const auto& [client, value] : allocations.items()) {
    const auto answer = ReadAnswer(value, queues);
    if (!answer.has_value()) return false;
    result->answers.emplace_back(result->names.Intern(client), *answer);
  }
  return true;
}

VectorResult Compare(const Case& vector, const AllocationStrategy& strategy) {
  const AllocationPlanPtr plan = strategy.Prepare(vector.view);
  for (const auto& [client, expected] : vector.answers) {
    const auto got = plan->For(client);
    if (Agree(expected, got)) continue;
    return VectorResult::Mismatch(absl::StrCat(
        strategy.name(), ", client id \"", client.text(), "\"\nexpected ",
        expected.fails ? absl::StrCat("error: ", expected.reason)
                       : Brief(expected.queues),
        "\ngot      ", Describe(got)));
  }
  return VectorResult::Match();
}

VectorResult Check(const json& vector) {
  const auto name = vector.at("strategy").get<std::string>();
  if (std::find(std::begin(kOtherStrategies), std::end(kOtherStrategies),
                name) != std::end(kOtherStrategies)) {
    return VectorResult::NotRun();
  }
  const AllocateAveragely averagely;
  if (name != averagely.name()) {
    return VectorResult::Malformed(
        absl::StrCat("no strategy is called \"", name, "\""));
  }
  Case parsed;
  if (!ReadView(vector, &parsed)) {
    return VectorResult::Malformed(
        "queues are lists of [topic, broker, queue id], consumers are texts");
  }
  if (!ReadAnswers(vector, &parsed)) {
    return VectorResult::Malformed(
        "a share is a list of positions in \"queues\", or has an \"error\"");
  }
  if (parsed.answers.empty()) {
    return VectorResult::Malformed("no client id is asked for");
  }
  return Compare(parsed, averagely);
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  return groupsim::VectorMain({.program = "allocation",
                               .file = "tests/vectors/data/allocate.jsonl",
                               .check = groupsim::Check,
                               .not_run = "of other strategies"},
                              argc, argv);
}
