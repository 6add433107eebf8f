#include "model/runtime/remoting_impl.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/check.h"

namespace groupsim {
namespace {

int64_t FloorDivide(Duration a, Duration b) {
  const int64_t quotient = a / b;
  return a < Duration::Zero() && a % b != Duration::Zero() ? quotient - 1
                                                           : quotient;
}

}  // namespace

Remoting::Impl::Impl(Env& env, RemotingSettings settings,
                     RequestHandler* handler, ChannelListener* listener,
                     Remoting& remoting)
    : env_(env),
      settings_(settings),
      handler_(handler),
      listener_(listener),
      remoting_(remoting),
      first_scan_(env.Now() + settings.first_scan) {
  CHECK(settings.scan_period > Duration::Zero());
  CHECK(settings.scan_grace >= Duration::Zero());
  CHECK(settings.connect_timeout > Duration::Zero());
  CHECK(settings.channel_max_idle > Duration::Zero());
}

Remoting::Impl::~Impl() {
  if (scan_timer_ != 0) env_.timers().Disarm(scan_timer_);
  // lint: allow(nobody sees in which order calls are forgotten)
  for (auto& [opaque, call] : calls_) {
    if (call->timer != 0) env_.timers().Disarm(call->timer);
    if (call->awaiter != nullptr) call->awaiter->opaque_ = 0;
  }
  for (Name address : listening_) env_.transport().StopListening(address);
  for (ConnectionId id : SortedIds(/*only_accepted=*/false)) {
    Channel* channel = Find(id);
    if (channel->timer != 0) env_.timers().Disarm(channel->timer);
    for (ConnectAwaiter* awaiter : channel->awaiters) awaiter->connection_ = 0;
    env_.transport().Close(id);
  }
}

// ---- Calls ----

Remoting::Impl::Call& Remoting::Impl::NewCall(Name address, Request request,
                                              Duration timeout) {
  Call* call = free_calls_;
  if (call == nullptr) {
    call = &call_pool_.emplace_back(*this);
  } else {
    free_calls_ = call->next;
    call->next = nullptr;
  }
  call->address = address;
  call->request = std::move(request);
  call->start = env_.Now();
  call->timeout = timeout;
  return *call;
}

void Remoting::Impl::Free(Call& call) {
  call.request = Request();  // Lets go of what it shares.
  call.done = nullptr;
  call.awaiter = nullptr;
  call.opaque = 0;
  call.is_sent = call.is_repeated = false;
  call.error = CallError::kNone;
  call.next = free_calls_;
  free_calls_ = &call;
}

bool Remoting::Impl::Admit(Call& call) {
  if (shut_down_) {
    End(call, CallError::kClosed);
    return false;
  }
  if (calls_.size() >= static_cast<size_t>(settings_.max_in_flight)) {
    End(call, CallError::kTooManyRequests);
    return false;
  }
  return true;
}

void Remoting::Impl::CallAsync(Name address, Request request, Duration timeout,
                               ReplyCallback done) {
  CHECK(done != nullptr);
  Call& call = NewCall(address, std::move(request), timeout);
  call.done = std::move(done);
  if (Admit(call)) Submit(call);
}

void Remoting::Impl::CallSync(CallAwaiter& awaiter) {
  Call& call =
      NewCall(awaiter.address_, std::move(awaiter.request_), awaiter.timeout_);
  call.awaiter = &awaiter;
  if (!Admit(call)) return;
  Submit(call);
  // After the limit of connecting, which therefore comes first if they are
  // equal: upstream tells a connect that took too long from a lacking reply.
  call.timer = env_.timers().Arm(call.start + call.timeout, &call);
}

void Remoting::Impl::GiveUp(uint32_t opaque) {
  Call& call = *calls_.at(opaque);
  Detach(call);
  Free(call);
}

void Remoting::Impl::Submit(Call& call) {
  do {
    ++last_opaque_;
  } while (last_opaque_ == 0 ||
           !calls_.try_emplace(last_opaque_, &call).second);
  call.opaque = last_opaque_;
  if (call.is_sync()) call.awaiter->opaque_ = call.opaque;

  Channel& channel = ChannelTo(call.address);
  call.channel = &channel;
  call.next = nullptr;
  call.previous = channel.last;
  (channel.last == nullptr ? channel.first : channel.last->next) = &call;
  channel.last = &call;
  if (channel.open) {
    Transmit(call);
  } else {
    channel.waiting.push_back({call.opaque, Request()});
  }
}

void Remoting::Impl::Transmit(Call& call) {
  call.sent = env_.Now();
  call.is_sent = true;
  if (!call.is_sync()) {
    if (call.sent - call.start > call.timeout) {
      End(call, CallError::kTimeout);
      return;
    }
    PutOnWheel(call, call.sent);
  }
  Frame frame;
  frame.kind = Frame::Kind::kRequest;
  frame.opaque = call.opaque;
  frame.content = call.request;
  SendFrame(*call.channel, std::move(frame));
}

void Remoting::Impl::Detach(Call& call) {
  if (call.opaque != 0) calls_.erase(call.opaque);
  internal::ScanWheel::Remove(call);
  if (call.timer != 0) env_.timers().Disarm(call.timer);
  call.timer = 0;
  LeaveChannel(call);
}

void Remoting::Impl::LeaveChannel(Call& call) {
  Channel* channel = std::exchange(call.channel, nullptr);
  if (channel == nullptr) return;
  (call.previous == nullptr ? channel->first : call.previous->next) = call.next;
  (call.next == nullptr ? channel->last : call.next->previous) = call.previous;
  call.next = call.previous = nullptr;
  CloseIfRetired(*channel);
}

void Remoting::Impl::End(Call& call, CallError error) {
  Detach(call);
  if (call.is_sync()) {
    call.awaiter->opaque_ = 0;
    call.awaiter->result_.error = error;
    env_.ready().Post(call.awaiter->resumption_);
    Free(call);
    return;
  }
  call.error = error;
  Untold untold;
  untold.call = &call;
  Tell(untold);
}

void Remoting::Impl::OnReply(Call& call, Reply reply) {
  if (reply.code == ResponseCode::kGoAway && settings_.repeats_after_go_away) {
    Repeat(call);
    return;
  }
  Detach(call);
  if (call.is_sync()) {
    call.awaiter->opaque_ = 0;
    call.awaiter->result_.reply = std::move(reply);
    env_.ready().Post(call.awaiter->resumption_);
    Free(call);
    return;
  }
  ReplyCallback done = std::move(call.done);
  Free(call);
  CallResult result;
  result.reply = std::move(reply);
  done(std::move(result));
}

void Remoting::Impl::Repeat(Call& call) {
  if (call.is_repeated) {
    End(call, CallError::kClosed);
    return;
  }
  call.is_repeated = true;
  // The first call that is sent away makes room for a new channel. The old one
  // stays for what else is under way on it.
  Channel& old = *call.channel;
  if (!old.retired) {
    old.retired = true;
    channel_to_.erase(old.peer);
  }
  calls_.erase(call.opaque);
  internal::ScanWheel::Remove(call);
  LeaveChannel(call);
  call.is_sent = false;
  Submit(call);
}

void Remoting::Impl::OnCallTimeout(Call& call) {
  call.timer = 0;
  Channel* channel = call.channel;
  bool close = false;
  if (channel != nullptr && call.is_sent &&
      settings_.close_channel_if_timeout) {
    const Duration left = call.timeout - (call.sent - call.start);
    close = left > settings_.close_min_left || left > call.timeout / 4;
  }
  // First the channel, for it ends with this call if it is retired.
  const ConnectionId id = channel == nullptr ? 0 : channel->id;
  End(call, CallError::kTimeout);
  channel = close ? Find(id) : nullptr;
  if (channel != nullptr)
    CloseHere(*channel, CloseReason::kLocal, CallError::kClosed);
}

// ---- Channels ----

Remoting::Impl::Channel* Remoting::Impl::Find(ConnectionId id) {
  const auto it = channels_.find(id);
  return it == channels_.end() ? nullptr : it->second.get();
}

Remoting::Impl::Channel& Remoting::Impl::Add(ConnectionId id, Name peer) {
  CHECK(id != 0);
  auto [it, is_new] = channels_.try_emplace(id);
  CHECK(is_new) << "connection " << id << " twice";
  it->second = std::make_unique<Channel>(*this);
  Channel& channel = *it->second;
  channel.id = id;
  channel.peer = peer;
  channel.last_used = env_.Now();
  return channel;
}

Remoting::Impl::Channel& Remoting::Impl::ChannelTo(Name address) {
  const auto it = channel_to_.find(address);
  if (it != channel_to_.end()) return *it->second;
  Channel& channel = Add(env_.transport().Open(address, this), address);
  channel_to_[address] = &channel;
  channel.timer = env_.timers().Arm(
      channel.last_used + settings_.connect_timeout, &channel);
  return channel;
}

void Remoting::Impl::OnOpened(ConnectionId id) {
  Channel* channel = Find(id);
  if (channel == nullptr) return;
  channel->open = true;
  channel->last_used = env_.Now();
  env_.timers().Disarm(channel->timer);
  channel->timer = env_.timers().Arm(
      channel->last_used + settings_.channel_max_idle, channel);
  for (Channel::Waiting& waiting : std::exchange(channel->waiting, {})) {
    if (waiting.opaque != 0) {
      const auto it = calls_.find(waiting.opaque);
      if (it != calls_.end()) Transmit(*it->second);
      continue;
    }
    Frame frame;
    frame.kind = Frame::Kind::kOneway;
    frame.content = std::move(waiting.request);
    SendFrame(*channel, std::move(frame));
  }
  ResumeAwaiters(*channel, /*connected=*/true);
  if (listener_ != nullptr) listener_->OnChannelActive(channel->peer);
}

void Remoting::Impl::AwaitChannel(ConnectAwaiter& awaiter) {
  if (shut_down_) {
    env_.ready().Post(awaiter.resumption_);
    return;
  }
  Channel& channel = ChannelTo(awaiter.address_);
  awaiter.connection_ = channel.id;
  channel.awaiters.push_back(&awaiter);
  if (channel.open) ResumeAwaiters(channel, /*connected=*/true);
}

void Remoting::Impl::GiveUp(ConnectAwaiter& awaiter) {
  Channel* channel = Find(awaiter.connection_);
  if (channel != nullptr) std::erase(channel->awaiters, &awaiter);
}

void Remoting::Impl::ResumeAwaiters(Channel& channel, bool connected) {
  for (ConnectAwaiter* awaiter : std::exchange(channel.awaiters, {})) {
    awaiter->connection_ = 0;
    awaiter->connected_ = connected;
    env_.ready().Post(awaiter->resumption_);
  }
}

void Remoting::Impl::OnAccepted(ConnectionId id, Name peer) {
  Channel& channel = Add(id, peer);
  channel.accepted = true;
  channel.open = true;
  channel.timer = env_.timers().Arm(
      channel.last_used + settings_.channel_max_idle, &channel);
}

void Remoting::Impl::OnFrame(ConnectionId id, Frame frame) {
  Channel* channel = Find(id);
  if (channel == nullptr) return;
  channel->last_used = env_.Now();
  if (frame.kind == Frame::Kind::kReply) {
    const auto it = calls_.find(frame.opaque);
    if (it == calls_.end()) return;  // Too late.
    OnReply(*it->second, std::move(std::get<Reply>(frame.content)));
    return;
  }
  const bool expected = frame.kind == Frame::Kind::kRequest;
  Responder responder(expected ? &remoting_ : nullptr, id, frame.opaque);
  if (handler_ == nullptr) {
    responder.Answer(Reply(ResponseCode::kRequestCodeNotSupported));
    return;
  }
  handler_->OnRequest(std::move(std::get<Request>(frame.content)),
                      std::move(responder));
}

void Remoting::Impl::OnClosed(ConnectionId id, CloseReason reason) {
  Channel* channel = Find(id);
  if (channel == nullptr) return;
  Drop(*channel, reason,
       channel->open ? CallError::kClosed : CallError::kConnectFailed);
}

void Remoting::Impl::OnChannelTimer(Channel& channel) {
  channel.timer = 0;
  if (!channel.open) {
    CloseHere(channel, CloseReason::kTimeout, CallError::kConnectFailed);
    return;
  }
  const Instant due = channel.last_used + settings_.channel_max_idle;
  if (due <= env_.Now()) {
    CloseHere(channel, CloseReason::kIdle, CallError::kClosed);
  } else {
    channel.timer = env_.timers().Arm(due, &channel);
  }
}

void Remoting::Impl::SendFrame(Channel& channel, Frame frame) {
  channel.last_used = env_.Now();
  env_.transport().Send(channel.id, std::move(frame));
}

void Remoting::Impl::CloseHere(Channel& channel, CloseReason reason,
                               CallError error) {
  env_.transport().Close(channel.id);
  Drop(channel, reason, error);
}

void Remoting::Impl::Drop(Channel& channel, CloseReason reason,
                          CallError error) {
  if (channel.timer != 0) env_.timers().Disarm(channel.timer);
  channel.timer = 0;
  const bool tell = !channel.retired && !shut_down_;
  if (!channel.accepted && !channel.retired) channel_to_.erase(channel.peer);
  channel.retired = false;  // It is being closed already.
  ResumeAwaiters(channel, /*connected=*/false);
  const bool fail = reason != CloseReason::kRemote ||
                    error == CallError::kConnectFailed ||
                    settings_.fin_fails_pending;
  while (channel.first != nullptr) {
    Call& call = *channel.first;
    fail ? End(call, error) : LeaveChannel(call);
  }
  Untold untold;
  if (channel.accepted) untold.connection = channel.id;
  untold.address = channel.peer;
  untold.reason = reason;
  channels_.erase(channel.id);
  if (tell) Tell(untold);
}

void Remoting::Impl::CloseIfRetired(Channel& channel) {
  if (!channel.retired || channel.first != nullptr) return;
  CloseHere(channel, CloseReason::kLocal, CallError::kClosed);
}

std::vector<ConnectionId> Remoting::Impl::SortedIds(bool only_accepted) const {
  std::vector<ConnectionId> ids;
  for (const auto& [id, channel] : channels_) {
    if (channel->accepted || !only_accepted) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

void Remoting::Impl::SendOneway(Name address, Request request) {
  if (shut_down_) return;
  Channel& channel = ChannelTo(address);
  if (!channel.open) {
    channel.waiting.push_back({0, std::move(request)});
    return;
  }
  Frame frame;
  frame.kind = Frame::Kind::kOneway;
  frame.content = std::move(request);
  SendFrame(channel, std::move(frame));
}

bool Remoting::Impl::SendOneway(ConnectionId id, Request request) {
  Channel* channel = Find(id);
  if (channel == nullptr || !channel->open) return false;
  Frame frame;
  frame.kind = Frame::Kind::kOneway;
  frame.content = std::move(request);
  SendFrame(*channel, std::move(frame));
  return true;
}

Name Remoting::Impl::AddressOf(ConnectionId id) const {
  const auto it = channels_.find(id);
  return it == channels_.end() || it->second->accepted ? Name()
                                                       : it->second->peer;
}

bool Remoting::Impl::IsActive(Name address) const {
  const auto it = channel_to_.find(address);
  return it != channel_to_.end() && it->second->open;
}

void Remoting::Impl::CloseChannel(Name address) {
  const auto it = channel_to_.find(address);
  if (it == channel_to_.end()) return;
  CloseHere(*it->second, CloseReason::kLocal, CallError::kClosed);
}

void Remoting::Impl::CloseConnection(ConnectionId id) {
  Channel* channel = Find(id);
  if (channel == nullptr || !channel->accepted) return;
  CloseHere(*channel, CloseReason::kLocal, CallError::kClosed);
}

void Remoting::Impl::Answer(ConnectionId id, uint32_t opaque, Reply reply) {
  Channel* channel = Find(id);
  if (channel == nullptr) return;
  Frame frame;
  frame.kind = Frame::Kind::kReply;
  frame.opaque = opaque;
  frame.content = std::move(reply);
  SendFrame(*channel, std::move(frame));
}

void Remoting::Impl::Listen(Name address) {
  CHECK(!shut_down_);
  listening_.push_back(address);
  env_.transport().Listen(address, this);
}

void Remoting::Impl::StopListening() {
  for (Name address : std::exchange(listening_, {}))
    env_.transport().StopListening(address);
  for (ConnectionId id : SortedIds(/*only_accepted=*/true)) {
    Channel* channel = Find(id);
    CloseHere(*channel, CloseReason::kLocal, CallError::kClosed);
  }
}

void Remoting::Impl::Shutdown() {
  if (shut_down_) return;
  shut_down_ = true;
  StopListening();
  for (ConnectionId id : SortedIds(/*only_accepted=*/false)) {
    Channel* channel = Find(id);
    if (channel != nullptr)
      CloseHere(*channel, CloseReason::kLocal, CallError::kClosed);
  }
  // Calls that outlived their channel.
  std::vector<uint32_t> opaques;
  for (const auto& [opaque, call] : calls_) opaques.push_back(opaque);
  std::sort(opaques.begin(), opaques.end());
  for (uint32_t opaque : opaques) End(*calls_.at(opaque), CallError::kClosed);
}

// ---- Scans ----

int64_t Remoting::Impl::LastScanAt(Instant now) const {
  if (now < first_scan_) return -1;
  return FloorDivide(now - first_scan_, settings_.scan_period);
}

void Remoting::Impl::PutOnWheel(Call& call, Instant now) {
  const Instant expiry = call.start + call.timeout + settings_.scan_grace;
  // The first scan at or after the expiry.
  const int64_t scan = FloorDivide(expiry - first_scan_ - Duration::Nanos(1),
                                   settings_.scan_period) +
                       1;
  ArmScan(wheel_.Add(call, scan, LastScanAt(now)));
}

void Remoting::Impl::ArmScan(int64_t scan) {
  if (scan >= armed_scan_) return;
  if (scan_timer_ != 0) env_.timers().Disarm(scan_timer_);
  armed_scan_ = scan;
  scan_timer_ =
      env_.timers().Arm(first_scan_ + scan * settings_.scan_period, this);
}

void Remoting::Impl::OnTimer() {
  scan_timer_ = 0;
  const int64_t past = LastScanAt(env_.Now());
  const int64_t first = std::exchange(armed_scan_, internal::ScanWheel::kNone);
  std::vector<Call*> early;
  const int64_t last = std::min(past, first + internal::ScanWheel::kSlots - 1);
  for (int64_t scan = first; scan <= last; ++scan) {
    while (internal::ScanWheel::Node* node = wheel_.Take(scan)) {
      Call& call = static_cast<Call&>(*node);
      if (call.scan() <= past) {
        End(call, CallError::kTimeout);
      } else {
        early.push_back(&call);
      }
    }
  }
  for (Call* call : early) wheel_.Add(*call, call->scan(), past);
  const int64_t next = wheel_.FirstAfter(past);
  if (next != internal::ScanWheel::kNone) ArmScan(next);
}

// ---- What is told ----

void Remoting::Impl::Tell(Untold untold) {
  if (untold.call == nullptr && listener_ == nullptr) return;
  untold_.push_back(untold);
  if (!queued()) env_.ready().Post(*this);
}

void Remoting::Impl::RunReady() {
  for (const Untold& untold : std::exchange(untold_, {})) {
    if (untold.call != nullptr) {
      ReplyCallback done = std::move(untold.call->done);
      CallResult result;
      result.error = untold.call->error;
      Free(*untold.call);
      done(std::move(result));
    } else if (untold.connection != 0) {
      listener_->OnConnectionClosed(untold.connection, untold.reason);
    } else {
      listener_->OnChannelClosed(untold.address, untold.reason);
    }
  }
}

}  // namespace groupsim
