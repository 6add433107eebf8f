// The order of queues and of client ids against that of RocketMQ.
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "tests/vectors/vector_test.h"
#include "tests/vectors/vector_values.h"

namespace groupsim {
namespace {

using nlohmann::json;

// String.compareTo: the distance of the first units that differ, or else of the
// lengths.
int32_t JavaDistance(Name a, Name b) {
  const std::vector<int32_t> x = JavaChars(a.text());
  const std::vector<int32_t> y = JavaChars(b.text());
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (x[i] != y[i]) return x[i] - y[i];
  }
  return static_cast<int32_t>(x.size()) - static_cast<int32_t>(y.size());
}

// MessageQueue.compareTo, which subtracts queue ids in 32 bits. The model has
// only its sign; the number shows that texts were read as Java reads them.
int32_t JavaDistance(const MessageQueue& a, const MessageQueue& b) {
  if (a.topic != b.topic) return JavaDistance(a.topic, b.topic);
  if (a.broker != b.broker) return JavaDistance(a.broker, b.broker);
  return static_cast<int32_t>(static_cast<uint32_t>(a.queue_id) -
                              static_cast<uint32_t>(b.queue_id));
}

int SignOf(std::strong_ordering ordering) {
  return ordering < 0 ? -1 : ordering > 0 ? 1 : 0;
}

VectorResult CheckCompare(const json& vector) {
  NameTable names;
  const auto a = ReadQueue(vector.at("a"), names);
  const auto b = ReadQueue(vector.at("b"), names);
  if (!a.has_value() || !b.has_value()) {
    return VectorResult::Malformed("a queue is [topic, broker, queue id]");
  }
  const auto sign = vector.at("sign").get<int>();
  const auto value = vector.at("value").get<int64_t>();
  const auto equal = vector.at("equal").get<bool>();
  if (SignOf(*a <=> *b) == sign &&
      SignOf(*b <=> *a) == SignOf(JavaDistance(*b, *a) <=> 0) &&
      (*a == *b) == equal && JavaDistance(*a, *b) == value) {
    return VectorResult::Match();
  }
  return VectorResult::Mismatch(absl::StrCat(
      Brief(*a), " against ", Brief(*b), "\nexpected sign ", sign, ", value ",
      value, ", equal ", equal, "\ngot      sign ", SignOf(*a <=> *b),
      ", value ", JavaDistance(*a, *b), ", equal ", *a == *b));
}

VectorResult CheckQueues(const json& vector) {
  NameTable names;
  const auto queues = ReadQueues(vector.at("input"), names);
  if (!queues.has_value()) {
    return VectorResult::Malformed("\"input\" is no list of queues");
  }
  const auto expected = ReadPositions(vector.at("order"), queues->size());
  if (!expected.has_value() || expected->size() != queues->size()) {
    return VectorResult::Malformed("\"order\" is no order of \"input\"");
  }
  std::vector<size_t> order(queues->size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t k) {
    return (*queues)[i] < (*queues)[k];
  });
  if (order == *expected) return VectorResult::Match();
  return VectorResult::Mismatch(absl::StrCat(
      "order of ", Brief(*queues), "\nexpected ", absl::StrJoin(*expected, " "),
      "\ngot      ", absl::StrJoin(order, " ")));
}

VectorResult CheckClientIds(const json& vector) {
  NameTable names;
  auto input = ReadNames(vector.at("input"), names);
  const auto expected = ReadNames(vector.at("sorted"), names);
  if (!input.has_value() || !expected.has_value()) {
    return VectorResult::Malformed("client ids are texts");
  }
  std::stable_sort(input->begin(), input->end());
  if (*input == *expected) return VectorResult::Match();
  const auto text = [](std::string* out, Name name) { *out += name.text(); };
  return VectorResult::Mismatch(
      absl::StrCat("expected ", absl::StrJoin(*expected, " ", text),
                   "\ngot      ", absl::StrJoin(*input, " ", text)));
}

VectorResult Check(const json& vector) {
  const auto kind = vector.at("kind").get<std::string>();
  if (kind == "compare") return CheckCompare(vector);
  if (kind == "queues") return CheckQueues(vector);
  if (kind == "client_ids") return CheckClientIds(vector);
  return VectorResult::Malformed(
      absl::StrCat("no vector is of the kind \"", kind, "\""));
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  return groupsim::VectorMain({.program = "order",
                               .file = "tests/vectors/data/order.jsonl",
                               .check = groupsim::Check},
                              argc, argv);
}
