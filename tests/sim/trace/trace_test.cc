#include "sim/trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "sim/engine/engine.h"
#include "sim/trace/checkpoint.h"
#include "sim/trace/event_log.h"

namespace groupsim {
namespace {

using testing::ElementsAre;

Fact MakeFact(FactKind kind, int64_t offset) {
  Fact fact;
  fact.kind = kind;
  fact.host = 1;
  fact.offset = offset;
  return fact;
}

// Emits one fact per event, with offsets 0, 1, 2...; event number `changed`
// emits another one, if there is such an event.
class SampleRun {
 public:
  explicit SampleRun(uint64_t events, uint64_t changed = UINT64_MAX)
      : trace(engine), changed_(changed) {
    type_ = engine.Register<&SampleRun::OnEvent>("run", this);
    engine.After(0ns, type_);
    left_ = events;
    engine.RunUntilIdle();
  }

  Engine engine;
  Trace trace;

 private:
  void OnEvent() {
    const uint64_t number = engine.fired();
    trace.Emit(MakeFact(
        FactKind::DELIVERED,
        static_cast<int64_t>(number) + (number == changed_ ? 1'000'000 : 0)));
    if (--left_ > 0) engine.After(10ns, type_);
  }

  const uint64_t changed_;
  uint64_t left_ = 0;
  EventType type_ = 0;
};

class Recorder final : public FactObserver {
 public:
  Recorder(int number, std::vector<int>* order)
      : number_(number), order_(order) {}
  void OnFact(const Fact& fact) override {
    facts.push_back(fact);
    order_->push_back(number_);
  }
  std::vector<Fact> facts;

 private:
  const int number_;
  std::vector<int>* const order_;
};

TEST(TraceTest, AFactGetsTheVirtualTimeAndReachesTheObserversOfItsKindInOrder) {
  Engine engine;
  Trace trace(engine);
  std::vector<int> order;
  Recorder first(1, &order);
  Recorder all(2, &order);
  Recorder third(3, &order);
  trace.Observe(FactKind::STORED, &third);
  trace.Observe(FactKind::DELIVERED, &first);
  trace.ObserveAll(&all);
  trace.Observe(FactKind::DELIVERED, &third);
  engine.RunUntil(Instant::Start() + 5s);

  Fact fact = MakeFact(FactKind::DELIVERED, 42);
  fact.time = Instant::FromNanos(99);  // Not for the model to say.
  trace.Emit(fact);
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
  ASSERT_EQ(first.facts.size(), 1u);
  EXPECT_EQ(first.facts[0].time, Instant::Start() + 5s);
  EXPECT_EQ(first.facts[0].offset, 42);

  trace.Emit(MakeFact(FactKind::COMMITTED, 1));
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 2));
  EXPECT_EQ(trace.facts(), 2u);
  EXPECT_EQ(trace.CountOf(FactKind::DELIVERED), 1u);
  EXPECT_EQ(trace.CountOf(FactKind::STORED), 0u);
}

TEST(TraceTest, TheFactFingerprintSeesEveryFieldAndTheTime) {
  const auto fingerprint = [](Duration at, const Fact& fact) {
    Engine engine;
    Trace trace(engine);
    engine.RunUntil(Instant::Start() + at);
    trace.Emit(fact);
    return trace.fact_fingerprint();
  };
  const Fact fact = MakeFact(FactKind::DELIVERED, 1);
  std::vector<uint64_t> prints = {fingerprint(1s, fact), fingerprint(2s, fact)};
  const auto changed = [&](auto change) {
    Fact other = fact;
    change(other);
    prints.push_back(fingerprint(1s, other));
  };
  changed([](Fact& f) { f.kind = FactKind::FINISHED; });
  changed([](Fact& f) { f.group = 1; });
  changed([](Fact& f) { f.host = 2; });
  changed([](Fact& f) { f.topic = 1; });
  changed([](Fact& f) { f.broker = 1; });
  changed([](Fact& f) { f.queue = 1; });
  changed([](Fact& f) { f.offset = 2; });
  changed([](Fact& f) { f.count = 1; });
  changed([](Fact& f) { f.value = 1; });
  for (size_t i = 0; i < prints.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(prints[i], prints[j]);
  }
}

TEST(TraceTest, TheFactFingerprintDoesNotDependOnObservers) {
  Engine engine;
  Trace plain(engine);
  plain.Emit(MakeFact(FactKind::STORED, 1));
  Trace watched(engine);
  std::vector<int> order;
  Recorder recorder(1, &order);
  watched.ObserveAll(&recorder);
  watched.Emit(MakeFact(FactKind::STORED, 1));
  EXPECT_EQ(plain.fact_fingerprint(), watched.fact_fingerprint());
  EXPECT_EQ(order.size(), 1u);
}

// Computed apart, from libxxhash and the bytes of events and facts.
TEST(TraceTest, FingerprintsHoldTheSameValuesOnEveryCompiler) {
  const SampleRun run(10'000);
  EXPECT_EQ(run.trace.CheckpointNow(),
            (Checkpoint{10'000, 0xA7FD252AEF977B39, 0xBFE9D45DFC436DF9}));
}

TEST(TraceDeathTest, AFactOfAKindThatIsNotInTheTableIsABug) {
  Engine engine;
  Trace trace(engine);
  EXPECT_EXIT(trace.Emit(Fact()), testing::ExitedWithCode(70), "fact of kind");
  EXPECT_EXIT(trace.Emit(MakeFact(static_cast<FactKind>(9'999), 1)),
              testing::ExitedWithCode(70), "fact of kind 9999");
}

TEST(CheckpointTest, ThereIsOneEvery4096Events) {
  const SampleRun run(10'000);
  ASSERT_EQ(run.trace.checkpoints().size(), 2u);
  EXPECT_EQ(run.trace.checkpoints()[0].events, 4'096u);
  EXPECT_EQ(run.trace.checkpoints()[1].events, 8'192u);
  EXPECT_EQ(run.trace.CheckpointNow().events, 10'000u);
  EXPECT_NE(run.trace.CheckpointNow().facts, run.trace.checkpoints()[1].facts);
}

TEST(CheckpointTest, EqualRunsDoNotDiffer) {
  const SampleRun a(10'000);
  const SampleRun b(10'000);
  EXPECT_EQ(FirstDifference(a.trace.checkpoints(), b.trace.checkpoints()),
            std::nullopt);
  EXPECT_EQ(a.trace.CheckpointNow(), b.trace.CheckpointNow());
}

TEST(CheckpointTest, TheFirstDifferenceLiesBetweenTwoCheckpoints) {
  const SampleRun a(20'000);
  for (const uint64_t changed : {1, 4'096, 4'097, 8'192, 12'000}) {
    const SampleRun b(20'000, changed);
    const uint64_t after = (changed - 1) / 4'096 * 4'096;
    EXPECT_EQ(FirstDifference(a.trace.checkpoints(), b.trace.checkpoints()),
              (RunDifference{.after = after,
                             .by = after + 4'096,
                             .schedule = false,
                             .facts = true}));
  }
}

TEST(CheckpointTest, RunsOfDifferentLengthPartAfterTheirLastCommonCheckpoint) {
  const SampleRun a(20'000);
  const SampleRun b(9'000);
  const RunDifference expected{
      .after = 8'192, .by = 12'288, .schedule = true, .facts = false};
  EXPECT_EQ(FirstDifference(a.trace.checkpoints(), b.trace.checkpoints()),
            expected);
  EXPECT_EQ(FirstDifference(b.trace.checkpoints(), a.trace.checkpoints()),
            expected);
  EXPECT_EQ(FirstDifference({}, {}), std::nullopt);
}

TEST(EventLogTest, WritesOneJsonObjectALineWithNamesAsText) {
  NameTable names;
  Engine engine;
  Trace trace(engine);
  std::ostringstream out;
  EventLog log(names, out);
  trace.ObserveAll(&log);
  engine.RunUntil(Instant::Start() + 20ms);

  Fact fact;
  fact.kind = FactKind::QUEUE_ADDED;
  fact.host = names.Intern("c-1").id();
  fact.group = static_cast<uint16_t>(names.Intern("orders").id());
  fact.topic = names.Intern("paid").id();
  fact.broker = static_cast<uint16_t>(names.Intern("b-0").id());
  fact.offset = -1;
  trace.Emit(fact);
  Fact member;
  member.kind = FactKind::MEMBER_REGISTERED;
  member.host = names.Intern("b-0").id();
  member.value = names.Intern("10.0.0.1@\"x\\\n\xC3\xA9").id();
  trace.Emit(member);

  EXPECT_EQ(out.str(),
            "{\"time\":20000000,\"kind\":\"QUEUE_ADDED\",\"host\":\"c-1\","
            "\"group\":\"orders\",\"topic\":\"paid\",\"broker\":\"b-0\","
            "\"queue\":0,\"offset\":-1}\n"
            "{\"time\":20000000,\"kind\":\"MEMBER_REGISTERED\",\"host\":"
            "\"b-0\",\"value\":\"10.0.0.1@\\\"x\\\\\\u000a\xC3\xA9\"}\n");
  std::istringstream lines(out.str());
  std::string line;
  while (std::getline(lines, line)) {
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  }
}

TEST(EventLogTest, NumbersThatAreNoNamesAreWrittenAsNumbers) {
  NameTable names;
  names.Intern("b-0");
  Engine engine;
  Trace trace(engine);
  std::ostringstream out;
  EventLog log(names, out);
  trace.ObserveAll(&log);
  Fact fact;
  fact.kind = FactKind::CONNECTION_CLOSED;
  fact.host = 1;
  fact.count = 1;
  fact.value = 1;
  trace.Emit(fact);
  fact = Fact();
  fact.kind = FactKind::NAMED;
  fact.offset = 1;
  fact.value = 123;
  trace.Emit(fact);
  fact = Fact();
  fact.kind = FactKind::LOCK_REFUSED;
  fact.value = 1;
  fact.count = 1;
  fact.offset = 1;
  trace.Emit(fact);
  EXPECT_EQ(out.str(),
            "{\"time\":0,\"kind\":\"CONNECTION_CLOSED\",\"host\":\"b-0\","
            "\"count\":1,\"value\":\"b-0\"}\n"
            "{\"time\":0,\"kind\":\"NAMED\",\"offset\":\"b-0\","
            "\"value\":123}\n"
            "{\"time\":0,\"kind\":\"LOCK_REFUSED\",\"offset\":1,"
            "\"count\":\"b-0\",\"value\":\"b-0\"}\n");
}

}  // namespace
}  // namespace groupsim
