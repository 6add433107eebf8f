// ProcessQueue against that of RocketMQ: traces of operations and the state
// after each.
#include "model/client/process_queue.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/client/message_window.h"
#include "model/wire/message.h"
#include "tests/vectors/vector_test.h"

namespace groupsim {
namespace {

using nlohmann::json;

// Messages of one step, and what the last of them says of the broker's maximum.
struct Batch {
  std::vector<Message> messages;
  std::optional<int64_t> broker_max_offset;
};

// [offset, bodySize] or [offset, bodySize, maxOffset], a list of them.
Batch ReadBatch(const json& list) {
  Batch batch;
  for (const json& item : list) {
    Message message;
    message.queue_offset = item.at(0).get<int64_t>();
    message.body_size = item.at(1).get<int32_t>();
    batch.messages.push_back(message);
    batch.broker_max_offset.reset();
    if (item.size() > 2) batch.broker_max_offset = item.at(2).get<int64_t>();
  }
  return batch;
}

// [entries, first offset, last offset]; null where there is none.
void AppendWindow(const MessageWindow& window, json& state) {
  state.push_back(window.size());
  state.push_back(window.empty() ? json() : json(window.FirstOffset()));
  state.push_back(window.empty() ? json() : json(window.LastOffset()));
}

json StateOf(const ProcessQueue& queue) {
  json state = {queue.msg_count(), queue.msg_size(), queue.queue_offset_max(),
                queue.msg_acc_cnt(), queue.consuming() ? 1 : 0};
  AppendWindow(queue.cached(), state);
  AppendWindow(queue.in_flight(), state);
  return state;
}

// What one operation did.
struct Outcome {
  json result;  // Null where the operation returns nothing.
  bool failed = false;
};

std::optional<Outcome> Apply(const json& step, ProcessQueue& queue) {
  const std::string op = step.at("op").get<std::string>();
  Outcome outcome;
  if (op == "put") {
    const Batch batch = ReadBatch(step.at("msgs"));
    outcome.result = queue.PutMessages(batch.messages, batch.broker_max_offset);
  } else if (op == "remove") {
    outcome.result =
        queue.RemoveMessages(ReadBatch(step.at("msgs")).messages, 0);
  } else if (op == "take") {
    outcome.result = json::array();
    for (const Message& message :
         queue.TakeMessages(step.at("n").get<size_t>(), 0)) {
      outcome.result.push_back(message.queue_offset);
    }
  } else if (op == "commit") {
    const std::optional<int64_t> next = queue.Commit();
    outcome.failed = !next.has_value();
    if (next.has_value()) outcome.result = *next;
  } else if (op == "rollback") {
    queue.Rollback();
  } else if (op == "again") {
    queue.MakeMessagesConsumeAgain(ReadBatch(step.at("msgs")).messages);
  } else if (op == "span") {
    outcome.result = queue.MaxSpan();
  } else if (op == "has") {
    outcome.result = queue.HasMessagesToTake();
  } else if (op == "contains") {
    outcome.result = queue.Contains(step.at("offset").get<int64_t>());
  } else if (op == "info") {
    const ProcessQueueInfo info = queue.Info();
    outcome.result = {info.cached_min_offset,    info.cached_max_offset,
                      info.cached_count,         info.cached_size_in_mib,
                      info.in_flight_min_offset, info.in_flight_max_offset,
                      info.in_flight_count};
  } else if (op == "clear") {
    queue.Clear();
  } else {
    return std::nullopt;
  }
  return outcome;
}

VectorResult CheckTrace(const json& vector) {
  ProcessQueue queue(0);
  const json& steps = vector.at("steps");
  for (size_t i = 0; i < steps.size(); ++i) {
    const json& step = steps[i];
    const std::optional<Outcome> outcome = Apply(step, queue);
    if (!outcome.has_value()) {
      return VectorResult::Malformed(
          absl::StrCat("unknown operation ", step.at("op").dump()));
    }
    const json expected = step.value("ret", json());
    const json state = StateOf(queue);
    if (outcome->failed != step.contains("error") ||
        outcome->result != expected || state != step.at("s")) {
      return VectorResult::Mismatch(absl::StrCat(
          "step ", i + 1, ", ", step.at("op").get<std::string>(),
          "\n  expected ", step.contains("error") ? "an error" : "",
          expected.dump(), ", state ", step.at("s").dump(), "\n  got      ",
          outcome->failed ? "an error" : "", outcome->result.dump(), ", state ",
          state.dump()));
    }
  }
  return VectorResult::Match();
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  return groupsim::VectorMain({.program = "process_queue",
                               .file = "tests/vectors/data/process_queue.jsonl",
                               .check = groupsim::CheckTrace},
                              argc, argv);
}
