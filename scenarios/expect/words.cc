#include "scenarios/expect/words.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/base/check.h"

namespace groupsim {

std::string NumberInWords(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    return absl::StrFormat("%.0f", value);
  }
  return absl::StrFormat("%.3f", value);
}

bool Bounds::Hold(double value) const {
  return !(equals && value != *equals) && !(at_least && value < *at_least) &&
         !(at_most && value > *at_most);
}

std::string Bounds::InWords(absl::string_view unit) const {
  std::vector<std::string> parts;
  if (equals) parts.push_back(absl::StrCat("equals ", NumberInWords(*equals)));
  if (at_least) {
    parts.push_back(absl::StrCat("at least ", NumberInWords(*at_least)));
  }
  if (at_most) {
    parts.push_back(absl::StrCat("at most ", NumberInWords(*at_most)));
  }
  return absl::StrCat(absl::StrJoin(parts, ", "), unit);
}

std::string QueueInWords(const Subjects& subjects, QueueIndex queue) {
  if (queue == kNoSubject) return "";
  const MessageQueue& q = subjects.queues()[static_cast<size_t>(queue)].queue;
  return absl::StrCat(q.topic.text(), " ", q.broker.text(), "#", q.queue_id);
}

std::string QueuesInWords(const Subjects& subjects,
                          const std::vector<QueueIndex>& queues) {
  if (queues.empty()) return "nothing";
  std::vector<std::string> names;
  for (const QueueIndex index : queues) {
    const MessageQueue& q = subjects.queues()[static_cast<size_t>(index)].queue;
    names.push_back(absl::StrCat(q.broker.text(), "#", q.queue_id));
  }
  return absl::StrJoin(names, ",");
}

std::string SubjectInWords(const Subjects& subjects, const Occurrence& what) {
  std::vector<std::string> parts;
  if (what.queue != kNoSubject) {
    parts.push_back(QueueInWords(subjects, what.queue));
  }
  if (what.offset >= 0) parts.push_back(absl::StrCat("offset ", what.offset));
  if (what.consumer != kNoSubject) {
    parts.push_back(absl::StrCat(
        "at ", subjects.consumers()[static_cast<size_t>(what.consumer)]
                   .process.text()));
  }
  return absl::StrJoin(parts, ", ");
}

}  // namespace groupsim
