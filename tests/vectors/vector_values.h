// Queues and client ids as vectors write them.
#ifndef GROUPSIM_TESTS_VECTORS_VECTOR_VALUES_H_
#define GROUPSIM_TESTS_VECTORS_VECTOR_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// [topic, brokerName, queueId]; nothing if it is anything else.
std::optional<MessageQueue> ReadQueue(const nlohmann::json& json,
                                      NameTable& names);

// A list of such queues.
std::optional<std::vector<MessageQueue>> ReadQueues(const nlohmann::json& json,
                                                    NameTable& names);

// A list of texts.
std::optional<std::vector<Name>> ReadNames(const nlohmann::json& json,
                                           NameTable& names);

// Positions below `size`; nothing if one is not.
std::optional<std::vector<size_t>> ReadPositions(const nlohmann::json& json,
                                                 size_t size);

// The UTF-16 units of a text in well-formed UTF-8, as Java holds it.
std::vector<int32_t> JavaChars(absl::string_view text);

// "topic/broker#3", for reports.
std::string Brief(const MessageQueue& queue);
// "[topic/broker#3, ...]"
std::string Brief(const std::vector<MessageQueue>& queues);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_VECTORS_VECTOR_VALUES_H_
