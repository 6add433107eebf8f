#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/conformance/faulty.h"

namespace groupsim::conformance {
namespace {

class OpenedTwice final : public Faulty {
 public:
  using Faulty::Faulty;

 private:
  void TellOpened(ConnectionListener& to, ConnectionId id) override {
    to.OnOpened(id);
    if (Survives(&to)) After(Duration::Zero(), [&to, id] { to.OnOpened(id); });
  }
};

class NeverRefused final : public Faulty {
 public:
  using Faulty::Faulty;

 private:
  void TellClosed(ConnectionListener& to, ConnectionId id,
                  CloseReason reason) override {
    if (reason != CloseReason::kRefused) to.OnClosed(id, reason);
  }
};

class RefusedByNobody final : public Faulty {
 public:
  using Faulty::Faulty;
  ConnectionId Open(Name address, ConnectionListener* listener) override {
    const ConnectionId id = Faulty::Open(address, listener);
    if (Survives(listener)) {
      pending_.insert(id);
      After(20ms, [this, listener, id] {
        if (pending_.erase(id) == 0) return;
        listener->OnClosed(id, CloseReason::kRefused);
      });
    }
    return id;
  }
  void Close(ConnectionId id) override {
    pending_.erase(id);
    Faulty::Close(id);
  }

 private:
  void TellOpened(ConnectionListener& to, ConnectionId id) override {
    pending_.erase(id);
    to.OnOpened(id);
  }
  void TellClosed(ConnectionListener& to, ConnectionId id,
                  CloseReason reason) override {
    pending_.erase(id);
    to.OnClosed(id, reason);
  }

  std::set<ConnectionId> pending_;
};

// Keeps what is sent too early, and sends it when the connection is open.
class EarlyFramesKept final : public Faulty {
 public:
  using Faulty::Faulty;
  ConnectionId Open(Name address, ConnectionListener* listener) override {
    const ConnectionId id = Faulty::Open(address, listener);
    early_[id];
    return id;
  }
  void Send(ConnectionId id, Frame frame) override {
    const auto it = early_.find(id);
    if (it == early_.end()) {
      Faulty::Send(id, std::move(frame));
    } else {
      it->second.push_back(std::move(frame));
    }
  }

 private:
  void TellOpened(ConnectionListener& to, ConnectionId id) override {
    std::vector<Frame> frames = std::move(early_[id]);
    early_.erase(id);
    for (Frame& frame : frames) Faulty::Send(id, std::move(frame));
    to.OnOpened(id);
  }

  std::map<ConnectionId, std::vector<Frame>> early_;
};

// Of many frames sent at once on a connection, the fifth one is late.
class FramesOvertake final : public Faulty {
 public:
  using Faulty::Faulty;
  void Send(ConnectionId id, Frame frame) override {
    Burst& burst = bursts_[id];
    if (burst.at != Now()) burst = {Now(), 0};
    if (++burst.frames != 5) {
      Faulty::Send(id, std::move(frame));
      return;
    }
    After(1ms, [this, id, f = std::move(frame)]() mutable {
      Faulty::Send(id, std::move(f));
    });
  }

 private:
  struct Burst {
    Instant at;
    int frames = 0;
  };
  std::map<ConnectionId, Burst> bursts_;
};

class FramesGetLost final : public Faulty {
 public:
  using Faulty::Faulty;
  void Send(ConnectionId id, Frame frame) override {
    if (++sent_[id] % 200 != 0) Faulty::Send(id, std::move(frame));
  }

 private:
  std::map<ConnectionId, int> sent_;
};

// Sends a bit later, and forgets about it when the connection is closed.
class ClosesDropFrames final : public Faulty {
 public:
  using Faulty::Faulty;
  void Send(ConnectionId id, Frame frame) override {
    After(Duration::Zero(), [this, id, f = std::move(frame)]() mutable {
      Faulty::Send(id, std::move(f));
    });
  }
};

class ClosersAreTold final : public Faulty {
 public:
  using Faulty::Faulty;
  ConnectionId Open(Name address, ConnectionListener* listener) override {
    const ConnectionId id = Faulty::Open(address, listener);
    listeners_[id] = listener;
    return id;
  }
  void Close(ConnectionId id) override {
    Faulty::Close(id);
    const auto it = listeners_.find(id);
    if (it == listeners_.end() || !Survives(it->second)) return;
    After(Duration::Zero(), [listener = it->second, id] {
      listener->OnClosed(id, CloseReason::kLocal);
    });
  }

 private:
  std::map<ConnectionId, ConnectionListener*> listeners_;
};

class ClosersAreToldAtOnce final : public Faulty {
 public:
  using Faulty::Faulty;
  ConnectionId Open(Name address, ConnectionListener* listener) override {
    const ConnectionId id = Faulty::Open(address, listener);
    listeners_[id] = listener;
    return id;
  }
  void Close(ConnectionId id) override {
    Faulty::Close(id);
    const auto it = listeners_.find(id);
    if (it == listeners_.end() || !Survives(it->second)) return;
    ConnectionListener* listener = it->second;
    listeners_.erase(it);
    listener->OnClosed(id, CloseReason::kLocal);
  }

 private:
  std::map<ConnectionId, ConnectionListener*> listeners_;
};

class UntoldCloses final : public Faulty {
 public:
  UntoldCloses(Env& inner, const bool& crashed)
      : Faulty(inner), crashed_(crashed) {}

 private:
  void TellClosed(ConnectionListener& to, ConnectionId id,
                  CloseReason reason) override {
    if (reason != CloseReason::kRemote || crashed_) to.OnClosed(id, reason);
  }

  const bool& crashed_;
};

class UntoldResets final : public Faulty {
 public:
  using Faulty::Faulty;

 private:
  void TellClosed(ConnectionListener& to, ConnectionId id,
                  CloseReason reason) override {
    if (reason != CloseReason::kReset) to.OnClosed(id, reason);
  }
};

class ListensForEver final : public Faulty {
 public:
  using Faulty::Faulty;
  void StopListening(Name) override {}
};

}  // namespace

std::vector<Fault> TransportFaults() {
  return {
      {.name = "OpenedTwice",
       .breaks = "ConnectionsOpenOnceOnBothSides",
       .seams = Seams<OpenedTwice>()},
      {.name = "NeverRefused",
       .breaks = "ConnectingWhereNobodyListensIsRefused",
       .seams = Seams<NeverRefused>()},
      {.name = "RefusedByNobody",
       .breaks = "ConnectingToNoHostHangs",
       .seams = Seams<RefusedByNobody>()},
      {.name = "EarlyFramesKept",
       .breaks = "NothingIsSentBeforeAConnectionIsOpen",
       .seams = Seams<EarlyFramesKept>()},
      {.name = "FramesOvertake",
       .breaks = "FramesArriveInOrder",
       .seams = Seams<FramesOvertake>()},
      {.name = "FramesGetLost",
       .breaks = "FramesArriveOnceAndWhole",
       .seams = Seams<FramesGetLost>()},
      {.name = "ClosesDropFrames",
       .breaks = "WhatWasSentBeforeACloseArrives",
       .seams = Seams<ClosesDropFrames>()},
      {.name = "ClosersAreTold",
       .breaks = "WhoeverClosesHearsNothingMore",
       .seams = Seams<ClosersAreTold>()},
      {.name = "UntoldCloses",
       .breaks = "ThePeerHearsOfAClose",
       .seams =
           [](Env& inner, const bool& crashed) {
             return std::make_unique<UntoldCloses>(inner, crashed);
           }},
      {.name = "CrashesTellNobody",
       .breaks = "ACrashClosesConnections",
       .vanishes_instead_of_crashing = true},
      {.name = "VanishingHostsSayGoodbye",
       .breaks = "AHostThatVanishesTellsNobody",
       .crashes_instead_of_vanishing = true},
      {.name = "UntoldResets",
       .breaks = "AHostThatIsBackResetsOldConnections",
       .seams = Seams<UntoldResets>()},
      {.name = "ListensForEver",
       .breaks = "WhoeverStopsListeningAcceptsNobody",
       .seams = Seams<ListensForEver>()},
      {.name = "ClosersAreToldAtOnce",
       .breaks = "TheTransportDoesNotCallBack",
       .seams = Seams<ClosersAreToldAtOnce>()},
  };
}

}  // namespace groupsim::conformance
