#include "model/client/local_offset_store.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/client/consumer_disk.h"
#include "model/client/owned_queues.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

std::optional<OffsetFile> LocalOffsetStore::Content() const {
  if (files_.file.has_value() && files_.file->readable) return files_.file;
  if (!files_.backup.has_value()) return OffsetFile();
  if (files_.backup->readable) return files_.backup;
  return std::nullopt;
}

bool LocalOffsetStore::Load() {
  const std::optional<OffsetFile> content = Content();
  if (!content.has_value()) return false;
  for (const auto& [queue, offset] : content->offsets) {
    offsets().Set(queue, offset);
  }
  return true;
}

Task<int64_t> LocalOffsetStore::Read(MessageQueue queue) {
  const std::optional<OffsetFile> content = Content();
  if (!content.has_value()) co_return kNotFound;
  const auto found = content->offsets.find(queue);
  if (found == content->offsets.end()) co_return kNotFound;
  offsets().Set(queue, found->second);
  co_return found->second;
}

void LocalOffsetStore::Write(const std::vector<MessageQueue>& queues) {
  std::optional<OffsetFile> content = Content();
  if (!content.has_value()) return;  // An exception upstream.
  std::vector<Fact> changes;
  for (const MessageQueue& queue : queues) {
    const int64_t offset = offsets().Find(queue);
    if (offset < 0) continue;
    const auto [place, is_new] = content->offsets.try_emplace(queue, -1);
    if (place->second == offset) continue;
    Fact fact = QueueFact(FactKind::COMMITTED, group_, queue);
    fact.offset = offset;
    fact.count = std::exchange(place->second, offset);
    changes.push_back(fact);
  }
  if (files_.file.has_value()) files_.backup = std::move(files_.file);
  files_.file = std::move(content);
  for (const Fact& fact : changes) env_.Emit(fact);
}

Task<void> LocalOffsetStore::Persist(MessageQueue queue) {
  if (offsets().Find(queue) >= 0) Write({queue});
  co_return;
}

Task<void> LocalOffsetStore::PersistAll(const OwnedQueues& owned) {
  std::vector<MessageQueue> queues;
  queues.reserve(owned.all().size());
  for (const auto& [queue, unused] : owned.all()) queues.push_back(queue);
  if (!queues.empty()) Write(queues);
  co_return;
}

}  // namespace groupsim
