// What of a consumer survives the death of its process.
#ifndef GROUPSIM_MODEL_CLIENT_CONSUMER_DISK_H_
#define GROUPSIM_MODEL_CLIENT_CONSUMER_DISK_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/container/btree_map.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// A file of offsets.
struct OffsetFile {
  absl::btree_map<MessageQueue, int64_t> offsets;
  bool readable = true;  // Else nobody can make anything of it.
};

// The offsets of one group as one client keeps them:
// ~/.rocketmq_offsets/<client id>/<group>/offsets.json, and the same as it was
// before the last time of writing, offsets.json.bak.
struct OffsetFiles {
  std::optional<OffsetFile> file;
  std::optional<OffsetFile> backup;
};

// Lives outside the process, which may crash at any time between turns; what
// is written is written whole.
struct ConsumerDisk {
  // By client id and group.
  absl::btree_map<std::pair<Name, Name>, OffsetFiles> offset_files;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CONSUMER_DISK_H_
