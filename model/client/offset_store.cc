#include "model/client/offset_store.h"

#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

Task<void> OffsetStore::PersistAndForget(MessageQueue queue) {
  co_await Persist(queue);
  offsets_.Remove(queue);
}

}  // namespace groupsim
