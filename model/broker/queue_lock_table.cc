#include "model/broker/queue_lock_table.h"

#include <algorithm>
#include <cstdint>

namespace groupsim {

QueueLockTable::Answer QueueLockTable::Lock(Name group,
                                            const MessageQueue& queue,
                                            Name client_id,
                                            int64_t now_millis) {
  const auto [it, is_new] =
      groups_[group].try_emplace(queue, Entry{client_id, now_millis});
  if (is_new) return Answer();
  Entry& entry = it->second;
  Answer answer;
  answer.holder = entry.client_id;
  answer.age_millis = now_millis - entry.renewed_millis;
  if (Expired(entry, now_millis)) {
    answer.outcome = Outcome::kTakenOver;
  } else if (entry.client_id == client_id) {
    answer.outcome = Outcome::kRenewed;
  } else {
    answer.outcome = Outcome::kRefused;
    return answer;
  }
  entry = {client_id, now_millis};
  return answer;
}

bool QueueLockTable::Unlock(Name group, const MessageQueue& queue,
                            Name client_id) {
  const auto locks = groups_.find(group);
  if (locks == groups_.end()) return false;
  const auto it = locks->second.find(queue);
  if (it == locks->second.end() || it->second.client_id != client_id) {
    return false;
  }
  locks->second.erase(it);
  return true;
}

bool QueueLockTable::Clear() {
  const bool had =
      std::any_of(groups_.begin(), groups_.end(),
                  [](const auto& locks) { return !locks.second.empty(); });
  groups_.clear();
  return had;
}

bool QueueLockTable::HoldsAny(Name group, int64_t now_millis) const {
  const auto locks = groups_.find(group);
  if (locks == groups_.end()) return false;
  return std::any_of(
      locks->second.begin(), locks->second.end(),
      [&](const auto& lock) { return !Expired(lock.second, now_millis); });
}

}  // namespace groupsim
