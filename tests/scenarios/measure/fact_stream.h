// Facts written by hand, for tests of measures.
#ifndef GROUPSIM_TESTS_SCENARIOS_MEASURE_FACT_STREAM_H_
#define GROUPSIM_TESTS_SCENARIOS_MEASURE_FACT_STREAM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "scenarios/measure/measures.h"
#include "scenarios/measure/subjects.h"

namespace groupsim {

// One group "g" on one topic "t" of one broker "b". Times are in milliseconds.
// The broker is in room "r1", and so are consumers but those whose name begins
// with "far", which are in "r2". A consumer caches up to 1,000 messages a
// queue.
class FactStream {
 public:
  // Tags that consumers subscribe to, none for all; all of those not named.
  using Tags = std::map<std::string, std::vector<std::string>>;

  FactStream(int queues, std::vector<std::string> consumers, Duration total,
             Window window = Window(), bool broadcasts = false,
             const Tags& tags = {}) {
    group_ = names_.Intern("g");
    broker_ = names_.Intern("b");
    topic_ = names_.Intern("t");
    const GroupIndex group = subjects_.AddGroup(group_, broadcasts);
    const Name near = names_.Intern("r1");
    for (const std::string& name : consumers) {
      const ConsumerIndex consumer = subjects_.AddConsumer(
          names_.Intern(name), group,
          name.starts_with("far") ? names_.Intern("r2") : near, 1'000);
      if (tags.empty()) continue;
      std::vector<Name> wanted;
      if (const auto own = tags.find(name); own != tags.end()) {
        for (const std::string& tag : own->second) {
          wanted.push_back(names_.Intern(tag));
        }
      }
      subjects_.Want(consumer, topic_, wanted);
    }
    for (int32_t i = 0; i < queues; ++i) {
      subjects_.Subscribe(group, subjects_.AddQueue(Queue(i), near));
    }
    MeasureOptions options;
    options.total = total;
    options.columns = 10;
    options.window = window;
    measures_ = std::make_unique<Measures>(subjects_, options);
    total_ = total;
  }

  MessageQueue Queue(int32_t id) const {
    return MessageQueue{topic_, broker_, id};
  }

  // A fact about a process.
  void Life(int64_t ms, FactKind kind, const std::string& who,
            int64_t role = static_cast<int64_t>(ProcessRole::kConsumer)) {
    Fact fact;
    fact.kind = kind;
    fact.value = role;
    Send(ms, fact, who);
  }
  // A fact about a queue.
  void OnQueue(int64_t ms, FactKind kind, const std::string& who, int queue,
               int64_t offset = 0, int64_t count = 0, int64_t value = 0) {
    Fact fact = QueueFact(kind, group_, Queue(queue));
    fact.offset = offset;
    fact.count = count;
    fact.value = value;
    Send(ms, fact, who);
  }
  void Rebalanced(int64_t ms, const std::string& who) {
    Fact fact;
    fact.kind = FactKind::REBALANCED;
    fact.group = NarrowId(group_);
    fact.value = 1;
    Send(ms, fact, who);
  }

  // A view of so many members and of `queues` queues.
  void Allocated(int64_t ms, const std::string& who, int64_t members,
                 int64_t queues, bool changed = true) {
    Fact fact;
    fact.kind = FactKind::ALLOCATED;
    fact.group = NarrowId(group_);
    fact.topic = topic_.id();
    fact.offset = queues;
    fact.value = changed ? members : -members;
    Send(ms, fact, who);
  }
  void Sent(int64_t ms, int queue, int64_t offset, int64_t scheduled_ms) {
    OnQueue(ms, FactKind::SENT, "p", queue, offset, 1,
            Duration::Millis(scheduled_ms).nanos());
  }
  void Postponed(int64_t ms, const std::string& who, int queue,
                 PostponeReason reason, int64_t length_ms) {
    OnQueue(ms, FactKind::PULL_POSTPONED, who, queue, 0,
            static_cast<int64_t>(reason), Duration::Millis(length_ms).nanos());
  }

  void Start(int64_t ms, const std::string& who) {
    Life(ms, FactKind::PROCESS_STARTED, who);
  }
  void Add(int64_t ms, const std::string& who, int queue) {
    OnQueue(ms, FactKind::QUEUE_ADDED, who, queue);
  }
  void Drop(int64_t ms, const std::string& who, int queue) {
    OnQueue(ms, FactKind::QUEUE_DROPPED, who, queue);
    OnQueue(ms, FactKind::QUEUE_REMOVED, who, queue);
  }
  void Store(int64_t ms, int queue, int64_t offset) {
    OnQueue(ms, FactKind::STORED, "b", queue, offset, 100);
  }
  void Store(int64_t ms, int queue, int64_t offset, const std::string& tag) {
    Store(ms, queue, offset);
    OnQueue(ms, FactKind::TAGGED, "b", queue, offset, 0,
            names_.Intern(tag).id());
  }
  void Deliver(int64_t ms, const std::string& who, int queue, int64_t offset) {
    OnQueue(ms, FactKind::DELIVERED, who, queue, offset);
  }
  void Finish(int64_t ms, const std::string& who, int queue, int64_t offset) {
    OnQueue(ms, FactKind::FINISHED, who, queue, offset, 0, 1);
  }
  // A consumer writes an offset into its own file.
  void Write(int64_t ms, const std::string& who, int queue, int64_t offset) {
    OnQueue(ms, FactKind::COMMITTED, who, queue, offset);
  }
  void Commit(int64_t ms, int queue, int64_t offset) {
    OnQueue(ms, FactKind::COMMITTED, "b", queue, offset);
  }
  void Pulled(int64_t ms, const std::string& who, int queue, int64_t offset,
              int64_t count) {
    OnQueue(ms, FactKind::PULLED, who, queue, offset, count, offset + count);
  }

  void End() { measures_->Finish(Instant::Start() + total_); }

  Measures& measures() { return *measures_; }
  OwnershipMeasure& ownership() { return measures_->ownership(0); }
  RetryMeasure& retrying() { return measures_->retrying(); }
  DeliveryMeasure& delivery() { return measures_->delivery(); }
  const std::vector<Audit::Violation>& violations() {
    return measures_->audit().violations();
  }

 private:
  void Send(int64_t ms, Fact fact, const std::string& who) {
    fact.time = Instant::Start() + Duration::Millis(ms);
    fact.host = names_.Intern(who).id();
    measures_->OnFact(fact);
  }

  NameTable names_;
  Name group_;
  Name broker_;
  Name topic_;
  Subjects subjects_;
  Duration total_;
  std::unique_ptr<Measures> measures_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SCENARIOS_MEASURE_FACT_STREAM_H_
