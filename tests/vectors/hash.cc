// Hashes against those of RocketMQ and Java.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/str_cat.h"
#include "model/allocation/hash_ring.h"
#include "model/base/name.h"
#include "model/client/java_order.h"
#include "model/wire/message_queue.h"
#include "tests/vectors/vector_test.h"
#include "tests/vectors/vector_values.h"

namespace groupsim {
namespace {

using nlohmann::json;

template <class Value>
VectorResult Differ(const char* what, const std::string& key, Value expected,
                    Value got) {
  return VectorResult::Mismatch(absl::StrCat(
      what, " of \"", key, "\"\nexpected ", expected, "\ngot      ", got));
}

VectorResult Check(const json& vector) {
  const auto key = vector.at("key").get<std::string>();
  const auto hash = vector.at("hash").get<int64_t>();
  if (Md5RingHash(key) != hash) {
    return Differ("ring hash", key, hash, Md5RingHash(key));
  }
  if (vector.contains("string_hash_code")) {
    const auto expected = vector["string_hash_code"].get<int32_t>();
    const auto got = static_cast<int32_t>(JavaHash(key));
    if (got != expected) return Differ("hash code", key, expected, got);
  }
  if (!vector.contains("queue")) return VectorResult::Match();
  NameTable names;
  const auto queue = ReadQueue(vector["queue"], names);
  if (!queue.has_value()) {
    return VectorResult::Malformed("a queue is [topic, broker, queue id]");
  }
  if (ToString(*queue) != key) {
    return Differ("key", Brief(*queue), key, ToString(*queue));
  }
  const auto expected = vector.at("queue_hash_code").get<int32_t>();
  const auto got = static_cast<int32_t>(JavaHash(*queue));
  if (got != expected) return Differ("hash code", key, expected, got);
  return VectorResult::Match();
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  return groupsim::VectorMain({.program = "hash",
                               .file = "tests/vectors/data/hash.jsonl",
                               .check = groupsim::Check},
                              argc, argv);
}
