// Remoting, RequestHandler and Responder.
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "tests/conformance/stage.h"
#include "tests/conformance/wire_probe.h"

namespace groupsim::conformance {
namespace {

// Everything faster than in earnest.
RemotingSettings QuickSettings() {
  RemotingSettings settings;
  settings.connect_timeout = 50ms;
  settings.first_scan = 20ms;
  settings.scan_period = 10ms;
  settings.scan_grace = 10ms;
  settings.close_channel_if_timeout = false;
  return settings;
}

// A question that is answered after a while with its own number.
Request Ask(int32_t number, Duration delay) {
  SearchOffsetRequest request;
  request.queue.queue_id = number;
  request.timestamp = delay.nanos();
  return request;
}
// One that is not answered.
Request AskInVain() {
  const Duration never = -1 * Duration(1ns);
  return Ask(0, never);
}

class Answerer final : public RequestHandler {
 public:
  explicit Answerer(Env& env) : env_(env) {}

  void OnRequest(Request request, Responder responder) override {
    const auto& ask = std::get<SearchOffsetRequest>(request.body);
    const Duration delay = Duration::Nanos(ask.timestamp);
    kept_.push_back(std::move(responder));
    if (delay < Duration::Zero()) return;
    OffsetReply body;
    body.offset = ask.queue.queue_id;
    Responder* kept = &kept_.back();
    if (delay == Duration::Zero()) {
      kept->Answer(Reply(ResponseCode::kSuccess, body));
      return;
    }
    auto timer = std::make_unique<Timer>(env_, [kept, body] {
      kept->Answer(Reply(ResponseCode::kSuccess, body));
    });
    timer->Arm(delay);
    timers_.push_back(std::move(timer));
  }

 private:
  Env& env_;
  std::deque<Responder> kept_;
  std::vector<std::unique_ptr<Timer>> timers_;
};

// How a call ended, each time that it did.
struct Ends {
  Instant begin;
  std::vector<Instant> at;
  std::vector<CallResult> results;

  size_t times() const { return at.size(); }
  bool replied() const { return !results.empty() && results[0].replied(); }
  CallError error() const {
    return results.empty() ? CallError::kNone : results[0].error;
  }
  // It ended with a reply and with an error.
  bool contradictory() const {
    bool reply = false;
    bool error = false;
    for (const CallResult& result : results)
      (result.replied() ? reply : error) = true;
    return reply && error;
  }
  Duration took() const { return at.empty() ? Duration::Max() : at[0] - begin; }
  int64_t offset() const {
    return std::get<OffsetReply>(results[0].reply.body).offset;
  }
};

// A server that answers, and a client with an open channel to it.
class Pair {
 public:
  explicit Pair(Stage& stage)
      : stage_(stage),
        address_(stage.Intern("server:1")),
        server_env_(stage.Begin("server", {.addresses = {"server:1"}})),
        env_(stage.Begin("client")),
        answerer_(stage.Make<Answerer>("server", server_env_)),
        server_(stage.Make<Remoting>("server", server_env_, QuickSettings(),
                                     &answerer_, nullptr)),
        client_(stage.Make<Remoting>("client", env_, QuickSettings(), nullptr,
                                     nullptr)),
        scope_(stage.Make<TaskScope>("client", env_.ready())) {
    server_.Listen(address_);
    client_.SendOneway(address_, AskInVain());
    stage.Expect(stage.Await([this] { return client_.IsActive(address_); }),
                 "a channel opens");
  }

  Remoting& client() { return client_; }
  Remoting& server() { return server_; }
  Name address() const { return address_; }
  Env& env() { return env_; }

  Ends& CallAsync(Name address, Request request, Duration timeout) {
    Ends& ends = stage_.Make<Ends>("client");
    ends.begin = env_.Now();
    stage_.runtime().CallAsync(env_, client_, address, std::move(request),
                               timeout, [this, &ends](CallResult result) {
                                 ends.at.push_back(env_.Now());
                                 ends.results.push_back(std::move(result));
                               });
    return ends;
  }
  Ends& CallAsync(Request request, Duration timeout) {
    return CallAsync(address_, std::move(request), timeout);
  }
  Ends& Call(Request request, Duration timeout) {
    Ends& ends = stage_.Make<Ends>("client");
    ends.begin = env_.Now();
    scope_.Spawn(Await(env_, ends,
                       stage_.runtime().Call(env_, client_, address_,
                                             std::move(request), timeout)));
    return ends;
  }

 private:
  static Task<void> Await(Env& env, Ends& ends, Task<CallResult> call) {
    CallResult result = co_await std::move(call);
    ends.at.push_back(env.Now());
    ends.results.push_back(std::move(result));
  }

  Stage& stage_;
  const Name address_;
  Env& server_env_;
  Env& env_;
  Answerer& answerer_;
  Remoting& server_;
  Remoting& client_;
  TaskScope& scope_;
};

void ACallEndsOnceWithItsReply(Stage& stage) {
  Pair pair(stage);
  std::vector<Ends*> all;
  for (int i = 0; i < 20; ++i) {
    const Duration delay = (i * 7 % 10) * Duration(1ms);
    all.push_back(&pair.CallAsync(Ask(all.size(), delay), 2s));
    all.push_back(&pair.Call(Ask(all.size(), delay), 2s));
  }
  stage.Await([&] {
    for (Ends* ends : all)
      if (ends->times() == 0) return false;
    return true;
  });
  stage.Run(10ms);
  for (size_t i = 0; i < all.size(); ++i) {
    stage.Expect(all[i]->times() == 1, "a call ends once");
    stage.Expect(
        all[i]->replied() && all[i]->offset() == static_cast<int64_t>(i),
        "a call ends with its own reply");
  }
}

void AsynchronousCallsExpireAtAScan(Stage& stage) {
  Pair pair(stage);
  const Ends& ends = pair.CallAsync(AskInVain(), 30ms);
  stage.Await([&] { return ends.times() > 0; });
  stage.Expect(ends.error() == CallError::kTimeout,
               "a call without a reply ends in a time-out");
  stage.Expect(ends.took() >= 40ms, "an asynchronous call has its grace");
  stage.Expect(ends.took() <= 50ms + stage.runtime().slack(),
               "an asynchronous call ends at the next scan");
}

void SynchronousCallsExpireExactly(Stage& stage) {
  Pair pair(stage);
  const Ends& ends = pair.Call(AskInVain(), 30ms);
  stage.Await([&] { return ends.times() > 0; });
  stage.Expect(ends.error() == CallError::kTimeout,
               "a call without a reply ends in a time-out");
  stage.Expect(ends.took() >= 30ms - Duration(1us),
               "a synchronous call has its time");
  stage.Expect(ends.took() <= 30ms + stage.runtime().slack(),
               "a synchronous call has no more than its time");
}

void AClosedChannelEndsItsCallsAtOnce(Stage& stage) {
  Pair pair(stage);
  const Ends& async = pair.CallAsync(AskInVain(), 2s);
  const Ends& sync = pair.Call(AskInVain(), 2s);
  stage.Run(5ms);
  const Instant closing = pair.env().Now();
  pair.client().CloseChannel(pair.address());
  stage.Await([&] { return async.times() > 0 && sync.times() > 0; });
  for (const Ends* ends : {&async, &sync}) {
    stage.Expect(ends->error() == CallError::kClosed,
                 "the end of its channel ends a call");
    stage.Expect(
        ends->times() > 0 && ends->at[0] <= closing + stage.runtime().slack(),
        "the end of its channel ends a call at once");
  }
}

void CallsNeverEndInsideTheCall(Stage& stage) {
  Pair pair(stage);
  const Ends& hopeless =
      pair.CallAsync(stage.Intern("nowhere:1"), AskInVain(), 2s);
  stage.Expect(hopeless.times() == 0, "no call ends inside of itself");
  const Ends& in_flight = pair.CallAsync(AskInVain(), 2s);
  pair.client().CloseChannel(pair.address());
  stage.Expect(in_flight.times() == 0, "no call ends inside CloseChannel");
  pair.client().Shutdown();
  stage.Expect(in_flight.times() + hopeless.times() == 0,
               "no call ends inside Shutdown");
  const Ends& late = pair.CallAsync(AskInVain(), 2s);
  stage.Expect(late.times() == 0, "no call ends inside of itself");
  stage.Await([&] { return late.times() > 0; });
  stage.Expect(
      late.times() > 0 && hopeless.times() > 0 && in_flight.times() > 0,
      "every call ends");
}

// Many calls whose replies come shortly before, at, and after 30 ms.
std::vector<Ends*> CallsAroundThirtyMillis(Pair& pair, bool sync,
                                           Duration timeout) {
  std::vector<Ends*> all;
  for (int i = -20; i <= 20; ++i) {
    const Duration delay = Duration(30ms) + i * Duration(100us);
    Request request = Ask(i, delay);
    all.push_back(sync ? &pair.Call(std::move(request), timeout)
                       : &pair.CallAsync(std::move(request), timeout));
  }
  return all;
}

void TimeoutsRaceRepliesToOneEnd(Stage& stage) {
  Pair pair(stage);
  // Asynchronous ones expire at a scan, which is at 40 ms or a bit later.
  for (const bool sync : {true, false}) {
    std::vector<Ends*> all;
    for (int round = 0; round < (sync ? 1 : 3); ++round) {
      const std::vector<Ends*> some = CallsAroundThirtyMillis(
          pair, sync, sync ? Duration(30ms) : Duration(10ms));
      all.insert(all.end(), some.begin(), some.end());
      stage.Run(3ms);
    }
    stage.Run(60ms);
    stage.Await([&] { return all.back()->times() > 0; });
    stage.Run(10ms);
    for (const Ends* ends : all) {
      stage.Expect(ends->times() > 0, "every call ends");
      stage.Expect(!ends->contradictory(),
                   "a reply and a time-out make one end together");
      stage.Expect(ends->replied() || ends->error() == CallError::kTimeout,
                   "a call ends with its reply or its time-out");
    }
  }
}

void RepliesRaceClosesToOneEnd(Stage& stage) {
  Pair pair(stage);
  std::vector<Ends*> all = CallsAroundThirtyMillis(pair, false, 2s);
  const std::vector<Ends*> sync = CallsAroundThirtyMillis(pair, true, 2s);
  all.insert(all.end(), sync.begin(), sync.end());
  auto& close = stage.Make<TimerProbe>("client", pair.env());
  close.then = [&pair] { pair.client().CloseChannel(pair.address()); };
  pair.env().timers().Arm(pair.env().Now() + 30ms, &close);
  stage.Await([&] { return !close.fired.empty() && all.back()->times() > 0; });
  stage.Run(30ms);
  for (const Ends* ends : all) {
    stage.Expect(ends->times() > 0, "every call ends");
    stage.Expect(!ends->contradictory(),
                 "a reply and a close make one end together");
    stage.Expect(ends->replied() || ends->error() == CallError::kClosed,
                 "a call ends with its reply or its channel");
  }
}

void AKeptResponderAnswersMuchLater(Stage& stage) {
  Pair pair(stage);
  const Ends& ends = pair.CallAsync(Ask(5, 400ms), 3s);
  stage.Await([&] { return ends.times() > 0; }, 1s + stage.runtime().slack());
  stage.Expect(ends.replied(), "a kept request can be answered later");
}

// Answers each request twice, or tries to.
class TwiceAnswerer final : public RequestHandler {
 public:
  void OnRequest(Request, Responder responder) override {
    expected.push_back(responder.expected());
    responder.Answer(Reply());
    responder.Answer(Reply());
  }
  std::vector<bool> expected;
};

// A client without Remoting asks such a server once.
size_t RepliesTo(Stage& stage, Frame::Kind kind, bool& expected) {
  Env& server_env = stage.Begin("server", {.addresses = {"server:1"}});
  auto& answerer = stage.Make<TwiceAnswerer>("server");
  auto& server = stage.Make<Remoting>("server", server_env, QuickSettings(),
                                      &answerer, nullptr);
  server.Listen(stage.Intern("server:1"));
  auto& client = stage.Make<WireProbe>("client", stage.Begin("client"));
  const ConnectionId id = client.Open("server:1");
  stage.Await([&] { return !client.opened.empty(); });
  client.Send(id, 77, kind);
  stage.Expect(stage.Await([&] { return !answerer.expected.empty(); }),
               "a request reaches its handler");
  stage.Await([&] { return !client.frames.empty(); }, 20ms);
  stage.Run(5ms);
  expected = !answerer.expected.empty() && answerer.expected[0];
  for (const Frame& frame : client.frames) {
    stage.Expect(frame.kind == Frame::Kind::kReply && frame.opaque == 77,
                 "a reply repeats the number of its request");
  }
  return client.frames.size();
}

void ARequestIsAnsweredAtMostOnce(Stage& stage) {
  bool expected = false;
  const size_t replies = RepliesTo(stage, Frame::Kind::kRequest, expected);
  stage.Expect(expected, "a request expects an answer");
  stage.Expect(replies == 1, "a request is answered once");
}

void OnewayRequestsAreNotAnswered(Stage& stage) {
  bool expected = false;
  const size_t replies = RepliesTo(stage, Frame::Kind::kOneway, expected);
  stage.Expect(!expected, "a one-way request expects no answer");
  stage.Expect(replies == 0, "a one-way request is not answered");
}

}  // namespace

std::vector<Promise> RemotingPromises() {
  return {
      {"ACallEndsOnceWithItsReply", ACallEndsOnceWithItsReply},
      {"AsynchronousCallsExpireAtAScan", AsynchronousCallsExpireAtAScan},
      {"SynchronousCallsExpireExactly", SynchronousCallsExpireExactly},
      {"AClosedChannelEndsItsCallsAtOnce", AClosedChannelEndsItsCallsAtOnce},
      {"CallsNeverEndInsideTheCall", CallsNeverEndInsideTheCall},
      {"TimeoutsRaceRepliesToOneEnd", TimeoutsRaceRepliesToOneEnd},
      {"RepliesRaceClosesToOneEnd", RepliesRaceClosesToOneEnd},
      {"AKeptResponderAnswersMuchLater", AKeptResponderAnswersMuchLater},
      {"ARequestIsAnsweredAtMostOnce", ARequestIsAnsweredAtMostOnce},
      {"OnewayRequestsAreNotAnswered", OnewayRequestsAreNotAnswered},
  };
}

}  // namespace groupsim::conformance
