// Single things that measures count, for those who must know when and where.
#ifndef GROUPSIM_SCENARIOS_MEASURE_OCCURRENCE_H_
#define GROUPSIM_SCENARIOS_MEASURE_OCCURRENCE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "scenarios/measure/subjects.h"

namespace groupsim {

enum class OccurrenceKind {
  kDuplicate,    // A message was delivered again; change = 1.
  kOutOfOrder,   // A delivery below a finished offset; change = 1.
  kSkipped,      // Messages were passed by, or came after all; change = how
                 // many, negative for the latter.
  kLost,         // An acknowledged message is not there; change = 1.
  kMove,         // A queue went to another consumer; change = 1.
  kUnowned,      // A queue is without an owner from now on (change = 1), or no
                 // longer (-1).
  kDoubleOwned,  // The same for two owners or more.
  kLag,          // The lag of a queue changed by `change`.
  kLatency,      // A message was finished; length = latency.
  kTakeover,     // A new owner got its first message; length = takeover.
  kConvergence,  // The group came to rest; length = time since the change that
                 // `consumer` made.
  kPostponed,   // A pull was put off; change = PostponeReason, length = for how
                // long. A negative length takes back the end of that.
  kDeadLetter,  // A message was given up; change = 1.
  kAtRest,      // Each queue had one owner from `time` on, for a while, in
                // which Jain's index was `jain`.
};
inline constexpr size_t kOccurrenceKinds = 14;

struct Occurrence {
  Instant time;
  QueueIndex queue = kNoSubject;
  ConsumerIndex consumer = kNoSubject;
  int64_t offset = -1;  // Of the (first) message; -1 for none.
  int64_t change = 0;
  Duration length;
  double jain = 1;
};

class OccurrenceObserver {
 public:
  virtual ~OccurrenceObserver() = default;
  virtual void OnOccurrence(OccurrenceKind kind, const Occurrence& what) = 0;
};

// The occurrences of one group. What counts things that lie in the window of
// the measures only, as their totals do, occurs only there; what changes a
// state (kUnowned, kDoubleOwned, kLag) occurs always.
class Occurrences {
 public:
  // The observer outlives the measures' last fact.
  void Observe(OccurrenceKind kind, OccurrenceObserver* observer) {
    observers_[static_cast<size_t>(kind)].push_back(observer);
  }
  bool Wanted(OccurrenceKind kind) const {
    return !observers_[static_cast<size_t>(kind)].empty();
  }
  void Emit(OccurrenceKind kind, const Occurrence& what) const {
    for (OccurrenceObserver* observer : observers_[static_cast<size_t>(kind)]) {
      observer->OnOccurrence(kind, what);
    }
  }

 private:
  std::array<std::vector<OccurrenceObserver*>, kOccurrenceKinds> observers_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_OCCURRENCE_H_
