#include "sim/engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/check.h"
#include "model/base/time.h"
#include "sim/engine/engine_failure_context.h"

namespace groupsim {
namespace {

using testing::ElementsAre;
using testing::ExitedWithCode;

struct Number {
  int64_t value;
};

// Writes down which events fired and when.
class Recorder {
 public:
  explicit Recorder(const EngineOptions& options = {}) : engine(options) {
    note = engine.Register<&Recorder::OnNote>("note", this);
  }

  EventHandle Note(Duration delay, int64_t value) {
    return engine.After(delay, note, Number{value});
  }

  Engine engine;
  EventType note = 0;
  std::vector<int64_t> values;
  std::vector<int64_t> times;

 private:
  void OnNote(const Number& number) {
    values.push_back(number.value);
    times.push_back(engine.now().nanos());
  }
};

TEST(EngineTest, EventsFireByTimeAndThenInTheOrderOfScheduling) {
  Recorder recorder;
  recorder.Note(3ns, 30);
  recorder.Note(1ns, 10);
  recorder.Note(3ns, 31);
  recorder.Note(0ns, 0);
  recorder.Note(1ns, 11);
  EXPECT_EQ(recorder.engine.RunUntilIdle(), RunOutcome::kIdle);
  EXPECT_THAT(recorder.values, ElementsAre(0, 10, 11, 30, 31));
  EXPECT_THAT(recorder.times, ElementsAre(0, 1, 1, 3, 3));
  EXPECT_EQ(recorder.engine.fired(), 5u);
}

TEST(EngineTest, RunUntilFiresWhatIsDueThenAndLeavesTimeThere) {
  Recorder recorder;
  recorder.Note(10ns, 1);
  recorder.Note(20ns, 2);
  recorder.Note(21ns, 3);
  EXPECT_EQ(recorder.engine.RunUntil(Instant::FromNanos(20)),
            RunOutcome::kTimeReached);
  EXPECT_THAT(recorder.values, ElementsAre(1, 2));
  EXPECT_EQ(recorder.engine.now(), Instant::FromNanos(20));
  EXPECT_EQ(recorder.engine.pending(), 1u);
  EXPECT_EQ(recorder.engine.NextTime(), Instant::FromNanos(21));
  recorder.engine.RunUntil(Instant::FromNanos(1'000));
  EXPECT_EQ(recorder.engine.now(), Instant::FromNanos(1'000));
  EXPECT_EQ(recorder.engine.NextTime(), std::nullopt);
}

TEST(EngineTest, AnEventScheduledForNowByAHandlerFiresInTheSameRun) {
  class Chain {
   public:
    Chain() { type = engine.Register<&Chain::OnEvent>("chain", this); }
    void OnEvent(const Number& number) {
      order.push_back(number.value);
      if (number.value < 3) {
        engine.After(0ns, type, Number{number.value + 1});
      }
    }
    Engine engine;
    EventType type = 0;
    std::vector<int64_t> order;
  };
  Chain chain;
  chain.engine.At(Instant::FromNanos(5), chain.type, Number{1});
  chain.engine.At(Instant::FromNanos(5), chain.type, Number{9});
  chain.engine.RunUntil(Instant::FromNanos(5));
  EXPECT_THAT(chain.order, ElementsAre(1, 9, 2, 3));
}

TEST(EngineTest, RunUntilAConditionStopsAfterTheEventThatMeetsIt) {
  Recorder recorder;
  for (int i = 1; i <= 5; ++i) recorder.Note(Duration::Nanos(i), i);
  const auto third = [&] { return recorder.values.size() == 3; };
  EXPECT_EQ(recorder.engine.RunUntil(third, Instant::FromNanos(100)),
            RunOutcome::kConditionMet);
  EXPECT_EQ(recorder.engine.now(), Instant::FromNanos(3));
  EXPECT_EQ(recorder.engine.RunUntil(third, Instant::FromNanos(100)),
            RunOutcome::kConditionMet);
  EXPECT_THAT(recorder.values, ElementsAre(1, 2, 3));
  EXPECT_EQ(
      recorder.engine.RunUntil([] { return false; }, Instant::FromNanos(100)),
      RunOutcome::kTimeReached);
  EXPECT_EQ(recorder.engine.now(), Instant::FromNanos(100));
}

TEST(EngineTest, StepFiresOneEvent) {
  Recorder recorder;
  recorder.Note(7ns, 1);
  EXPECT_EQ(recorder.engine.Step(), StepOutcome::kFired);
  EXPECT_EQ(recorder.engine.now(), Instant::FromNanos(7));
  EXPECT_EQ(recorder.engine.Step(), StepOutcome::kNothing);
  EXPECT_EQ(recorder.engine.now(), Instant::FromNanos(7));
}

TEST(EngineTest, ACancelledEventDoesNotFire) {
  Recorder recorder;
  const EventHandle due = recorder.Note(0ns, 0);
  const EventHandle soon = recorder.Note(5ns, 1);
  recorder.Note(5ns, 2);
  EXPECT_TRUE(recorder.engine.IsPending(soon));
  EXPECT_TRUE(recorder.engine.Cancel(soon));
  EXPECT_TRUE(recorder.engine.Cancel(due));
  EXPECT_FALSE(recorder.engine.IsPending(soon));
  EXPECT_FALSE(recorder.engine.Cancel(soon));
  EXPECT_EQ(recorder.engine.pending(), 1u);
  recorder.engine.RunUntilIdle();
  EXPECT_THAT(recorder.values, ElementsAre(2));
  EXPECT_EQ(recorder.engine.cancelled(), 2u);
}

TEST(EngineTest, AHandleIsStaleWhileItsEventFiresAndAfterwards) {
  class Self {
   public:
    Self() {
      handle = engine.After(1ns, engine.Register<&Self::OnEvent>("self", this));
    }
    void OnEvent() {
      pending_inside = engine.IsPending(handle);
      cancelled_inside = engine.Cancel(handle);
    }
    Engine engine;
    EventHandle handle;
    bool pending_inside = true;
    bool cancelled_inside = true;
  };
  Self self;
  EXPECT_TRUE(self.engine.IsPending(self.handle));
  self.engine.RunUntilIdle();
  EXPECT_FALSE(self.pending_inside);
  EXPECT_FALSE(self.cancelled_inside);
  EXPECT_FALSE(self.engine.Cancel(self.handle));
  // Its slot is used again: the old handle must not reach the new event.
  const EventHandle next = self.engine.After(1ns, 0);
  EXPECT_FALSE(self.engine.Cancel(self.handle));
  EXPECT_TRUE(self.engine.IsPending(next));
}

TEST(EngineTest, TheDefaultHandleNamesNoEvent) {
  Recorder recorder;
  EXPECT_FALSE(EventHandle());
  EXPECT_FALSE(recorder.engine.IsPending(EventHandle()));
  EXPECT_FALSE(recorder.engine.Cancel(EventHandle()));
  EXPECT_TRUE(recorder.Note(1ns, 1));
}

TEST(EngineTest, StaleTimeOutsAreSweptOut) {
  Recorder recorder;
  EventHandle time_out;
  for (int i = 0; i < 1'000'000; ++i) {
    recorder.engine.Cancel(time_out);
    time_out = recorder.Note(30s, i);
  }
  EXPECT_EQ(recorder.engine.pending(), 1u);
  EXPECT_LE(recorder.engine.stale_keys(), 257u);
  EXPECT_LE(recorder.engine.bytes(), 512u * 1'024u);
}

TEST(EngineTest, ThePayloadArrivesUnchanged) {
  struct Large {
    uint64_t words[6];
  };
  class Taker {
   public:
    void OnLarge(const Large& large) {
      for (const uint64_t word : large.words) sum = sum * 31 + word;
      // Room taken by new events must not be the payload's.
      engine.After(1ns, 1, Number{-1});
      for (const uint64_t word : large.words) sum = sum * 31 + word;
    }
    void OnNumber(Number number) { last = number.value; }
    Engine engine;
    uint64_t sum = 0;
    int64_t last = 0;
  };
  Taker taker;
  taker.engine.Register<&Taker::OnLarge>("large", &taker);
  taker.engine.Register<&Taker::OnNumber>("number", &taker);
  taker.engine.After(1ns, 0, Large{{1, 2, 3, 4, 5, 6}});
  taker.engine.RunUntilIdle();
  uint64_t sum = 0;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t word = 1; word <= 6; ++word) sum = sum * 31 + word;
  }
  EXPECT_EQ(taker.sum, sum);
  EXPECT_EQ(taker.last, -1);
}

TEST(EngineTest, APlainHandlerGetsItsContextAndPayload) {
  Engine engine;
  int64_t sum = 0;
  const EventType type = engine.Register(
      "plain",
      [](void* context, void* payload) {
        *static_cast<int64_t*>(context) +=
            static_cast<const Number*>(payload)->value;
      },
      &sum);
  engine.After(1ns, type, Number{4});
  engine.After(1ns, type, Number{5});
  engine.RunUntilIdle();
  EXPECT_EQ(sum, 9);
}

TEST(EngineTest, TheHooksRunAfterEachEventAndAtEachCheckpoint) {
  Recorder recorder;
  struct Calls {
    const Recorder* recorder;
    std::vector<size_t> events;
    std::vector<uint64_t> checkpoints;
  };
  Calls calls{&recorder, {}, {}};
  recorder.engine.AfterEachEvent(
      [](void* context) {
        auto* calls = static_cast<Calls*>(context);
        calls->events.push_back(calls->recorder->values.size());
      },
      &calls);
  recorder.engine.AtEachCheckpoint(
      [](void* context) {
        auto* calls = static_cast<Calls*>(context);
        calls->checkpoints.push_back(calls->recorder->engine.fired());
      },
      &calls);
  for (int i = 0; i < 10'000; ++i) recorder.Note(Duration::Nanos(i), i);
  recorder.engine.RunUntilIdle();
  ASSERT_EQ(calls.events.size(), 10'000u);
  EXPECT_EQ(calls.events.front(), 1u);
  EXPECT_EQ(calls.events.back(), 10'000u);
  EXPECT_THAT(calls.checkpoints, ElementsAre(4'096, 8'192));
}

TEST(EngineTest, EventsMayLieAtTheEndOfTime) {
  Recorder recorder;
  recorder.engine.At(Instant::Max(), recorder.note, Number{2});
  recorder.Note(Duration::Nanos(INT64_MAX - 1), 1);
  recorder.Note(1ns, 0);
  EXPECT_EQ(recorder.engine.RunUntil(Instant::Max()), RunOutcome::kTimeReached);
  EXPECT_THAT(recorder.values, ElementsAre(0, 1, 2));
  EXPECT_EQ(recorder.engine.now(), Instant::Max());
}

TEST(EngineDeathTest, TimeThatOverflowsStopsTheProgram) {
  Recorder recorder;
  recorder.engine.RunUntil(Instant::FromNanos(10));
  EXPECT_EXIT(recorder.Note(Duration::Max(), 1),
              ExitedWithCode(kInternalErrorExitCode), "time overflow");
}

TEST(EngineDeathTest, AnEventInThePastStopsTheProgramWithSeedAndTime) {
  Recorder recorder;
  const EngineFailureContext context(recorder.engine, 4711,
                                     "groupsim run --seed=4711 x.textproto");
  recorder.Note(1500ms, 1);
  recorder.engine.RunUntilIdle();
  EXPECT_EXIT(recorder.engine.At(Instant::FromNanos(1'499'999'999),
                                 recorder.note, Number{1}),
              ExitedWithCode(kInternalErrorExitCode),
              "event note scheduled at 1.499 s .1499999999 ns., in the past"
              "(.|\n)*seed 4711, virtual time 1.5 s .1500000000 ns., "
              "1 events fired\n"
              "  reproduce: groupsim run --seed=4711 x.textproto");
}

TEST(EngineDeathTest, AFailureInsideAHandlerNamesTheEvent) {
  class Failing {
   public:
    void OnEvent() { CHECK(false) << "as asked"; }
  };
  Engine engine;
  Failing failing;
  const EngineFailureContext context(engine, 1, "again");
  engine.After(1ns, engine.Register<&Failing::OnEvent>("failing", &failing));
  EXPECT_EXIT(engine.Step(), ExitedWithCode(kInternalErrorExitCode),
              "as asked(.|\n)*in event failing");
}

TEST(EngineDeathTest, AWrongTypeOrPayloadStopsTheProgram) {
  Recorder recorder;
  EXPECT_EXIT(recorder.engine.After(1ns, 99),
              ExitedWithCode(kInternalErrorExitCode), "no event has the type");
  EXPECT_EXIT(recorder.engine.After(1ns, recorder.note, int32_t{1}),
              ExitedWithCode(kInternalErrorExitCode),
              "event note takes a payload of 8 bytes, not 4");
}

TEST(EngineDeathTest, TimeCannotGoBackNorAHandlerRunItsEngine) {
  Recorder recorder;
  recorder.engine.RunUntil(Instant::FromNanos(10));
  EXPECT_EXIT(recorder.engine.RunUntil(Instant::FromNanos(9)),
              ExitedWithCode(kInternalErrorExitCode), "time cannot go back");

  class Nested {
   public:
    void OnEvent() { engine.Step(); }
    Engine engine;
  };
  Nested nested;
  nested.engine.After(
      1ns, nested.engine.Register<&Nested::OnEvent>("nested", &nested));
  EXPECT_EXIT(nested.engine.Step(), ExitedWithCode(kInternalErrorExitCode),
              "a handler runs the engine");
}

// Two events that schedule each other for now, for ever; now and then a third.
class PingPong {
 public:
  explicit PingPong(uint64_t limit)
      : engine({.max_events_at_one_instant = limit}) {
    ping = engine.Register<&PingPong::OnPing>("ping", this);
    pong = engine.Register<&PingPong::OnPong>("pong", this);
    rare = engine.Register<&PingPong::OnRare>("rare", this);
  }

  Engine engine;
  EventType ping = 0;
  EventType pong = 0;
  EventType rare = 0;

 private:
  void OnPing() {
    engine.After(0ns, pong);
    if (engine.fired() % 101 == 0) engine.After(0ns, rare);
  }
  void OnPong() { engine.After(0ns, ping); }
  void OnRare() {}
};

TEST(EngineTest, EndlessWorkAtOneInstantIsReportedWithTheEventsInvolved) {
  PingPong game(5'000);
  game.engine.After(20ms, game.ping);
  EXPECT_EQ(game.engine.RunUntil(Instant::Start() + 1s), RunOutcome::kLivelock);
  EXPECT_EQ(game.engine.fired(), 5'000u);
  EXPECT_EQ(game.engine.now(), Instant::Start() + 20ms);
  ASSERT_EQ(game.engine.livelock().size(), 3u);
  uint64_t sum = 0;
  for (const LivelockEvent& event : game.engine.livelock()) {
    sum += event.count;
  }
  EXPECT_EQ(sum, 1'024u);
  EXPECT_EQ(game.engine.livelock()[2].type, game.rare);
  EXPECT_THAT(game.engine.DescribeLivelock(),
              testing::MatchesRegex(
                  "5000 events fired at 20 ms and time did not move on; the "
                  "last ones were [0-9]+ x p[io]ng, [0-9]+ x p[io]ng, "
                  "[0-9]+ x rare"));
  // It stays one.
  EXPECT_EQ(game.engine.Step(), StepOutcome::kLivelock);
  EXPECT_EQ(game.engine.RunUntil([] { return false; }, Instant::Max()),
            RunOutcome::kLivelock);
}

TEST(EngineTest, ManyEventsAtOneInstantAreNoLivelockUpToTheLimit) {
  Recorder recorder({.max_events_at_one_instant = 3});
  for (int i = 0; i < 3; ++i) recorder.Note(1ns, i);
  for (int i = 0; i < 3; ++i) recorder.Note(2ns, i);
  recorder.Note(3ns, 0);
  EXPECT_EQ(recorder.engine.RunUntilIdle(), RunOutcome::kIdle);
  for (int i = 0; i < 4; ++i) recorder.Note(1ns, i);
  EXPECT_EQ(recorder.engine.RunUntilIdle(), RunOutcome::kLivelock);
}

// The order in which a hundred ties at two instants fire, some of them
// scheduled by handlers at their own instant.
std::vector<int64_t> TieOrder(std::optional<uint64_t> seed) {
  class Ties {
   public:
    explicit Ties(std::optional<uint64_t> seed)
        : engine({.shuffle_ties = seed}) {
      type = engine.Register<&Ties::OnEvent>("tie", this);
      for (int64_t i = 0; i < 100; ++i) {
        engine.At(Instant::FromNanos(1'000 + i % 2), type, Number{i});
      }
    }
    void OnEvent(const Number& number) {
      order.push_back(number.value);
      if (number.value < 10) {
        engine.After(0ns, type, Number{number.value + 1'000});
      }
    }
    Engine engine;
    EventType type = 0;
    std::vector<int64_t> order;
  };
  Ties ties(seed);
  ties.engine.RunUntilIdle();
  return ties.order;
}

TEST(EngineTest, TiesFireInAnotherOrderPerSeedAndInTheSameForOneSeed) {
  const std::vector<int64_t> in_order = TieOrder(std::nullopt);
  const std::vector<int64_t> one = TieOrder(1);
  EXPECT_EQ(one, TieOrder(1));
  EXPECT_NE(one, in_order);
  EXPECT_NE(one, TieOrder(2));
  EXPECT_NE(one, TieOrder(uint64_t{1} << 63));
  EXPECT_THAT(one, testing::UnorderedElementsAreArray(in_order));
  // Even ones come first, since time is not shuffled; causes before effects.
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i] % 2, i < 55 ? 0 : 1);
    if (one[i] < 1'000) continue;
    EXPECT_THAT(std::vector<int64_t>(one.begin(), one.begin() + i),
                testing::Contains(one[i] - 1'000));
  }
}

uint64_t FingerprintOf(const std::vector<std::pair<int64_t, uint64_t>>& events,
                       const std::string& name) {
  Engine engine;
  engine.Register(
      name, [](void*, void*) {}, nullptr);
  for (const auto& [time, tag] : events) {
    engine.At(Instant::FromNanos(time), 0, NoPayload{}, tag);
  }
  engine.RunUntilIdle();
  return engine.schedule_fingerprint();
}

TEST(EngineTest, TheScheduleFingerprintSeesNameTimeTagAndOrder) {
  const uint64_t base = FingerprintOf({{1, 5}, {2, 6}}, "a");
  EXPECT_EQ(base, FingerprintOf({{2, 6}, {1, 5}}, "a"));  // The same run.
  EXPECT_NE(base, FingerprintOf({{1, 5}, {2, 6}}, "b"));
  EXPECT_NE(base, FingerprintOf({{1, 5}, {3, 6}}, "a"));
  EXPECT_NE(base, FingerprintOf({{1, 5}, {2, 7}}, "a"));
  EXPECT_NE(base, FingerprintOf({{1, 5}, {2, 6}, {2, 6}}, "a"));
  EXPECT_NE(FingerprintOf({{1, 5}, {1, 6}}, "a"),
            FingerprintOf({{1, 6}, {1, 5}}, "a"));
  // The same on every compiler; computed apart, from libxxhash.
  EXPECT_EQ(base, 6090022058912968335u);
}

}  // namespace
}  // namespace groupsim
