#include "tests/support/loop_runtime/loop_network.h"

#include <algorithm>
#include <utility>

#include "model/base/check.h"

namespace groupsim {

LoopTransport::LoopTransport(LoopNetwork& network, Name host,
                             std::vector<Name> addresses)
    : network_(network), host_(host), addresses_(std::move(addresses)) {}

void LoopTransport::Listen(Name address, ConnectionListener* listener) {
  CHECK(network_.HostOf(address) == this) << address << " is of another host";
  CHECK(listeners_.emplace(address.id(), listener).second) << address;
}

void LoopTransport::StopListening(Name address) {
  listeners_.erase(address.id());
}

ConnectionId LoopTransport::Open(Name address, ConnectionListener* listener) {
  const size_t number = network_.connections_.size();
  LoopNetwork::Connection& connection = network_.connections_.emplace_back();
  connection.address = address;
  connection.ends[0] = {LoopNetwork::State::kConnecting, this, listener};
  network_.Later([this, number] { network_.Open(number); });
  return LoopNetwork::IdOf(number, 0);
}

void LoopTransport::Send(ConnectionId id, Frame frame) {
  LoopNetwork::End* end = network_.Find(id, *this);
  if (end == nullptr || end->state != LoopNetwork::State::kOpen) return;
  network_.Later([this, id, f = std::move(frame)]() mutable {
    network_.Deliver(id ^ 1, std::move(f));
  });
}

void LoopTransport::Close(ConnectionId id) {
  LoopNetwork::End* end = network_.Find(id, *this);
  if (end == nullptr) return;
  end->state = LoopNetwork::State::kEnded;
  network_.Later([this, id] { network_.Finish(id ^ 1, CloseReason::kRemote); });
}

void LoopTransport::CloseAll() {
  listeners_.clear();
  for (size_t i = 0; i < network_.connections_.size(); ++i) {
    Close(LoopNetwork::IdOf(i, 0));
    Close(LoopNetwork::IdOf(i, 1));
  }
}

void LoopTransport::GoDark() {
  up_ = false;
  listeners_.clear();
  for (LoopNetwork::Connection& connection : network_.connections_) {
    for (LoopNetwork::End& end : connection.ends) {
      if (end.host == this && (end.state == LoopNetwork::State::kConnecting ||
                               end.state == LoopNetwork::State::kOpen))
        end.state = LoopNetwork::State::kSilent;
    }
  }
}

LoopTransport& LoopNetwork::AddHost(Name host, std::vector<Name> addresses) {
  return hosts_.emplace_back(*this, host, std::move(addresses));
}

LoopNetwork::End* LoopNetwork::Find(ConnectionId id,
                                    const LoopTransport& host) {
  const size_t number = (id >> 1) - 1;
  if (id < 2 || number >= connections_.size()) return nullptr;
  End& end = connections_[number].ends[id & 1];
  const bool live =
      end.state == State::kConnecting || end.state == State::kOpen;
  return live && end.host == &host ? &end : nullptr;
}

LoopTransport* LoopNetwork::HostOf(Name address) {
  for (LoopTransport& host : hosts_) {
    if (std::find(host.addresses_.begin(), host.addresses_.end(), address) !=
        host.addresses_.end())
      return &host;
  }
  return nullptr;
}

// The wish to connect arrived.
void LoopNetwork::Open(size_t number) {
  Connection& connection = connections_[number];
  LoopTransport* target = HostOf(connection.address);
  if (target == nullptr || !target->up_) return;  // Nobody answers.
  const auto it = target->listeners_.find(connection.address.id());
  if (it == target->listeners_.end()) {
    Later([this, number] { Finish(IdOf(number, 0), CloseReason::kRefused); });
    return;
  }
  connection.ends[1] = {State::kOpen, target, it->second};
  Later([this, number] {
    End& opener = connections_[number].ends[0];
    if (opener.state != State::kConnecting) return;
    opener.state = State::kOpen;
    opener.listener->OnOpened(IdOf(number, 0));
  });
  it->second->OnAccepted(IdOf(number, 1), connection.ends[0].host->host_);
}

void LoopNetwork::Deliver(ConnectionId to, Frame frame) {
  End& end = connections_[(to >> 1) - 1].ends[to & 1];
  if (end.state == State::kOpen) {
    end.listener->OnFrame(to, std::move(frame));
  } else if (end.state == State::kSilent && end.host->up_) {
    Later([this, to] { Finish(to ^ 1, CloseReason::kReset); });
  }
}

void LoopNetwork::Finish(ConnectionId id, CloseReason reason) {
  End& end = connections_[(id >> 1) - 1].ends[id & 1];
  if (end.state != State::kConnecting && end.state != State::kOpen) return;
  end.state = State::kEnded;
  end.listener->OnClosed(id, reason);
}

}  // namespace groupsim
