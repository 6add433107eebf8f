// Allocation strategies against those of RocketMQ.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "model/allocation/averagely.h"
#include "model/allocation/averagely_by_circle.h"
#include "model/allocation/by_config.h"
#include "model/allocation/by_machine_room.h"
#include "model/allocation/consistent_hash.h"
#include "model/allocation/hash_ring.h"
#include "model/allocation/machine_room_nearby.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "tests/support/room_prefix.h"
#include "tests/vectors/vector_test.h"
#include "tests/vectors/vector_values.h"

namespace groupsim {
namespace {

using nlohmann::json;

// What a strategy has to answer to one client id.
struct Answer {
  bool fails = false;
  std::string reason;  // Upstream's words; empty where they are not known.
  std::vector<MessageQueue> queues;
};

// How a refusal begins in upstream's words, and in ours. What follows (a queue,
// a client id, a number) is the same in both.
struct Refusal {
  absl::string_view upstream;
  absl::string_view ours;
};
constexpr Refusal kRefusals[] = {
    {"currentCID is empty", "the client id is empty"},
    {"mqAll is null or mqAll empty", "there are no queues to allocate"},
    {"cidAll is null or cidAll empty",
     "there are no client ids to allocate queues to"},
    {"Machine room is null for mq ", "no machine room is known of "},
    {"Machine room is null for consumer id ",
     "no machine room is known of the client id "},
    {"illegal virtualNodeCnt :",
     "the number of virtual nodes must not be negative, but is "},
    {"java.lang.NullPointerException", "no set of machine rooms is configured"},
};

std::optional<Answer> ReadAnswer(const json& value,
                                 const std::vector<MessageQueue>& queues) {
  Answer answer;
  if (value.is_object()) {
    if (!value.contains("error")) return std::nullopt;
    answer.fails = true;
    // An exception without words is known by its class.
    const json& message = value.value("message", json());
    answer.reason = message.is_string() ? message.get<std::string>()
                                        : value["error"].get<std::string>();
    return answer;
  }
  // Upstream's caller takes null for an empty share.
  if (value.is_null()) return answer;
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
  const absl::string_view ours = got.status().message();
  return std::any_of(
      std::begin(kRefusals), std::end(kRefusals), [&](const Refusal& refusal) {
        absl::string_view expected_rest = expected.reason;
        absl::string_view our_rest = ours;
        return absl::ConsumePrefix(&expected_rest, refusal.upstream) &&
               absl::ConsumePrefix(&our_rest, refusal.ours) &&
               expected_rest == our_rest;
      });
}

// One vector: a view, and the answers to some clients.
struct Case {
  NameTable names;
  // Or why it could not be made.
  absl::StatusOr<std::shared_ptr<const AllocationStrategy>> strategy;
  AllocationView view;
  // What positions in answers refer to.
  std::vector<MessageQueue> listed;
  std::vector<std::pair<Name, Answer>> answers;
};

// Fills the lists; a null list stays null. False if one is malformed.
bool ReadView(const json& vector, Case* result) {
  const json& queues = vector.at("queues");
  if (!queues.is_null()) {
    auto list = ReadQueues(queues, result->names);
    if (!list.has_value()) return false;
    result->listed = *list;
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
  const std::vector<MessageQueue>& queues = result->listed;
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

// The hash functions that vectors name.
int64_t LengthHash(absl::string_view key) {
  return static_cast<int64_t>(JavaChars(key).size());
}

int64_t ZeroHash(absl::string_view /*key*/) { return 0; }

int64_t LastCharHash(absl::string_view key) {
  return JavaChars(key).back() % 8;
}

int64_t SignedFnvHash(absl::string_view key) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : key) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return static_cast<int64_t>(hash);
}

struct NamedHash {
  absl::string_view name;
  RingHash hash;
};
constexpr NamedHash kHashes[] = {{"length", &LengthHash},
                                 {"zero", &ZeroHash},
                                 {"last_char_mod_8", &LastCharHash},
                                 {"signed_fnv1a64", &SignedFnvHash}};

using StrategyPtr = std::shared_ptr<const AllocationStrategy>;

absl::StatusOr<StrategyPtr> MakeConsistentHash(const json& vector) {
  AllocateByConsistentHash::Options options;
  options.virtual_nodes = vector.value("virtual_nodes", 10);
  if (vector.contains("hash")) {
    const auto name = vector["hash"].get<std::string>();
    const auto* found =
        std::find_if(std::begin(kHashes), std::end(kHashes),
                     [&](const NamedHash& hash) { return hash.name == name; });
    if (found == std::end(kHashes)) {
      return absl::NotFoundError(
          absl::StrCat("no hash is called \"", name, "\""));
    }
    options.hash = found->hash;
  }
  return AllocateByConsistentHash::Create(options);
}

// NotFound where there is no such strategy: the vector is malformed. Other
// errors are those of the strategy.
absl::StatusOr<StrategyPtr> MakeStrategy(absl::string_view name,
                                         const json& vector, Case* result) {
  if (name == "AVG") return std::make_shared<const AllocateAveragely>();
  if (name == "AVG_BY_CIRCLE") {
    return std::make_shared<const AllocateAveragelyByCircle>();
  }
  if (name == "CONSISTENT_HASH") return MakeConsistentHash(vector);
  if (name == "MACHINE_ROOM") {
    const json& rooms = vector.at("rooms");
    return std::make_shared<const AllocateByMachineRoom>(
        rooms.is_null()
            ? std::nullopt
            : std::make_optional(rooms.get<std::vector<std::string>>()));
  }
  if (name == "MACHINE_ROOM_NEARBY") {
    absl::StatusOr<StrategyPtr> inner = MakeStrategy(
        vector.at("inner").get<std::string>(), json::object(), result);
    if (!inner.ok()) return inner;
    return std::make_shared<const AllocateMachineRoomNearby>(
        *std::move(inner), std::make_shared<const RoomPrefix>('-'));
  }
  if (name == "CONFIG") {
    const json& config = vector.at("config");
    result->listed.clear();
    if (!config.is_null()) {
      auto list = ReadQueues(config, result->names);
      if (!list.has_value()) {
        return absl::NotFoundError("\"config\" is no list of queues");
      }
      result->listed = *std::move(list);
    }
    return std::make_shared<const AllocateByConfig>(result->listed);
  }
  return absl::NotFoundError(
      absl::StrCat("no strategy is called \"", name, "\""));
}

VectorResult Compare(const Case& vector) {
  const AllocationPlanPtr plan =
      vector.strategy.ok() ? (*vector.strategy)->Prepare(vector.view) : nullptr;
  for (const auto& [client, expected] : vector.answers) {
    const absl::StatusOr<std::vector<MessageQueue>> got =
        plan == nullptr ? vector.strategy.status() : plan->For(client);
    if (Agree(expected, got)) continue;
    return VectorResult::Mismatch(
        absl::StrCat(plan == nullptr ? "" : (*vector.strategy)->name(),
                     ", client id \"", client.text(), "\"\nexpected ",
                     expected.fails ? absl::StrCat("error: ", expected.reason)
                                    : Brief(expected.queues),
                     "\ngot      ", Describe(got)));
  }
  return VectorResult::Match();
}

VectorResult Check(const json& vector) {
  const auto name = vector.at("strategy").get<std::string>();
  Case parsed;
  if (!ReadView(vector, &parsed)) {
    return VectorResult::Malformed(
        "queues are lists of [topic, broker, queue id], consumers are texts");
  }
  parsed.strategy = MakeStrategy(name, vector, &parsed);
  if (absl::IsNotFound(parsed.strategy.status())) {
    return VectorResult::Malformed(
        std::string(parsed.strategy.status().message()));
  }
  if (!ReadAnswers(vector, &parsed)) {
    return VectorResult::Malformed(
        "a share is a list of positions in \"queues\", or has an \"error\"");
  }
  if (parsed.answers.empty()) {
    return VectorResult::Malformed("no client id is asked for");
  }
  return Compare(parsed);
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  return groupsim::VectorMain({.program = "allocation",
                               .file = "tests/vectors/data/allocate.jsonl",
                               .check = groupsim::Check},
                              argc, argv);
}
