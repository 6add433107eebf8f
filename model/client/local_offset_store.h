// Offsets of a group, kept by one consumer for itself.
#ifndef GROUPSIM_MODEL_CLIENT_LOCAL_OFFSET_STORE_H_
#define GROUPSIM_MODEL_CLIENT_LOCAL_OFFSET_STORE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/name.h"
#include "model/client/consumer_disk.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/settings.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// LocalFileOffsetStore, 5.3.3. Each time of writing reads the file, puts the
// offsets of owned queues in it, keeps what it was as the backup and writes it;
// so offsets of queues that are not owned stay (since 4.9.8 and 5.2.0). A file
// that is unreadable counts as its backup, and without one as empty; where both
// are unreadable, the consumer does not start.
class LocalOffsetStore final : public OffsetStore {
 public:
  // All references must outlive it.
  LocalOffsetStore(Env& env, Name group, const ClientProfile& profile,
                   OffsetFiles& files)
      : env_(env),
        group_(group),
        merges_(profile.offset_file_is_merged),
        files_(files) {}

  // Notes all offsets of the file.
  bool Load() override;
  // Never kFailed.
  Task<int64_t> Read(MessageQueue queue) override;
  Task<void> Persist(MessageQueue queue) override;
  Task<void> PersistAll(const OwnedQueues& owned) override;

 private:
  // Null where neither file can be read (readLocalOffset).
  std::optional<OffsetFile> Content() const;
  void Write(const std::vector<MessageQueue>& queues);

  Env& env_;
  const Name group_;
  const bool merges_;
  OffsetFiles& files_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_LOCAL_OFFSET_STORE_H_
