// A listener that writes down what it is told.
#ifndef GROUPSIM_TESTS_SIM_NETWORK_RECORDER_H_
#define GROUPSIM_TESTS_SIM_NETWORK_RECORDER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/name.h"
#include "model/facts/causes.h"
#include "model/runtime/transport.h"
#include "sim/engine/engine.h"

namespace groupsim {

// One line per call, with the virtual time in microseconds: "250 accepted a",
// "500 opened", "750 frame 3", "900 closed by the peer".
class Recorder final : public ConnectionListener {
 public:
  explicit Recorder(const Engine& engine) : engine_(engine) {}

  void OnOpened(ConnectionId id) override {
    Note(id, "opened");
    if (on_opened) on_opened(id);
  }
  void OnAccepted(ConnectionId id, Name peer) override {
    Note(id, absl::StrCat("accepted ", peer.text()));
    if (on_accepted) on_accepted(id);
  }
  void OnFrame(ConnectionId id, Frame frame) override {
    Note(id, absl::StrCat("frame ", frame.opaque));
    if (on_frame) on_frame(id, frame);
  }
  void OnClosed(ConnectionId id, CloseReason reason) override {
    Note(id, absl::StrCat("closed ", NameOf(reason)));
    if (on_closed) on_closed(id);
  }

  // The connection of the last call.
  ConnectionId last = 0;
  std::vector<std::string> lines;

  std::function<void(ConnectionId)> on_opened;
  std::function<void(ConnectionId)> on_accepted;
  std::function<void(ConnectionId, const Frame&)> on_frame;
  std::function<void(ConnectionId)> on_closed;

 private:
  void Note(ConnectionId id, const std::string& what) {
    last = id;
    lines.push_back(
        absl::StrCat(engine_.now().since_start().micros(), " ", what));
  }

  const Engine& engine_;
};

// A frame to tell from others.
inline Frame FrameNumber(uint32_t number) {
  Frame frame;
  frame.kind = Frame::Kind::kOneway;
  frame.opaque = number;
  return frame;
}

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SIM_NETWORK_RECORDER_H_
