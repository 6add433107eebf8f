// Expectations judged on facts written by hand.
#ifndef GROUPSIM_TESTS_SCENARIOS_EXPECT_EXPECTED_STORY_H_
#define GROUPSIM_TESTS_SCENARIOS_EXPECT_EXPECTED_STORY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/text_format.h"
#include "model/base/check.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "scenarios/expect/expectations.h"
#include "scenarios/measure/measures.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/schema/scenario.pb.h"
#include "sim/host/world.h"

namespace groupsim {

// Twenty seconds of group "g", with consumers c1 and c2, on topic "t" with
// queues 0 and 1 of broker "b". Times are in milliseconds; what happens at one
// time happens in the order written. Scenarios are not read by the reader, so
// that no field is refused.
class ExpectedStory {
 public:
  explicit ExpectedStory(const std::string& scenario) : world_(WorldOptions()) {
    CHECK(google::protobuf::TextFormat::ParseFromString(scenario, &scenario_))
        << scenario;
    group_ = world_.names().Intern("g");
    broker_ = world_.names().Intern("b");
    topic_ = world_.names().Intern("t");
    const GroupIndex group = subjects_.AddGroup(group_);
    for (const char* name : {"c1", "c2"}) {
      subjects_.AddConsumer(world_.names().Intern(name), group);
    }
    for (int32_t queue : {0, 1}) {
      subjects_.Subscribe(group, subjects_.AddQueue({topic_, broker_, queue}));
    }
    MeasureOptions options;
    options.total = kTotal;
    options.window.to = Instant::Start() + kTotal;
    measures_ = std::make_unique<Measures>(subjects_, options);
    measures_->ObserveWith(world_.trace());
    expectations_ = std::make_unique<Expectations>(
        scenario_, subjects_, world_.names(), *measures_, kTotal);
    expectations_->ObserveWith(world_.trace());
    for (const Instant look : expectations_->looks()) {
      world_.At(look, [this, look] { expectations_->Look(look); });
    }
  }

  void Life(int64_t ms, FactKind kind, const char* who) {
    Emit(ms, kind, who, -1, 0, 0, 0);
  }
  void OnQueue(int64_t ms, FactKind kind, const char* who, int queue,
               int64_t offset = 0, int64_t count = 0, int64_t value = 0) {
    Emit(ms, kind, who, queue, offset, count, value);
  }
  // A message that is stored.
  void Store(int64_t ms, int queue, int64_t offset) {
    OnQueue(ms, FactKind::STORED, "b", queue, offset, 100);
  }
  // And one that goes through a listener.
  void Consume(int64_t ms, const char* who, int queue, int64_t offset,
               int64_t takes) {
    OnQueue(ms, FactKind::PULL_SENT, who, queue, offset);
    OnQueue(ms, FactKind::PULLED, who, queue, offset, 1, offset + 1);
    OnQueue(ms, FactKind::DELIVERED, who, queue, offset);
    OnQueue(ms + takes, FactKind::FINISHED, who, queue, offset, 0, 1);
  }
  // An event of the timeline that crashes a consumer.
  void CrashAt(int64_t ms, const std::string& event, const char* who) {
    world_.At(At(ms),
              [this, event] { expectations_->OnEvent(event, world_.now()); });
    Life(ms, FactKind::PROCESS_CRASHED, who);
    Fact fact;
    fact.kind = FactKind::TIMELINE_EVENT;
    fact.value = 1;
    world_.At(At(ms), [this, fact] { world_.trace().Emit(fact); });
  }

  // Runs all that was told.
  std::vector<Report::ExpectationReport> Judge() {
    world_.RunUntil(Instant::Start() + kTotal);
    violated_ = expectations_->violated();
    measures_->Finish(world_.now());
    RunEnd end;
    end.time = world_.now();
    end.fact_fingerprint = world_.trace().fact_fingerprint();
    return expectations_->Judge(end);
  }
  // Known to fail before the end.
  int violated() const { return violated_; }
  uint64_t fingerprint() { return world_.trace().fact_fingerprint(); }

 private:
  static constexpr Duration kTotal = 20s;

  static Instant At(int64_t ms) {
    return Instant::Start() + Duration::Millis(ms);
  }

  void Emit(int64_t ms, FactKind kind, const char* who, int queue,
            int64_t offset, int64_t count, int64_t value) {
    Fact fact;
    if (queue >= 0) {
      fact = QueueFact(kind, group_, MessageQueue{topic_, broker_, queue});
    }
    if (kind == FactKind::REBALANCED) fact.group = NarrowId(group_);
    fact.kind = kind;
    fact.host = world_.names().Intern(who).id();
    fact.offset = offset;
    fact.count = count;
    fact.value = value;
    world_.At(At(ms), [this, fact] { world_.trace().Emit(fact); });
  }

  World world_;
  Scenario scenario_;
  Name group_;
  Name broker_;
  Name topic_;
  Subjects subjects_;
  std::unique_ptr<Measures> measures_;
  std::unique_ptr<Expectations> expectations_;
  int violated_ = 0;
};

// c1 reads queue 0, c2 queue 1; c1 crashes at 6 s (event "boom"), c2 takes over
// at 8 s; c1 is back at 12 s and has nothing.
//
//   queue 0  stored 0 to 3 at 2, 3, 4, 5 s, 4 at 7 s, 5 at 7.5 s; committed 2
//            at 5.5 s, 6 at 9 s
//   queue 1  stored 0 and 1 at 2 s; committed 2 at 4 s: both are skipped
//   lag      3, 4, 5 at 2, 3, 4 s; then 3; 4 at 5 s; 2 at 5.5 s; 3 at 7 s; 4 at
//            7.5 s; 0 at 9 s
inline void CrashAndTakeover(ExpectedStory& s) {
  s.Life(0, FactKind::PROCESS_STARTED, "c1");
  s.Life(0, FactKind::PROCESS_STARTED, "c2");
  s.OnQueue(1'000, FactKind::QUEUE_ADDED, "c1", 0);
  s.OnQueue(1'000, FactKind::QUEUE_ADDED, "c2", 1);
  s.Life(1'000, FactKind::REBALANCED, "c1");
  s.Life(1'000, FactKind::REBALANCED, "c2");
  // c1 has queue 1 as well for 250 ms.
  s.OnQueue(1'500, FactKind::QUEUE_ADDED, "c1", 1);
  s.OnQueue(1'750, FactKind::QUEUE_DROPPED, "c1", 1);
  s.Store(2'000, 1, 0);
  s.Store(2'000, 1, 1);
  for (int64_t i = 0; i < 4; ++i) {
    s.Store(2'000 + 1'000 * i, 0, i);
    s.Consume(2'000 + 1'000 * i, "c1", 0, i, 100);
  }
  s.OnQueue(2'500, FactKind::PULL_POSTPONED, "c1", 0, 0,
            static_cast<int64_t>(PostponeReason::kCount), 1'000'000'000);
  s.OnQueue(3'000, FactKind::SENT, "p", 0, 99, 1);  // Not stored.
  s.OnQueue(4'000, FactKind::COMMITTED, "b", 1, 2);
  s.OnQueue(5'500, FactKind::COMMITTED, "b", 0, 2);
  s.CrashAt(6'000, "boom", "c1");
  s.Store(7'000, 0, 4);
  s.Store(7'500, 0, 5);
  s.OnQueue(8'000, FactKind::QUEUE_ADDED, "c2", 0);
  for (int64_t i = 2; i < 6; ++i) s.Consume(8'500, "c2", 0, i, 200);
  s.OnQueue(9'000, FactKind::COMMITTED, "b", 0, 6);
  s.Life(12'000, FactKind::PROCESS_STARTED, "c1");
  s.Life(12'500, FactKind::REBALANCED, "c1");
}

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SCENARIOS_EXPECT_EXPECTED_STORY_H_
