#include "model/allocation/comparison/uniform_homogeneous.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"
#include "model/base/check.h"

namespace groupsim {
namespace {

// How many queues each member may have.
std::vector<uint32_t> Quotas(const std::vector<uint32_t>& owned, uint32_t total,
                             SurplusRight right) {
  const auto members = static_cast<uint32_t>(owned.size());
  const uint32_t share = total / members;
  uint32_t larger_left = total % members;
  std::vector<uint32_t> quotas(members, share);
  const auto grant = [&](uint32_t member) {
    if (larger_left == 0 || quotas[member] > share) return;
    ++quotas[member];
    --larger_left;
  };
  if (right == SurplusRight::kOwnersFirst) {
    for (uint32_t member = 0; member < members; ++member) {
      if (owned[member] > share) grant(member);
    }
  }
  for (uint32_t member = 0; member < members; ++member) grant(member);
  return quotas;
}

}  // namespace

std::vector<uint32_t> UniformHomogeneousOwners(const GroupIndex& index,
                                               const Claims& claims,
                                               SurplusRight right) {
  CHECK(index.homogeneous() && index.member_count() > 0);
  std::vector<uint32_t> owned(index.member_count(), 0);
  uint32_t total = 0;
  for (const uint32_t topic : index.subscription(0)) {
    const GroupIndex::Topic& queues = index.topics()[topic];
    total += queues.count;
    for (uint32_t i = 0; i < queues.count; ++i) {
      const uint32_t owner = claims.owner[queues.first + i];
      if (owner != kNobody) ++owned[owner];
    }
  }
  // What each member may still take.
  std::vector<uint32_t> room = Quotas(owned, total, right);
  std::vector<uint32_t> owner_of(index.queue_count(), kNobody);
  std::vector<uint32_t> free;                   // Nobody's before.
  std::vector<std::vector<uint32_t>> given_up;  // By member.
  for (const uint32_t topic : index.subscription(0)) {
    const GroupIndex::Topic& queues = index.topics()[topic];
    for (uint32_t i = 0; i < queues.count; ++i) {
      const uint32_t queue = queues.first + i;
      const uint32_t owner = claims.owner[queue];
      if (owner == kNobody) {
        free.push_back(queue);
      } else if (room[owner] > 0) {
        owner_of[queue] = owner;
        --room[owner];
      } else {
        if (given_up.empty()) given_up.resize(index.member_count());
        given_up[owner].push_back(queue);
      }
    }
  }
  for (const std::vector<uint32_t>& queues : given_up) {
    free.insert(free.end(), queues.begin(), queues.end());
  }
  size_t next = 0;
  for (uint32_t member = 0; member < index.member_count(); ++member) {
    for (; room[member] > 0; --room[member]) {
      CHECK_LT(next, free.size());
      owner_of[free[next++]] = member;
    }
  }
  CHECK_EQ(next, free.size());
  return owner_of;
}

}  // namespace groupsim
