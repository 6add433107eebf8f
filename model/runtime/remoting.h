// Requests and replies between processes, as RocketMQ's remoting does them
// (NettyRemotingClient and NettyRemotingServer, 5.3.3), on top of a Transport.
//
// As a client: one channel per address, opened on demand and shared by all
// users of the process. As a server: answers requests that arrive on
// connections it accepted, at once or later. Both sides may send requests on
// an open connection.
#ifndef GROUPSIM_MODEL_RUNTIME_REMOTING_H_
#define GROUPSIM_MODEL_RUNTIME_REMOTING_H_

#include <coroutine>
#include <cstdint>
#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/runtime/env.h"
#include "model/runtime/ready_queue.h"
#include "model/runtime/transport.h"
#include "model/wire/command.h"

namespace groupsim {

// Why a call had no reply.
enum class CallError : int8_t {
  kNone = 0,
  kTimeout = 1,         // No reply in time (RemotingTimeoutException).
  kClosed = 2,          // The channel ended meanwhile
                        // (RemotingSendRequestException).
  kConnectFailed = 3,   // No channel could be opened
                        // (RemotingConnectException).
  kTooManyRequests = 4  // All permits are taken
                        // (RemotingTooMuchRequestException).
};
absl::string_view NameOf(CallError error);

// How a call ended: a reply, or an error.
struct CallResult {
  CallError error = CallError::kNone;
  Reply reply;  // Only with kNone.

  // A reply came, and it says SUCCESS.
  bool ok() const { return error == CallError::kNone && reply.ok(); }
  bool replied() const { return error == CallError::kNone; }
};
using ReplyCallback = absl::AnyInvocable<void(CallResult)>;

// Constants of the remoting layer (NettyClientConfig, NettySystemConfig).
struct RemotingSettings {
  Duration connect_timeout = 3s;
  // A connection without reading and writing for so long is closed
  // (clientChannelMaxIdleTimeSeconds, serverChannelMaxIdleTimeSeconds).
  Duration channel_max_idle = 120s;
  // Whether a synchronous call that times out closes its channel, provided more
  // than `close_min_left`, or more than a quarter of the time-out, was left for
  // the reply (closeSocketIfTimeout; the proviso since 5.1.4).
  bool close_channel_if_timeout = true;
  Duration close_min_left = 100ms;
  // Asynchronous calls expire at the first scan that is `scan_grace` past their
  // time-out; scans at first_scan, first_scan + scan_period, … after the start.
  Duration first_scan = 3s;
  Duration scan_period = 1s;
  Duration scan_grace = 1s;
  // Whether the peer's FIN fails the calls in flight (since 5.1.3).
  bool fin_fails_pending = true;
  // Whether a call that is answered GO_AWAY is repeated once on a new channel
  // (in full since 5.3.2); else that is its answer.
  bool repeats_after_go_away = true;
  int max_in_flight = 65'535;  // Synchronous and asynchronous calls together.
};

class Remoting;

// The right to answer one request, once, now or later. Destroying it answers
// nothing; answering after the connection ended does nothing.
class Responder {
 public:
  Responder() = default;
  Responder(Responder&& other) noexcept;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder() = default;

  void Answer(Reply reply);

  // The connection that the request came on.
  ConnectionId connection() const { return connection_; }
  // Whether an answer is expected: false for one-way requests, after Answer,
  // and in a default one.
  bool expected() const { return remoting_ != nullptr; }

 private:
  friend class Remoting;
  Responder(Remoting* remoting, ConnectionId connection, uint32_t opaque)
      : remoting_(remoting), connection_(connection), opaque_(opaque) {}

  Remoting* remoting_ = nullptr;
  ConnectionId connection_ = 0;
  uint32_t opaque_ = 0;
};

// Answers requests of the other side.
class RequestHandler {
 public:
  // `responder.expected()` is false for one-way requests; its connection() is
  // set all the same.
  virtual void OnRequest(Request request, Responder responder) = 0;

 protected:
  ~RequestHandler() = default;
};

// Told about channels and connections; each call is a turn of its own or comes
// at the end of one, never from inside a call to Remoting.
class ChannelListener {
 public:
  // A channel that this process opened to `address` is established.
  virtual void OnChannelActive(Name address) { (void)address; }
  // Such a channel ended, or could not be opened.
  virtual void OnChannelClosed(Name address, CloseReason reason) {
    (void)address;
    (void)reason;
  }
  // A connection that this process accepted ended; also when it was closed
  // here by CloseConnection or for being idle.
  virtual void OnConnectionClosed(ConnectionId id, CloseReason reason) {
    (void)id;
    (void)reason;
  }

 protected:
  ~ChannelListener() = default;
};

class Remoting {
 public:
  // `handler` and `listener` may be null where nothing of the kind is expected.
  Remoting(Env& env, RemotingSettings settings, RequestHandler* handler,
           ChannelListener* listener);
  ~Remoting();
  Remoting(const Remoting&) = delete;
  Remoting& operator=(const Remoting&) = delete;

  // ---- Client side ----

  // Sends `request` to `address` and calls `done` once, in a later turn or
  // later in this one: with the reply, or with the error. Connecting does not
  // block the caller and counts into `timeout`; expiry is on the scan grid
  // (invokeAsync, 5.3.0 and later).
  void CallAsync(Name address, Request request, Duration timeout,
                 ReplyCallback done);

  // `co_await remoting.Call(address, request, 3s)`: waits for the reply or an
  // error, at most exactly `timeout`, connecting included (invokeSync).
  class CallAwaiter;
  CallAwaiter Call(Name address, Request request, Duration timeout);

  // Sends without expecting a reply; lost if there is no channel in time
  // (invokeOneway).
  void SendOneway(Name address, Request request);

  // `co_await remoting.Connect(address)`: opens a channel unless there is one,
  // and waits until it is established or could not be (getAndCreateChannel
  // before 5.3.0). Says whether it is.
  class ConnectAwaiter;
  ConnectAwaiter Connect(Name address);

  // Whether a channel to `address` is established.
  bool IsActive(Name address) const;
  // The address that this process opened the connection to; empty if it
  // accepted it, or if it is gone.
  Name AddressOf(ConnectionId connection) const;
  // Closes the channel to `address`, if there is one; its calls end in kClosed.
  void CloseChannel(Name address);

  // ---- Server side ----

  // Accepts connections at `address` from now on.
  void Listen(Name address);
  // Stops accepting and closes every accepted connection.
  void StopListening();
  // Sends a request to whoever is behind an accepted connection. False if the
  // connection is gone.
  bool SendOneway(ConnectionId connection, Request request);
  // Closes an accepted connection.
  void CloseConnection(ConnectionId connection);

  // Closes all channels and connections; every call in flight ends in kClosed.
  // Nothing can be sent or called afterwards.
  void Shutdown();

 private:
  friend class Responder;
  class Impl;
  void Answer(ConnectionId connection, uint32_t opaque, Reply reply);

  std::unique_ptr<Impl> impl_;
};

// What a task awaits for a synchronous call. Destroying it while it waits
// gives the call up: its reply is ignored.
class Remoting::CallAwaiter {
 public:
  ~CallAwaiter();
  CallAwaiter(const CallAwaiter&) = delete;
  CallAwaiter& operator=(const CallAwaiter&) = delete;

  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> waiter);
  CallResult await_resume();

 private:
  friend class Remoting;
  friend class Remoting::Impl;
  CallAwaiter(Impl& impl, Name address, Request request, Duration timeout);

  Impl& impl_;
  const Name address_;
  Request request_;
  const Duration timeout_;
  uint32_t opaque_ = 0;  // While it waits.
  CallResult result_;
  ReadyResumption resumption_;
};

// What a task awaits for a channel. Destroying it while it waits leaves the
// channel alone.
class Remoting::ConnectAwaiter {
 public:
  ~ConnectAwaiter();
  ConnectAwaiter(const ConnectAwaiter&) = delete;
  ConnectAwaiter& operator=(const ConnectAwaiter&) = delete;

  bool await_ready();
  void await_suspend(std::coroutine_handle<> waiter);
  bool await_resume();

 private:
  friend class Remoting;
  friend class Remoting::Impl;
  ConnectAwaiter(Impl& impl, Name address) : impl_(impl), address_(address) {}

  Impl& impl_;
  const Name address_;
  ConnectionId connection_ = 0;  // While it waits.
  bool connected_ = false;
  ReadyResumption resumption_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_REMOTING_H_
