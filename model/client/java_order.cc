#include "model/client/java_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

constexpr uint32_t kSmallestTable = 16;

uint32_t HashOf(Name name) { return JavaHash(name.text()); }
uint32_t HashOf(const MessageQueue& queue) { return JavaHash(queue); }

uint32_t TableSize(JavaTable table, size_t keys) {
  uint32_t size = kSmallestTable;
  const auto grows = [&] {
    const size_t threshold = size / 4 * 3;
    return table == JavaTable::kHashMap ? keys > threshold : keys >= threshold;
  };
  while (grows()) size *= 2;
  return size;
}

// HashMap.hash folds the upper half in, as ConcurrentHashMap.spread does.
uint32_t Bucket(uint32_t hash, uint32_t table_size) {
  return (hash ^ (hash >> 16)) & (table_size - 1);
}

template <class Key>
void Sort(JavaTable table, std::vector<Key>& keys) {
  if (keys.size() < 2) return;
  const uint32_t size = TableSize(table, keys.size());
  std::vector<std::pair<uint32_t, Key>> placed;
  placed.reserve(keys.size());
  for (const Key& key : keys)
    placed.emplace_back(Bucket(HashOf(key), size), key);
  // Within a bucket a new key goes to the end.
  std::stable_sort(
      placed.begin(), placed.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  std::transform(placed.begin(), placed.end(), keys.begin(),
                 [](const auto& one) { return one.second; });
}

}  // namespace

uint32_t JavaHash(absl::string_view text) {
  uint32_t hash = 0;
  for (size_t i = 0; i < text.size();) {
    const uint32_t lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) {
      hash = 31 * hash + lead;
      continue;
    }
    uint32_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    uint32_t point = lead & (0x3Fu >> more);
    for (; more > 0 && i < text.size(); --more, ++i) {
      point = (point << 6) | (static_cast<unsigned char>(text[i]) & 0x3F);
    }
    if (point >= 0x10000) {  // A pair of surrogates.
      hash = 31 * hash + 0xD800 + ((point - 0x10000) >> 10);
      point = 0xDC00 + ((point - 0x10000) & 0x3FF);
    }
    hash = 31 * hash + point;
  }
  return hash;
}

uint32_t JavaHash(const MessageQueue& queue) {
  uint32_t hash = 1;
  hash = 31 * hash + JavaHash(queue.broker.text());
  hash = 31 * hash + static_cast<uint32_t>(queue.queue_id);
  return 31 * hash + JavaHash(queue.topic.text());
}

void SortAsWalked(JavaTable table, std::vector<Name>& keys) {
  Sort(table, keys);
}

void SortAsWalked(JavaTable table, std::vector<MessageQueue>& keys) {
  Sort(table, keys);
}

}  // namespace groupsim
