// What counts of a run, recorded or simulated: both are told to the same
// observer, as events in order of time.
#ifndef GROUPSIM_TESTS_FIDELITY_OBSERVER_H_
#define GROUPSIM_TESTS_FIDELITY_OBSERVER_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/fidelity/recording.h"
#include "tests/fidelity/script.h"

namespace groupsim {

enum class EventKind {
  kAction,        // `what` is its verb; of a consumer or a broker.
  kUnregistered,  // A consumer took its leave of the first broker.
  kNotice,        // A consumer was told that its group changed.
  kShare,         // A consumer computed its share of the topic, `what`.
  kAdopted,       // A queue entered the table of a consumer,
  kReleased,      // or left it.
  kPullSent,
  kPullRefused,  // The broker did not know the latest subscription.
  kDelivered,    // `amount` is how often it was tried before.
  kFailed,       // The call for a message ended without success.
  kPutOff,       // `amount` pulls were put off because of `what`.
};

struct Event {
  EventKind kind = EventKind::kAction;
  double ms = 0;
  std::string subject;  // A consumer; of actions also a broker.
  std::string what;
  std::string queue;   // "a0"; "R:a0" is a retry queue.
  int64_t offset = 0;  // Of a delivered or failed message: where it was first.
  int64_t amount = 0;
};

class Observer {
 public:
  // The script outlives the observer.
  explicit Observer(const Script& script);

  // In order of time.
  void OnEvent(const Event& event);

  Observation Finish(double end_ms);

 private:
  struct QueueState {
    bool ever_owned = false;
    std::set<std::string> owners;
    std::set<std::string> ever_owners;
    std::string adopter;  // The last to adopt it since the last action.
    double accounted = 0;
    double unowned = 0;
    double twice = 0;
    double last_pull = -1;
    double longest_without_pull = 0;
    double last_delivery = -1;
    double longest_without_delivery = 0;
    int64_t pulls = 0;
    int64_t again = 0;
    std::set<int64_t> delivered;
  };

  // Queues whose owners are counted together.
  struct Scope {
    std::string after;  // The last action.
    double action_ms = 0;
    std::map<std::string, QueueState> queues;
    // When the last call for a message failed.
    std::map<std::pair<std::string, int64_t>, double> failed;
  };

  struct Refusals {
    double first = 0;
    double last = 0;
    std::string after;
    bool any = false;
    bool stale = false;
  };

  Scope& ScopeOf(const std::string& consumer);
  void Begin(const Event& event);
  void Note(Scope& scope, const std::string& what, const std::string& subject,
            double ms);
  void NoteQueue(const Event& event, const std::string& what);
  void OnUnregistered(const Event& event);
  void OnAdopted(const Event& event);
  void OnReleased(const Event& event);
  void OnPull(const Event& event);
  void OnDelivered(const Event& event);
  void OnRefused(const Event& event);

  static void Disown(QueueState& state, const std::string& consumer, double ms);
  static void Account(QueueState& state, double ms);

  const Script& script_;
  Observation result_;
  std::map<std::string, Scope> scopes_;
  std::set<std::string> stopping_;
  std::map<std::string, int> times_;  // Of each action.
  std::map<std::string, double> started_;
  std::map<std::string, Refusals> refusals_;
  std::map<Quantity, std::string> adopters_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_OBSERVER_H_
