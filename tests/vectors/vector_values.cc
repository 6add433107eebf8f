#include "tests/vectors/vector_values.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

std::optional<MessageQueue> ReadQueue(const nlohmann::json& json,
                                      NameTable& names) {
  if (!json.is_array() || json.size() != 3 || !json[0].is_string() ||
      !json[1].is_string() || !json[2].is_number_integer()) {
    return std::nullopt;
  }
  const auto queue_id = json[2].get<int64_t>();
  if (queue_id < INT32_MIN || queue_id > INT32_MAX) return std::nullopt;
  const Name topic = names.Intern(json[0].get<std::string>());
  const Name broker = names.Intern(json[1].get<std::string>());
  return MessageQueue{.topic = topic,
                      .broker = broker,
                      .queue_id = static_cast<int32_t>(queue_id)};
}

std::optional<std::vector<MessageQueue>> ReadQueues(const nlohmann::json& json,
                                                    NameTable& names) {
  if (!json.is_array()) return std::nullopt;
  std::vector<MessageQueue> queues;
  for (const nlohmann::json& element : json) {
    const std::optional<MessageQueue> queue = ReadQueue(element, names);
    if (!queue.has_value()) return std::nullopt;
    queues.push_back(*queue);
  }
  return queues;
}

std::optional<std::vector<Name>> ReadNames(const nlohmann::json& json,
                                           NameTable& names) {
  if (!json.is_array()) return std::nullopt;
  std::vector<Name> texts;
  for (const nlohmann::json& element : json) {
    if (!element.is_string()) return std::nullopt;
    texts.push_back(names.Intern(element.get<std::string>()));
  }
  return texts;
}

std::optional<std::vector<size_t>> ReadPositions(const nlohmann::json& json,
                                                 size_t size) {
  if (!json.is_array()) return std::nullopt;
  std::vector<size_t> positions;
  for (const nlohmann::json& element : json) {
    if (!element.is_number_unsigned()) return std::nullopt;
    const auto position = element.get<uint64_t>();
    if (position >= size) return std::nullopt;
    positions.push_back(position);
  }
  return positions;
}

std::vector<int32_t> JavaChars(absl::string_view text) {
  std::vector<int32_t> chars;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80   ? 1
                          : lead < 0xE0 ? 2
                          : lead < 0xF0 ? 3
                                        : 4;
    int32_t point = length == 1 ? lead : lead & (0x7F >> length);
    for (size_t k = 1; k < length; ++k) {
      point = (point << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3F);
    }
    if (point >= 0x10000) {
      chars.push_back(0xD800 + ((point - 0x10000) >> 10));
      chars.push_back(0xDC00 + ((point - 0x10000) & 0x3FF));
    } else {
      chars.push_back(point);
    }
    i += length;
  }
  return chars;
}

std::string Brief(const MessageQueue& queue) {
  return absl::StrCat(queue.topic.text(), "/", queue.broker.text(), "#",
                      queue.queue_id);
}

std::string Brief(const std::vector<MessageQueue>& queues) {
  std::vector<std::string> texts;
  for (const MessageQueue& queue : queues) texts.push_back(Brief(queue));
  return absl::StrCat("[", absl::StrJoin(texts, ", "), "]");
}

}  // namespace groupsim
