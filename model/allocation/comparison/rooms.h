// Members and queues in the same room (Kafka: rack).
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_ROOMS_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_ROOMS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "model/allocation/comparison/group_index.h"
#include "model/base/name.h"

namespace groupsim {

// Whether the member can read the queue without leaving its room. True for a
// member without a room.
inline bool RoomsMatch(const GroupIndex& index, uint32_t member,
                       uint32_t queue) {
  const Name room = index.member(member).room;
  if (room.empty()) return true;
  const absl::Span<const Name> rooms = index.Rooms(queue);
  return std::find(rooms.begin(), rooms.end(), room) != rooms.end();
}

// Whether rooms can make a difference: some member has a room, some queue is in
// a room of a member, and not every queue is in every room
// (useRackAwareAssignment).
inline bool RoomsMatter(const GroupIndex& index,
                        absl::Span<const uint32_t> members,
                        absl::Span<const uint32_t> queues) {
  absl::flat_hash_set<Name> of_members;
  for (const uint32_t member : members) {
    const Name room = index.member(member).room;
    if (!room.empty()) of_members.insert(room);
  }
  if (of_members.empty()) return false;
  absl::flat_hash_set<Name> all;
  bool shared = false;
  for (const uint32_t queue : queues) {
    for (const Name room : index.Rooms(queue)) {
      all.insert(room);
      shared = shared || of_members.contains(room);
    }
  }
  if (!shared) return false;
  for (const uint32_t queue : queues) {
    const absl::Span<const Name> rooms = index.Rooms(queue);
    absl::flat_hash_set<Name> own(rooms.begin(), rooms.end());
    if (own.size() != all.size()) return true;
  }
  return false;
}

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_ROOMS_H_
