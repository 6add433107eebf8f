// Machine rooms that names say.
#ifndef GROUPSIM_TESTS_SUPPORT_ROOM_PREFIX_H_
#define GROUPSIM_TESTS_SUPPORT_ROOM_PREFIX_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "model/allocation/room_resolver.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// Rooms as parts of names: the text before the first `separator` of the broker
// name, or of the client id. Not known where there is no separator.
class RoomPrefix final : public RoomResolver {
 public:
  explicit RoomPrefix(char separator) : separator_(separator) {}

  absl::string_view RoomOfQueue(const MessageQueue& queue) const override {
    return Prefix(queue.broker);
  }
  absl::string_view RoomOfClient(Name client_id) const override {
    return Prefix(client_id);
  }

 private:
  absl::string_view Prefix(Name name) const {
    const absl::string_view text = name.text();
    const size_t end = text.find(separator_);
    return end == absl::string_view::npos ? absl::string_view()
                                          : text.substr(0, end);
  }

  const char separator_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SUPPORT_ROOM_PREFIX_H_
