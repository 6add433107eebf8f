// A process's connections as a test sees them, without Remoting.
#ifndef GROUPSIM_TESTS_CONFORMANCE_WIRE_PROBE_H_
#define GROUPSIM_TESTS_CONFORMANCE_WIRE_PROBE_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/runtime/env.h"
#include "model/runtime/transport.h"
#include "tests/conformance/stage.h"

namespace groupsim::conformance {

// Writes down what happens to connections.
class WireProbe final : public ConnectionListener, public Probe {
 public:
  explicit WireProbe(Env& env) : env_(env) {}

  void OnOpened(ConnectionId id) override {
    log.push_back("opened");
    opened.push_back(id);
  }
  void OnAccepted(ConnectionId id, Name peer) override {
    log.push_back(absl::StrCat("accepted ", peer.text()));
    accepted.push_back(id);
  }
  void OnFrame(ConnectionId, Frame frame) override {
    log.push_back("frame");
    frames.push_back(std::move(frame));
  }
  void OnClosed(ConnectionId, CloseReason reason) override {
    log.push_back(absl::StrCat("ended: ", NameOf(reason)));
    ends.push_back(reason);
  }

  ConnectionId Open(absl::string_view address) {
    return env_.transport().Open(env_.names().Intern(address), this);
  }
  void Listen(absl::string_view address) {
    env_.transport().Listen(env_.names().Intern(address), this);
  }
  // Sends a frame with that number.
  void Send(ConnectionId id, uint32_t number,
            Frame::Kind kind = Frame::Kind::kOneway) {
    Frame frame;
    frame.kind = kind;
    frame.opaque = number;
    GetMaxOffsetRequest request;
    request.queue.queue_id = static_cast<int32_t>(number);
    frame.content = Request(request);
    env_.transport().Send(id, std::move(frame));
  }

  std::vector<std::string> log;
  std::vector<ConnectionId> opened;
  std::vector<ConnectionId> accepted;
  std::vector<Frame> frames;
  std::vector<CloseReason> ends;

 private:
  Env& env_;
};

}  // namespace groupsim::conformance

#endif  // GROUPSIM_TESTS_CONFORMANCE_WIRE_PROBE_H_
