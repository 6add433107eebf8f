#include <map>
#include <utility>
#include <vector>

#include "tests/conformance/faulty.h"

namespace groupsim::conformance {
namespace {

// Tells of a reply once more, or for the first time, after calls that ended
// like this.
auto TellAgain(CallError error) {
  return [error](CallResult result, const Fault::Done& done,
                 const Fault::Later& later) {
    const bool again = result.error == error;
    CallResult reply;
    reply.reply = result.reply;
    done(std::move(result));
    if (again) later(1ms, [done, reply] { done(reply); });
  };
}

// Tells late of calls that ended like this.
auto TellLate(CallError error) {
  return [error](CallResult result, const Fault::Done& done,
                 const Fault::Later& later) {
    if (result.error == error) {
      later(20ms, [done, result] { done(result); });
    } else {
      done(std::move(result));
    }
  };
}

// Sends every reply twice.
class RepliesComeTwice final : public Faulty {
 public:
  using Faulty::Faulty;
  void Send(ConnectionId id, Frame frame) override {
    if (frame.kind == Frame::Kind::kReply) Faulty::Send(id, frame);
    Faulty::Send(id, std::move(frame));
  }
};

// Forgets requests after a while, so that their answers go nowhere.
class ImpatientForAnswers final : public Faulty {
 public:
  using Faulty::Faulty;
  void Send(ConnectionId id, Frame frame) override {
    if (frame.kind == Frame::Kind::kReply &&
        Now() - asked_[{id, frame.opaque}] > 300ms)
      return;
    Faulty::Send(id, std::move(frame));
  }

 private:
  void TellFrame(ConnectionListener& to, ConnectionId id,
                 Frame frame) override {
    asked_[{id, frame.opaque}] = Now();
    to.OnFrame(id, std::move(frame));
  }

  std::map<std::pair<ConnectionId, uint32_t>, Instant> asked_;
};

class OnewaysLookLikeRequests final : public Faulty {
 public:
  using Faulty::Faulty;

 private:
  void TellFrame(ConnectionListener& to, ConnectionId id,
                 Frame frame) override {
    if (frame.kind == Frame::Kind::kOneway && !Survives(&to))
      frame.kind = Frame::Kind::kRequest;
    to.OnFrame(id, std::move(frame));
  }
};

}  // namespace

std::vector<Fault> RemotingFaults() {
  return {
      {.name = "RepliesAreToldTwice",
       .breaks = "ACallEndsOnceWithItsReply",
       .tell = TellAgain(CallError::kNone)},
      {.name = "TimeoutsAreToldLate",
       .breaks = "AsynchronousCallsExpireAtAScan",
       .tell = TellLate(CallError::kTimeout)},
      {.name = "SynchronousTimeoutsAreLate",
       .breaks = "SynchronousCallsExpireExactly",
       .timeout_is_late_by = 20ms},
      {.name = "ClosesAreToldLate",
       .breaks = "AClosedChannelEndsItsCallsAtOnce",
       .tell = TellLate(CallError::kClosed)},
      {.name = "HopelessCallsEndInside",
       .breaks = "CallsNeverEndInsideTheCall",
       .fails_inside =
           [](Name address) { return address.text() == "nowhere:1"; }},
      {.name = "RepliesAreToldAfterTimeouts",
       .breaks = "TimeoutsRaceRepliesToOneEnd",
       .tell = TellAgain(CallError::kTimeout)},
      {.name = "RepliesAreToldAfterCloses",
       .breaks = "RepliesRaceClosesToOneEnd",
       .tell = TellAgain(CallError::kClosed)},
      {.name = "ImpatientForAnswers",
       .breaks = "AKeptResponderAnswersMuchLater",
       .seams = Seams<ImpatientForAnswers>()},
      {.name = "RepliesComeTwice",
       .breaks = "ARequestIsAnsweredAtMostOnce",
       .seams = Seams<RepliesComeTwice>()},
      {.name = "OnewaysLookLikeRequests",
       .breaks = "OnewayRequestsAreNotAnswered",
       .seams = Seams<OnewaysLookLikeRequests>()},
  };
}

}  // namespace groupsim::conformance
