// What an expectation is about, and when.
#ifndef GROUPSIM_SCENARIOS_EXPECT_SCOPE_H_
#define GROUPSIM_SCENARIOS_EXPECT_SCOPE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/base/name.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"
#include "scenarios/schema/expectation.pb.h"

namespace groupsim {

// A group, or a part of it.
struct Scope {
  GroupIndex group = kNoSubject;  // None for expectations about facts.
  ConsumerIndex consumer = kNoSubject;
  Name topic;  // Empty for all.
  // By QueueIndex, of the topic only; empty for all queues of the group.
  std::vector<bool> queues;

  // Of an expectation, which the reader has validated, as far as it concerns
  // the group.
  static Scope Of(const schema::Expectation& expectation,
                  const Subjects& subjects, GroupIndex group);

  bool Covers(QueueIndex queue) const {
    return queues.empty() ||
           (queue != kNoSubject && queues[static_cast<size_t>(queue)]);
  }
  // " of pod-2", " of orders", " of broker-a#0..3"; "" for the group.
  std::string words;
};

// Finds subjects by their names; kNoSubject if there is none.
ConsumerIndex FindConsumer(const Subjects& subjects, const std::string& name);
// Queues of a group in the scenario's notation, of one topic or (empty) of
// all, in order of their numbers.
std::vector<QueueIndex> FindQueues(const Subjects& subjects, GroupIndex group,
                                   const std::string& topic,
                                   const std::string& queues);

// The window of an expectation. One that begins with an event of the timeline
// is open from then on; the others are from the begin of the run.
struct ExpectedWindow {
  Window window;
  std::string event;  // Empty for none.
  bool opened = true;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_SCOPE_H_
