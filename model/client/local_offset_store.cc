#include "model/client/local_offset_store.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "model/client/consumer_disk.h"
#include "model/client/owned_queues.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

// -1 if there is none.
int64_t OffsetIn(const std::optional<OffsetFile>& file,
                 const MessageQueue& queue) {
  if (!file.has_value()) return -1;
  const auto found = file->offsets.find(queue);
  return found == file->offsets.end() ? -1 : found->second;
}

}  // namespace

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
  const std::optional<OffsetFile> before = Content();
  if (!before.has_value() && merges_) return;  // An exception upstream.
  OffsetFile content = merges_ ? *before : OffsetFile();
  std::vector<Fact> changes;
  for (const MessageQueue& queue : queues) {
    const int64_t offset = offsets().Find(queue);
    if (offset < 0) continue;
    content.offsets.insert_or_assign(queue, offset);
    const int64_t last = OffsetIn(before, queue);
    if (last == offset) continue;
    Fact fact = QueueFact(FactKind::COMMITTED, group_, queue);
    fact.offset = offset;
    fact.count = last;
    changes.push_back(fact);
  }
  if (files_.file.has_value()) files_.backup = std::move(files_.file);
  files_.file = std::move(content);
  for (const Fact& fact : changes) env_.Emit(fact);
}

Task<void> LocalOffsetStore::Persist(MessageQueue queue) {
  if (merges_ && offsets().Find(queue) >= 0) Write({queue});
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
