// What Remoting keeps: channels, calls in flight, and what is still to be told.
#ifndef GROUPSIM_MODEL_RUNTIME_REMOTING_IMPL_H_
#define GROUPSIM_MODEL_RUNTIME_REMOTING_IMPL_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/runtime/env.h"
#include "model/runtime/ready_queue.h"
#include "model/runtime/remoting.h"
#include "model/runtime/scan_wheel.h"
#include "model/runtime/timer.h"
#include "model/runtime/transport.h"
#include "model/wire/command.h"

namespace groupsim {

// A call is in `calls_` under its opaque until it ends. Meanwhile it belongs to
// a channel (but for pre-5.1.3 clients whose channel got a FIN), whose end is
// its end, and has a limit: its own timer if synchronous, a place on the scan
// wheel if asynchronous.
//
// Replies are handed over in the turn of their frame. Everything else that is
// told goes through `untold_`, which the ready queue works off in the same
// turn: so no callback runs inside a call, and none can pull the rug from under
// a loop here.
class Remoting::Impl final : private ConnectionListener,
                             private TimerTarget,
                             private ReadyNode {
 public:
  Impl(Env& env, RemotingSettings settings, RequestHandler* handler,
       ChannelListener* listener, Remoting& remoting);
  ~Impl();

  void CallAsync(Name address, Request request, Duration timeout,
                 ReplyCallback done);
  void CallSync(CallAwaiter& awaiter);
  // The awaiter of this call is about to die.
  void GiveUp(uint32_t opaque);
  void SendOneway(Name address, Request request);
  // Resumes the awaiter when the channel is open or gone.
  void AwaitChannel(ConnectAwaiter& awaiter);
  // This awaiter is about to die.
  void GiveUp(ConnectAwaiter& awaiter);
  bool IsActive(Name address) const;
  Name AddressOf(ConnectionId id) const;
  void CloseChannel(Name address);

  void Listen(Name address);
  void StopListening();
  bool SendOneway(ConnectionId id, Request request);
  void CloseConnection(ConnectionId id);
  void Answer(ConnectionId id, uint32_t opaque, Reply reply);

  void Shutdown();

 private:
  struct Channel;

  // One call that has not ended, or whose end is untold.
  struct Call final : TimerTarget, internal::ScanWheel::Node {
    explicit Call(Impl& i) : impl(i) {}
    void OnTimer() override { impl.OnCallTimeout(*this); }
    bool is_sync() const { return awaiter != nullptr; }

    Impl& impl;
    uint32_t opaque = 0;
    Name address;
    Request request;  // Kept to be repeated.
    Instant start;
    Instant sent;
    bool is_sent = false;
    bool is_repeated = false;
    Duration timeout;
    CallError error = CallError::kNone;
    CallAwaiter* awaiter = nullptr;  // If synchronous,
    ReplyCallback done;              // else.
    TimerId timer = 0;
    Channel* channel = nullptr;
    Call* next = nullptr;  // On the channel, in the order of the calls.
    Call* previous = nullptr;
  };

  // One connection, as far as this process has to do with it.
  struct Channel final : TimerTarget {
    explicit Channel(Impl& i) : impl(i) {}
    void OnTimer() override { impl.OnChannelTimer(*this); }

    // A call, or if `opaque` is 0 a one-way request, that waits for the
    // channel.
    struct Waiting {
      uint32_t opaque = 0;
      Request request;
    };

    Impl& impl;
    ConnectionId id = 0;
    Name peer;  // The address, of a channel opened here.
    bool accepted = false;
    bool open = false;
    bool retired = false;  // Only for the calls that it still has.
    Instant last_used;
    TimerId timer = 0;  // Of connecting, then of being idle.
    Call* first = nullptr;
    Call* last = nullptr;
    std::vector<Waiting> waiting;  // Until it is open.
    std::vector<ConnectAwaiter*> awaiters;
  };

  // Something to tell: the end of `call`; else the end of an accepted
  // connection; else the end of a channel to `address`.
  struct Untold {
    Call* call = nullptr;
    ConnectionId connection = 0;
    Name address;
    CloseReason reason{};
  };

  void OnOpened(ConnectionId id) override;
  void OnAccepted(ConnectionId id, Name peer) override;
  void OnFrame(ConnectionId id, Frame frame) override;
  void OnClosed(ConnectionId id, CloseReason reason) override;
  void OnTimer() override;   // A scan is due.
  void RunReady() override;  // Tells what is untold.

  // The life of a call.
  Call& NewCall(Name address, Request request, Duration timeout);
  void Free(Call& call);
  // Ends the call at once if it may not be made; says whether it may.
  bool Admit(Call& call);
  // Puts the call under a fresh opaque and on the channel to its address.
  void Submit(Call& call);
  void Transmit(Call& call);
  // Tells those who wait for the channel that it is open, or will not be.
  void ResumeAwaiters(Channel& channel, bool connected);
  // Takes the call from table, channel, wheel and timer.
  void Detach(Call& call);
  void LeaveChannel(Call& call);
  void End(Call& call, CallError error);
  void OnReply(Call& call, Reply reply);
  // The server goes away: repeats the call on a new channel.
  void Repeat(Call& call);
  void OnCallTimeout(Call& call);

  // The life of a channel.
  Channel* Find(ConnectionId id);
  Channel& Add(ConnectionId id, Name peer);
  Channel& ChannelTo(Name address);
  void OnChannelTimer(Channel& channel);
  void SendFrame(Channel& channel, Frame frame);
  void CloseHere(Channel& channel, CloseReason reason, CallError error);
  // Forgets a channel that is over, ends its calls and says so.
  void Drop(Channel& channel, CloseReason reason, CallError error);
  void CloseIfRetired(Channel& channel);
  std::vector<ConnectionId> SortedIds(bool only_accepted) const;

  // Scans.
  int64_t LastScanAt(Instant now) const;
  void PutOnWheel(Call& call, Instant now);
  void ArmScan(int64_t scan);

  void Tell(Untold untold);

  Env& env_;
  const RemotingSettings settings_;
  RequestHandler* const handler_;
  ChannelListener* const listener_;
  Remoting& remoting_;
  const Instant first_scan_;
  bool shut_down_ = false;

  uint32_t last_opaque_ = 0;
  absl::flat_hash_map<uint32_t, Call*> calls_;  // By opaque.
  std::deque<Call> call_pool_;                  // Addresses stay valid.
  Call* free_calls_ = nullptr;

  absl::flat_hash_map<ConnectionId, std::unique_ptr<Channel>> channels_;
  absl::flat_hash_map<Name, Channel*> channel_to_;  // By address; opened here.
  std::vector<Name> listening_;

  internal::ScanWheel wheel_;
  TimerId scan_timer_ = 0;
  int64_t armed_scan_ = internal::ScanWheel::kNone;

  std::vector<Untold> untold_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_REMOTING_IMPL_H_
