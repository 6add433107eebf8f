#include "model/allocation/comparison/hashes.h"

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "model/wire/message_queue.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace groupsim {

uint64_t TextHash(absl::string_view text, uint64_t seed) {
  return XXH64(text.data(), text.size(), seed);
}

uint64_t QueueHash(const MessageQueue& queue) {
  std::string bytes = queue.topic.text();
  bytes += '\0';
  bytes += queue.broker.text();
  bytes += '\0';
  const auto id = static_cast<uint32_t>(queue.queue_id);
  for (int shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>((id >> shift) & 0xff);
  }
  return TextHash(bytes, 0);
}

}  // namespace groupsim
