// The seam to the network: connections that carry frames in order.
//
// Remoting is built on it; roles do not use it directly.
#ifndef GROUPSIM_MODEL_RUNTIME_TRANSPORT_H_
#define GROUPSIM_MODEL_RUNTIME_TRANSPORT_H_

#include <cstdint>
#include <variant>

#include "model/base/name.h"
#include "model/facts/causes.h"
#include "model/wire/command.h"

namespace groupsim {

// One end of a connection, unique among all ends that a process ever had;
// 0 for none.
using ConnectionId = uint64_t;

// One unit on a connection. Opaque pairs a reply with its request; a one-way
// request expects no reply.
struct Frame {
  enum class Kind : uint8_t { kRequest, kOneway, kReply };
  Kind kind = Kind::kRequest;
  uint32_t opaque = 0;
  std::variant<Request, Reply> content;
};

// What happens to connections. Each call is a turn of its own, never made from
// inside a call to the Transport.
class ConnectionListener {
 public:
  // A connection that this side asked for is established.
  virtual void OnOpened(ConnectionId id) = 0;
  // Somebody connected to an address that this side listens at.
  virtual void OnAccepted(ConnectionId id, Name peer) = 0;
  // The next frame of the peer arrived.
  virtual void OnFrame(ConnectionId id, Frame frame) = 0;
  // The connection ended: refused, not established in time, closed by the peer,
  // reset, or given up since nothing was acknowledged. Not called for
  // connections that this side closed.
  virtual void OnClosed(ConnectionId id, CloseReason reason) = 0;

 protected:
  ~ConnectionListener() = default;
};

// The transport of one process. Frames of one direction of a connection arrive
// in the order sent or not at all; after a close everything sent before it
// still arrives, unless the connection is reset or the peer is gone.
class Transport {
 public:
  virtual ~Transport() = default;

  // Accepts connections at `address` from now on. One listener per address.
  virtual void Listen(Name address, ConnectionListener* listener) = 0;
  // Stops accepting; existing connections stay.
  virtual void StopListening(Name address) = 0;

  // Begins to connect. Ends in OnOpened, in OnClosed with kRefused or kTimeout,
  // or hangs for ever: the caller sets the limit and gives up with Close.
  virtual ConnectionId Open(Name address, ConnectionListener* listener) = 0;

  // Hands a frame over; it may be lost without notice where the peer is gone.
  // Frames sent before OnOpened, or on a connection that ended, are dropped.
  virtual void Send(ConnectionId id, Frame frame) = 0;

  // Closes this end (FIN). Nothing is reported for it to this side afterwards.
  virtual void Close(ConnectionId id) = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_TRANSPORT_H_
