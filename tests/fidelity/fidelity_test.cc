#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "nlohmann/json.hpp"
#include "scenarios/reader/reader.h"
#include "scenarios/schema/scenario.pb.h"
#include "tests/fidelity/comparison.h"
#include "tests/fidelity/derivation.h"
#include "tests/fidelity/live_run.h"
#include "tests/fidelity/observation.h"
#include "tests/fidelity/played.h"
#include "tests/fidelity/recording.h"
#include "tests/fidelity/script.h"

namespace groupsim {
namespace {

using nlohmann::json;
using ::testing::Values;

// What is known to be outside; docs/fidelity.md says why. A list that is too
// long fails as one that is too short does.
std::vector<std::string> KnownOutside(const std::string& recording) {
  static const std::map<std::string, std::vector<std::string>> kKnown = {
      {"L05", {"whole run: longest without a delivery"}},
      {"L07",
       {"c2 goes on: first delivery", "c2 goes on: first pull",
        "c2 goes on: owned"}},
  };
  const auto it = kKnown.find(recording);
  return it == kKnown.end() ? std::vector<std::string>() : it->second;
}

class FidelityTest : public ::testing::TestWithParam<const char*> {};

TEST_P(FidelityTest, WhatHappensIsAsRecorded) {
  const Comparison comparison = Play(LoadRecording(GetParam()), kSeeds);
  EXPECT_EQ(comparison.Outside(), KnownOutside(GetParam()))
      << comparison.Table();
}

TEST_P(FidelityTest, TheScenarioIsDerivedFromTheScript) {
  const Recording recording = LoadRecording(GetParam());
  const Derivation derivation =
      DeriveScenario(Script::Parse(recording.input), recording.declared);
  EXPECT_EQ(FidelityFile(recording.name + ".textproto"), derivation.scenario);
  EXPECT_EQ(derivation.not_played, std::vector<std::string>());
}

TEST_P(FidelityTest, TheFileIsWrittenAsItIsRead) {
  const std::string name = GetParam();
  EXPECT_EQ(RecordingText(LoadRecording(name)),
            FidelityFile("recorded/" + name + ".json"));
}

INSTANTIATE_TEST_SUITE_P(Recordings, FidelityTest,
                         Values("L01", "L03", "L05", "L07", "L09", "L11", "L13",
                                "L15", "L17"),
                         [](const auto& info) { return info.param; });

// One run of L05 lost a race: the heartbeat that was to announce the first
// share of c3 fell on the periodic one and was skipped, so all pulls of c3 were
// refused until the kill of c2 changed its share and made it send another one.
TEST(StaleSubscriptionTest, AStartThatLosesTheRaceIsRefusedAsLongAsRecorded) {
  const Recording recording = LoadRecording("L05");
  ASSERT_EQ(recording.runs.at(1).stale.size(), 1u);
  const StaleSubscription& recorded = recording.runs.at(1).stale.front();
  ASSERT_EQ(recorded.consumer, "c3");
  const Script script = Script::Parse(recording.input);
  const Scenario scenario =
      ScenarioFromTextOrDie(FidelityFile("L05.textproto"));
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Observation observation = Observe(script, scenario, seed);
    for (const StaleSubscription& stale : observation.stale) {
      if (stale.consumer != recorded.consumer) continue;
      const Spread first{recorded.first_refusal_ms, recorded.first_refusal_ms};
      const Spread last{recorded.last_refusal_ms, recorded.last_refusal_ms};
      EXPECT_TRUE(first.Admits(stale.first_refusal_ms))
          << stale.first_refusal_ms << " with seed " << seed;
      EXPECT_TRUE(last.Admits(stale.last_refusal_ms))
          << stale.last_refusal_ms << " with seed " << seed;
      return;
    }
  }
  FAIL() << "no start of 200 lost the race";
}

// The rule can fail.

json Input() {
  return json::parse(R"json({
    "scenario": "R", "title": "a \"title\"", "duration_ms": 60000,
    "topology": {
      "name_servers": 2, "brokers": ["broker-a", "broker-b"],
      "topic": {"name": "{scenario}r{run}_T", "queues_per_broker": 4,
                "fresh": true},
      "group": "{scenario}r{run}_g (and the number)"},
    "strategy": "AVG", "mode": "concurrently",
    "consumers": {"c1": {"client_id": "10.0.0.1@c1"}},
    "actions": [
      {"at_ms": 500, "do": "produce", "rate_per_s": 20, "until_ms": 40500,
       "queues": "a:0-3,b:2", "first_index": 10, "body_bytes": 100},
      {"at_ms": 1000, "do": "start_consumer", "consumer": "c1"}],
    "defaults": {
  "client" : { "pull_batch" : 32, "consume_threads" : 20 }
}
})json");
}

Recording Recorded(const std::vector<std::optional<double>>& ms) {
  Recording recording;
  recording.name = "R";
  recording.input = Input();
  for (const std::optional<double>& value : ms) {
    Observation run;
    run.allocations["c1"] = {"a0 a1", "a0"};
    if (value.has_value()) {
      run.values[{"c1 starts", "first pull", "a0"}] = *value;
    }
    recording.runs.push_back(run);
  }
  return recording;
}

std::vector<Observation> Simulated(const std::vector<double>& ms) {
  std::vector<Observation> observations;
  for (const double value : ms) {
    Observation observation;
    observation.seed = observations.size() + 1;
    observation.allocations["c1"] = {"a0 a1", "a0"};
    observation.values[{"c1 starts", "first pull", "a0"}] = value;
    observations.push_back(observation);
  }
  return observations;
}

Comparison Compared(const Recording& recording,
                    const std::vector<Observation>& observations) {
  return Compare(recording, Script::Parse(recording.input), observations);
}

TEST(ComparisonTest, TheSpreadIsWidenedByTenPerCentOr150Milliseconds) {
  EXPECT_TRUE((Spread{1000, 1200}).Admits(850));
  EXPECT_FALSE((Spread{1000, 1200}).Admits(849));
  EXPECT_TRUE((Spread{1000, 1200}).Admits(1350));
  EXPECT_FALSE((Spread{1000, 1200}).Admits(1351));
  EXPECT_TRUE((Spread{0, 0}).Admits(150));
  EXPECT_FALSE((Spread{0, 0}).Admits(151));
  EXPECT_TRUE((Spread{20'000, 20'000}).Admits(22'000));
  EXPECT_FALSE((Spread{20'000, 20'000}).Admits(22'001));
  EXPECT_FALSE((Spread{20'000, 20'000}).Admits(17'999));
}

TEST(ComparisonTest, TheMedianHasToLieWithinTheRecordedSpread) {
  const Recording recording = Recorded({500, 600});
  EXPECT_EQ(
      Compared(recording, Simulated({400, 700, 1600})).values.front().verdict,
      Verdict::kWithin);
  const Comparison comparison = Compared(recording, Simulated({760, 780, 800}));
  EXPECT_FALSE(comparison.ok());
  EXPECT_NE(comparison.Table().find("OUTSIDE"), std::string::npos);
  EXPECT_NE(comparison.Markdown().find("OUTSIDE"), std::string::npos);
}

TEST(ComparisonTest, EachRecordedTimeHasToLieWithinTheSimulatedSpread) {
  EXPECT_FALSE(Compared(Recorded({500, 1600}), Simulated({500, 550})).ok());
  EXPECT_TRUE(
      Compared(Recorded({500, 1600}), Simulated({500, 550, 1500})).ok());
}

TEST(ComparisonTest, WherePhaseDecidesAFifthOfTheSimulatedRunsIsEnough) {
  const Recording recording = Recorded({500, 600});
  const Comparison fifth =
      Compared(recording, Simulated({550, 1600, 1600, 1600, 1600}));
  EXPECT_EQ(fifth.values.front().verdict, Verdict::kWithinByPhase);
  EXPECT_TRUE(fifth.ok());
  EXPECT_FALSE(
      Compared(recording, Simulated({550, 1600, 1600, 1600, 1600, 1600})).ok());
}

TEST(ComparisonTest, OtherAllocationsAreFound) {
  std::vector<Observation> simulated = Simulated({500, 600});
  for (Observation& run : simulated) run.allocations["c1"] = {"a0 a1"};
  const Comparison comparison = Compared(Recorded({500, 600}), simulated);
  EXPECT_EQ(comparison.Outside(),
            std::vector<std::string>{"allocations of c1"});
  EXPECT_TRUE(absl::StrContains(comparison.Table(), "with seed 1"));
}

TEST(ComparisonTest, WhatOnlyOneSideHasIsFound) {
  std::vector<Observation> simulated = Simulated({500, 600});
  for (Observation& run : simulated) {
    run.values[{"c1 starts", "first pull", "a1"}] = 500;
  }
  EXPECT_FALSE(Compared(Recorded({500, 600}), simulated).ok());
  Recording recording = Recorded({500, 600});
  recording.runs[0].values[{"c1 starts", "first pull", "a1"}] = 500;
  EXPECT_FALSE(Compared(recording, Simulated({500, 600})).ok());
}

TEST(ComparisonTest, AScriptThatIsNoScenarioIsOutside) {
  Recording recording = Recorded({500});
  recording.input["topology"]["topic"]["queues_per_broker"] = 0;
  recording.declared = DeclaredOf({1.0}, {});
  EXPECT_FALSE(Play(recording, 1).ok());
}

TEST(ComparisonTest, WhatIsNotPlayedIsOutside) {
  Recording recording = Recorded({500});
  recording.input["actions"].push_back(
      {{"at_ms", 5000}, {"do", "paint"}, {"broker", "broker-a"}});
  recording.declared = DeclaredOf({1.0}, {});
  const Comparison comparison = Play(recording, 1);
  ASSERT_EQ(comparison.not_played.size(), 1u);
  EXPECT_TRUE(absl::StrContains(comparison.not_played[0], "paint"));
  EXPECT_FALSE(comparison.ok());
}

// Scripts of other recordings of the same format.

std::string Derived(const json& input) {
  const Derivation derivation =
      DeriveScenario(Script::Parse(input), DeclaredOf({2.0}, {}));
  EXPECT_EQ(derivation.not_played, std::vector<std::string>());
  ScenarioFromTextOrDie(derivation.scenario);  // It is valid.
  return derivation.scenario;
}

TEST(DerivationTest, TopologyAndTrafficAreTheScripts) {
  const std::string text = Derived(Input());
  for (const char* part :
       {"title: \"Recording R: a 'title'\"", "duration: \"60s\"",
        "name_server { count: 2 }", "broker { name: \"broker-b\" }",
        "topic { name: \"Rr1_T\" queues_per_broker: 4 }",
        "queues: \"broker-a#0..3,broker-b#2\"", "rate { per_second: 20 }",
        "from: \"500ms\"", "until: \"40500ms\"", "name: \"Rr1_g\"",
        "start_at: \"1s\"", "value: \"1000us\""}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << "\n" << text;
  }
}

TEST(DerivationTest, ARateMayBeBroken) {
  json input = Input();
  input["actions"][0]["rate_per_s"] = 0.5;
  EXPECT_TRUE(
      absl::StrContains(Derived(input), "rate { every: \"2000000us\" }"));
}

TEST(DerivationTest, EveryKindOfActionOfConsumersAndBrokersIsPlayed) {
  json input = Input();
  for (const auto& [what, subject, name] :
       std::vector<std::tuple<const char*, const char*, const char*>>{
           {"shutdown_consumer", "consumer", "c1"},
           {"start_consumer", "consumer", "c1"},
           {"kill_process_of_consumer", "consumer", "c1"},
           {"freeze_process_of_consumer", "consumer", "c1"},
           {"continue_process_of_consumer", "consumer", "c1"},
           {"suspend_consumer", "consumer", "c1"},
           {"resume_consumer", "consumer", "c1"},
           {"kill_broker", "broker", "broker-b"},
           {"start_broker", "broker", "broker-b"},
           {"shutdown_broker", "broker", "broker-a"},
           {"freeze_broker", "broker", "broker-a"},
           {"continue_broker", "broker", "broker-a"}}) {
    input["actions"].push_back(
        {{"at_ms", 1000 + 1500 * input["actions"].size()},
         {"do", what},
         {subject, name}});
  }
  input["actions"].push_back(
      {{"at_ms", 30000}, {"do", "set_queues"}, {"queues_per_broker", 6}});
  const std::string text = Derived(input);
  for (const char* part :
       {"stop { consumer: \"c1\" }", "start { consumer: \"c1\" }",
        "crash { consumer: \"c1\" }",
        "pause { processes { consumer: \"c1\" } }",
        "resume { processes { consumer: \"c1\" } }",
        "suspend_consumer { consumer: \"c1\" }",
        "resume_consumer { consumer: \"c1\" }",
        "crash { broker: \"broker-b\" }", "start { broker: \"broker-b\" }",
        "stop { broker: \"broker-a\" }",
        "pause { processes { broker: \"broker-a\" } }",
        "resume { processes { broker: \"broker-a\" } }",
        "add_queues { queues: 2 }"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << "\n" << text;
  }
}

TEST(DerivationTest, SettingsOfConsumersAreTheirs) {
  json input = Input();
  input["strategy"] = "CONSISTENT_HASH";
  input["consumers"]["c1"]["consume_threads"] = 2;
  input["consumers"]["c1"]["listener_work_ms"] = 5;
  input["consumers"]["c1"]["listener"] = {
      {"message_with_queue_offset_7_takes_ms", 2500}};
  input["consumers"]["c2"] = {{"client_id", "10.0.0.1@c2"},
                              {"consume_from", "CONSUME_FROM_LAST_OFFSET"},
                              {"pull_threshold_for_queue", 10}};
  input["actions"].push_back(
      {{"at_ms", 2000}, {"do", "start_consumer"}, {"consumer", "c2"}});
  const std::string text = Derived(input);
  for (const char* part : {"consistent_hash {}", "consume_thread_max: 2",
                           "service_time { constant: \"5ms\" }",
                           "hang { offset: 7 lasts: \"2500ms\" }",
                           "pull_threshold_for_queue: 10"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << "\n" << text;
  }
}

TEST(DerivationTest, FailuresAreOfTheMessagesThatTheScriptNames) {
  json input = Input();
  input["consumers"]["c1"]["listener"] = {
      {"returns", "RECONSUME_LATER"},
      {"when", "i mod 300 == 15, for the first 2 deliveries of that message"}};
  // Messages 10 to 809: 15, 315 and 615, whose keys count from 1.
  EXPECT_TRUE(absl::StrContains(Derived(input),
                                "fails { key: [6, 306, 606] times: 2 }"))
      << Derived(input);
  input["consumers"]["c1"]["listener"]["when"] = "always";
  EXPECT_TRUE(absl::StrContains(Derived(input), "fails { }"));
}

TEST(DerivationTest, WhatIsUnknownIsSaid) {
  json input = Input();
  input["consumers"]["c1"]["colour"] = "green";
  input["topology"]["slaves"] = 2;
  input["strategy"] = "BY_MOOD";
  const Derivation derivation =
      DeriveScenario(Script::Parse(input), DeclaredOf({2.0}, {}));
  EXPECT_EQ(derivation.not_played.size(), 3u);
}

// Lines of recordings.

TEST(LiveRunTest, LinesBecomeTimesAfterActionsAndCounts) {
  const Script script = Script::Parse(Input());
  const Observation run = ObserveRecorded(script, R"(
{"k":"meta","scenario":"R"}
{"k":"act","t":1000.5,"do":"start","c":"c1"}
{"k":"act","t":1010,"do":"started","c":"c1"}
{"k":"notify","t":1040.5,"c":"c1"}
{"k":"alloc","t":2000,"c":"c1","retry":0,"ids":["c1"],"r":["a0"],"n":1}
{"k":"own","t":2001.5,"c":"c1","q":"a0"}
{"k":"own","t":3000.5,"c":"c1","q":"R:a0"}
{"k":"pull","t":2500.5,"c":"c1","q":"a0","p":[[2500.5,0,3,0,2,-1],[2510.5,2,100,0,1,2]]}
{"k":"dlv","t":2503.5,"c":"c1","q":"a0","d":[[0,500,1,2002.5,0.1],[1,600,1,2000.5,0.1]]}
{"k":"redlv","t":2610.5,"c":"c1","q":"a0","o":2,"i":20,"r":0,"born":0,"store":0,"dur":1,"status":"later"}
{"k":"redlv","t":12611.5,"c":"c1","q":"R:a0","o":0,"i":20,"r":1,"born":0,"store":0,"dur":1}
{"k":"pq","t":2600,"c":"c1","q":"a0","n":1,"span":0,"fc":3,"sfc":0}
{"k":"act","t":20000,"do":"kill9","c":"c1"}
)");
  const auto value = [&run](const std::string& after, const std::string& what,
                            const std::string& subject) {
    const auto it = run.values.find({after, what, subject});
    return it == run.values.end() ? -1 : it->second;
  };
  EXPECT_EQ(run.allocations.at("c1"), std::vector<std::string>{"a0"});
  EXPECT_DOUBLE_EQ(value("c1 starts", "notice", "c1"), 40);
  EXPECT_DOUBLE_EQ(value("c1 starts", "owned", "a0"), 1001);
  EXPECT_DOUBLE_EQ(value("c1 starts", "retry queue owned", "c1"), 2000);
  EXPECT_DOUBLE_EQ(value("c1 starts", "first pull", "a0"), 1500);
  EXPECT_DOUBLE_EQ(value("c1 starts", "first delivery", "a0"), 1503);
  EXPECT_DOUBLE_EQ(value("whole run", "unowned", "a0"), 40000);
  EXPECT_DOUBLE_EQ(value("whole run", "pulls", "a0"), 2);
  EXPECT_DOUBLE_EQ(value("whole run", "messages delivered", "a0"), 3);
  EXPECT_DOUBLE_EQ(value("whole run", "wait before try 2", "a0+2"), 10000);
  EXPECT_DOUBLE_EQ(value("whole run", "pulls put off by count or size", "c1"),
                   3);
}

TEST(LiveRunTest, AnActionThatComesAgainHasANumber) {
  json input = Input();
  for (const char* what : {"shutdown_consumer", "start_consumer"}) {
    input["actions"].push_back(
        {{"at_ms", 5000}, {"do", what}, {"consumer", "c1"}});
  }
  input["actions"].back()["at_ms"] = 9000;
  const Observation run = ObserveRecorded(Script::Parse(input), R"(
{"k":"act","t":1000,"do":"start","c":"c1"}
{"k":"own","t":2000,"c":"c1","q":"a0"}
{"k":"act","t":5000,"do":"stop","c":"c1"}
{"k":"rpc","t":5004,"c":"c1","code":35,"lat":1}
{"k":"act","t":5010,"do":"stopped","c":"c1"}
{"k":"act","t":9000,"do":"start","c":"c1"}
{"k":"own","t":10500,"c":"c1","q":"a0"}
)");
  const auto value = [&run](const char* after, const char* what) {
    return run.values.at({after, what, "a0"});
  };
  EXPECT_DOUBLE_EQ(value("c1 starts", "owned"), 1000);
  EXPECT_DOUBLE_EQ(value("c1 stops", "released"), 4);
  EXPECT_DOUBLE_EQ(value("c1 starts (2)", "owned"), 1500);
  EXPECT_DOUBLE_EQ(value("whole run", "unowned"), 5496);
}

TEST(LiveRunTest, ActionsPlannedForOneTimeHaveOneName) {
  json input = Input();
  input["consumers"]["c2"] = {{"client_id", "10.0.0.1@c2"}};
  input["actions"].push_back(
      {{"at_ms", 1000}, {"do", "start_consumer"}, {"consumer", "c2"}});
  const Observation run = ObserveRecorded(Script::Parse(input), R"(
{"k":"act","t":1000,"do":"start","c":"c2"}
{"k":"act","t":1001,"do":"start","c":"c1"}
{"k":"own","t":2000,"c":"c1","q":"a0"}
)");
  EXPECT_DOUBLE_EQ(run.values.at({"c1 starts, c2 starts", "owned", "a0"}),
                   1000);
}

TEST(LiveRunTest, RoundTripsAndCallsAreDeclaredAsRecorded) {
  json input = Input();
  input["consumers"]["c1"]["listener_work_ms"] = 1;
  Latencies latencies;
  AddLatencies(Script::Parse(input), R"(
{"k":"rpc","t":1,"c":"c1","code":34,"lat":4}
{"k":"rpc","t":1,"c":"c1","code":34,"lat":null}
{"k":"pull","t":2,"c":"c1","q":"a0","p":[[2,0,3,0,32,-1],[9,32,70,0,1,2]]}
{"k":"dlv","t":3,"c":"c1","q":"a0","d":[[0,1,1,1,1.5]]}
{"k":"dlvr","t":4,"c":"c1","q":"a0","d":[[1,20,10,32,20],[21,21,40,90,1]]}
)",
               latencies);
  EXPECT_EQ(latencies.round_trips, (std::vector<double>{4, 3}));
  EXPECT_EQ(latencies.calls["c1"], (std::vector<double>{1.5, 1.1}));
}

}  // namespace
}  // namespace groupsim
