// Transport: what connections do.
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "tests/conformance/stage.h"
#include "tests/conformance/wire_probe.h"

namespace groupsim::conformance {
namespace {

// Processes "a", which listens at a:1, and "b" with an open connection to it.
struct Pair {
  explicit Pair(Stage& stage)
      : a_env(stage.Begin("a", {.addresses = {"a:1"}})),
        b_env(stage.Begin("b", {.addresses = {"b:1", "b:2"}})),
        a(stage.Make<WireProbe>("a", a_env)),
        b(stage.Make<WireProbe>("b", b_env)) {
    a.Listen("a:1");
    to_a = b.Open("a:1");
    stage.Expect(stage.Await([this] {
      return !b.opened.empty() && !a.accepted.empty();
    }),
                 "a connection opens");
    to_b = a.accepted.empty() ? 0 : a.accepted[0];
  }

  Env& a_env;
  Env& b_env;
  WireProbe& a;
  WireProbe& b;
  ConnectionId to_a = 0;  // Of b,
  ConnectionId to_b = 0;  // of a.
};

void ConnectionsOpenOnceOnBothSides(Stage& stage) {
  Pair pair(stage);
  stage.Run(5ms);
  stage.Expect(pair.b.log == std::vector<std::string>{"opened"},
               "whoever connects is told once that it succeeded");
  stage.Expect(pair.a.log == std::vector<std::string>{"accepted b"},
               "whoever listens is told once who connected");
  stage.Expect(pair.b.opened == std::vector<ConnectionId>{pair.to_a},
               "the connection opened is the one asked for");
}

void ConnectingWhereNobodyListensIsRefused(Stage& stage) {
  stage.Begin("a", {.addresses = {"a:1"}});
  Env& env = stage.Begin("b");
  auto& b = stage.Make<WireProbe>("b", env);
  b.Open("a:1");
  stage.Await([&] { return !b.log.empty(); });
  stage.Expect(b.log == std::vector<std::string>{"ended: refused"},
               "connecting is refused where nobody listens");
}

void ConnectingToNoHostHangs(Stage& stage) {
  Env& env = stage.Begin("b");
  auto& b = stage.Make<WireProbe>("b", env);
  const ConnectionId id = b.Open("nowhere:1");
  stage.Run(50ms);
  stage.Expect(b.log.empty(), "nothing comes back from where no host is");
  env.transport().Close(id);
}

void NothingIsSentBeforeAConnectionIsOpen(Stage& stage) {
  Env& a_env = stage.Begin("a", {.addresses = {"a:1"}});
  Env& b_env = stage.Begin("b");
  auto& a = stage.Make<WireProbe>("a", a_env);
  auto& b = stage.Make<WireProbe>("b", b_env);
  a.Listen("a:1");
  const ConnectionId id = b.Open("a:1");
  b.Send(id, 1);
  stage.Await([&] { return !b.opened.empty(); });
  b.Send(id, 2);
  stage.Await([&] { return !a.frames.empty(); });
  stage.Run(5ms);
  stage.Expect(a.frames.size() == 1 && a.frames[0].opaque == 2,
               "what is sent before a connection opens is dropped");
}

void FramesArriveInOrder(Stage& stage) {
  Pair pair(stage);
  for (uint32_t i = 1; i <= 300; ++i) {
    pair.b.Send(pair.to_a, i);
    pair.a.Send(pair.to_b, i);
    if (i % 30 == 0) stage.Run(100us);
  }
  stage.Await(
      [&] {
        return pair.a.frames.size() >= 300 && pair.b.frames.size() >= 300;
      },
      50ms);
  for (WireProbe* probe : {&pair.a, &pair.b}) {
    uint32_t last = 0;
    for (const Frame& frame : probe->frames) {
      stage.Expect(frame.opaque >= last, "frames arrive in the order sent");
      last = frame.opaque;
    }
  }
}

void FramesArriveOnceAndWhole(Stage& stage) {
  Pair pair(stage);
  for (uint32_t i = 1; i <= 300; ++i) {
    pair.b.Send(pair.to_a, i);
    if (i % 3 == 0) stage.Run(10us);
  }
  stage.Await([&] { return pair.a.frames.size() >= 300; }, 50ms);
  std::map<uint32_t, int> seen;
  bool whole = true;
  for (const Frame& frame : pair.a.frames) {
    ++seen[frame.opaque];
    const auto* request = std::get_if<Request>(&frame.content);
    const auto* body = request == nullptr
                           ? nullptr
                           : std::get_if<GetMaxOffsetRequest>(&request->body);
    whole = whole && frame.kind == Frame::Kind::kOneway && body != nullptr &&
            body->queue.queue_id == static_cast<int32_t>(frame.opaque);
  }
  bool once = seen.size() == 300;
  for (const auto& [number, times] : seen) once = once && times == 1;
  stage.Expect(once, "every frame of an open connection arrives once");
  stage.Expect(whole, "frames arrive as they were sent");
}

void WhatWasSentBeforeACloseArrives(Stage& stage) {
  Pair pair(stage);
  for (uint32_t i = 1; i <= 3; ++i) pair.b.Send(pair.to_a, i);
  pair.b_env.transport().Close(pair.to_a);
  pair.b.Send(pair.to_a, 4);  // Too late.
  stage.Await([&] { return pair.a.frames.size() >= 3; }, 50ms);
  stage.Run(5ms);
  stage.Expect(pair.a.frames.size() == 3,
               "what was sent before a close arrives, and nothing else");
}

void WhoeverClosesHearsNothingMore(Stage& stage) {
  Pair pair(stage);
  pair.a.Send(pair.to_b, 1);
  pair.b_env.transport().Close(pair.to_a);
  const size_t heard = pair.b.log.size();
  pair.a.Send(pair.to_b, 2);
  stage.Run(10ms);
  stage.Expect(pair.b.log.size() == heard,
               "whoever closed a connection hears nothing of it");
  pair.b_env.transport().Close(pair.to_a);  // Ended before: nothing happens.
}

void ThePeerHearsOfAClose(Stage& stage) {
  Pair pair(stage);
  pair.b_env.transport().Close(pair.to_a);
  stage.Await([&] { return !pair.a.ends.empty(); }, 100ms);
  stage.Run(5ms);
  stage.Expect(pair.a.ends == std::vector<CloseReason>{CloseReason::kRemote},
               "the peer is told once that a connection was closed");
}

void ACrashClosesConnections(Stage& stage) {
  Pair pair(stage);
  stage.runtime().Crash("b");
  stage.Await([&] { return !pair.a.ends.empty(); }, 100ms);
  stage.Run(5ms);
  stage.Expect(pair.a.ends.size() == 1,
               "a crash closes the connections of the process");
}

void AHostThatVanishesTellsNobody(Stage& stage) {
  Pair pair(stage);
  stage.runtime().Vanish("b");
  stage.Run(5ms);
  pair.a.Send(pair.to_b, 1);
  stage.Run(50ms);
  stage.Expect(pair.a.ends.empty(), "a host that vanishes tells nobody");
}

void AHostThatIsBackResetsOldConnections(Stage& stage) {
  Pair pair(stage);
  stage.runtime().Vanish("b");
  stage.Run(5ms);
  stage.BeginAgain("b");
  if (!pair.a.ends.empty()) return;  // Told before: another promise.
  pair.a.Send(pair.to_b, 1);
  stage.Await([&] { return !pair.a.ends.empty(); }, 100ms);
  stage.Expect(pair.a.ends == std::vector<CloseReason>{CloseReason::kReset},
               "a host that is back resets its old connections");
}

void WhoeverStopsListeningAcceptsNobody(Stage& stage) {
  Pair pair(stage);
  pair.a_env.transport().StopListening(stage.Intern("a:1"));
  auto& late = stage.Make<WireProbe>("b", pair.b_env);
  late.Open("a:1");
  pair.b.Send(pair.to_a, 1);
  stage.Run(20ms);
  stage.Expect(pair.a.accepted.size() == 1 && late.opened.empty(),
               "nobody is accepted any more");
  stage.Expect(stage.Await([&] { return pair.a.frames.size() == 1; }),
               "connections outlive listening");
}

void TheTransportDoesNotCallBack(Stage& stage) {
  Pair pair(stage);
  auto& probe = stage.Make<WireProbe>("b", pair.b_env);
  probe.Listen("b:1");
  const ConnectionId self = probe.Open("b:1");
  const ConnectionId refused = probe.Open("b:2");
  stage.Expect(probe.log.empty(), "nothing is told inside Open");
  const size_t told = pair.b.log.size();
  pair.b.Send(pair.to_a, 1);
  stage.Expect(pair.b.log.size() == told, "nothing is told inside Send");
  pair.b_env.transport().StopListening(stage.Intern("b:1"));
  pair.b_env.transport().Close(self);
  pair.b_env.transport().Close(refused);
  pair.b_env.transport().Close(pair.to_a);
  stage.Expect(probe.log.empty() && pair.b.log.size() == told,
               "nothing is told inside Close");
}

}  // namespace

std::vector<Promise> TransportPromises() {
  return {
      {"ConnectionsOpenOnceOnBothSides", ConnectionsOpenOnceOnBothSides},
      {"ConnectingWhereNobodyListensIsRefused",
       ConnectingWhereNobodyListensIsRefused},
      {"ConnectingToNoHostHangs", ConnectingToNoHostHangs},
      {"NothingIsSentBeforeAConnectionIsOpen",
       NothingIsSentBeforeAConnectionIsOpen},
      {"FramesArriveInOrder", FramesArriveInOrder},
      {"FramesArriveOnceAndWhole", FramesArriveOnceAndWhole},
      {"WhatWasSentBeforeACloseArrives", WhatWasSentBeforeACloseArrives},
      {"WhoeverClosesHearsNothingMore", WhoeverClosesHearsNothingMore},
      {"ThePeerHearsOfAClose", ThePeerHearsOfAClose},
      {"ACrashClosesConnections", ACrashClosesConnections},
      {"AHostThatVanishesTellsNobody", AHostThatVanishesTellsNobody},
      {"AHostThatIsBackResetsOldConnections",
       AHostThatIsBackResetsOldConnections},
      {"WhoeverStopsListeningAcceptsNobody",
       WhoeverStopsListeningAcceptsNobody},
      {"TheTransportDoesNotCallBack", TheTransportDoesNotCallBack},
  };
}

}  // namespace groupsim::conformance
