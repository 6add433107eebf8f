#include "model/runtime/remoting.h"

#include <coroutine>
#include <memory>
#include <utility>

#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/runtime/remoting_impl.h"

namespace groupsim {

absl::string_view NameOf(CallError error) {
  switch (error) {
    case CallError::kNone:
      return "none";
    case CallError::kTimeout:
      return "no reply in time";
    case CallError::kClosed:
      return "channel closed";
    case CallError::kConnectFailed:
      return "connect failed";
    case CallError::kTooManyRequests:
      return "too many requests";
  }
  CHECK(false) << "call error " << static_cast<int>(error);
  return "";
}

// ---- Responder ----

Responder::Responder(Responder&& other) noexcept
    : remoting_(std::exchange(other.remoting_, nullptr)),
      connection_(other.connection_),
      opaque_(other.opaque_) {}

Responder& Responder::operator=(Responder&& other) noexcept {
  remoting_ = std::exchange(other.remoting_, nullptr);
  connection_ = other.connection_;
  opaque_ = other.opaque_;
  return *this;
}

void Responder::Answer(Reply reply) {
  Remoting* remoting = std::exchange(remoting_, nullptr);
  if (remoting == nullptr) return;
  remoting->Answer(connection_, opaque_, std::move(reply));
}

// ---- CallAwaiter ----

Remoting::CallAwaiter::CallAwaiter(Impl& impl, Name address, Request request,
                                   Duration timeout)
    : impl_(impl),
      address_(address),
      request_(std::move(request)),
      timeout_(timeout) {}

Remoting::CallAwaiter::~CallAwaiter() {
  if (opaque_ != 0) impl_.GiveUp(opaque_);
}

void Remoting::CallAwaiter::await_suspend(std::coroutine_handle<> waiter) {
  resumption_.set_handle(waiter);
  impl_.CallSync(*this);
}

CallResult Remoting::CallAwaiter::await_resume() { return std::move(result_); }

// ---- ConnectAwaiter ----

Remoting::ConnectAwaiter::~ConnectAwaiter() {
  if (connection_ != 0) impl_.GiveUp(*this);
}

bool Remoting::ConnectAwaiter::await_ready() {
  connected_ = impl_.IsActive(address_);
  return connected_;
}

void Remoting::ConnectAwaiter::await_suspend(std::coroutine_handle<> waiter) {
  resumption_.set_handle(waiter);
  impl_.AwaitChannel(*this);
}

bool Remoting::ConnectAwaiter::await_resume() { return connected_; }

// ---- Remoting ----

Remoting::Remoting(Env& env, RemotingSettings settings, RequestHandler* handler,
                   ChannelListener* listener)
    : impl_(std::make_unique<Impl>(env, settings, handler, listener, *this)) {}

Remoting::~Remoting() = default;

void Remoting::CallAsync(Name address, Request request, Duration timeout,
                         ReplyCallback done) {
  impl_->CallAsync(address, std::move(request), timeout, std::move(done));
}

Remoting::CallAwaiter Remoting::Call(Name address, Request request,
                                     Duration timeout) {
  return CallAwaiter(*impl_, address, std::move(request), timeout);
}

void Remoting::SendOneway(Name address, Request request) {
  impl_->SendOneway(address, std::move(request));
}

Remoting::ConnectAwaiter Remoting::Connect(Name address) {
  return ConnectAwaiter(*impl_, address);
}

bool Remoting::IsActive(Name address) const { return impl_->IsActive(address); }

Name Remoting::AddressOf(ConnectionId connection) const {
  return impl_->AddressOf(connection);
}

void Remoting::CloseChannel(Name address) { impl_->CloseChannel(address); }

void Remoting::Listen(Name address) { impl_->Listen(address); }

void Remoting::StopListening() { impl_->StopListening(); }

bool Remoting::SendOneway(ConnectionId connection, Request request) {
  return impl_->SendOneway(connection, std::move(request));
}

void Remoting::CloseConnection(ConnectionId connection) {
  impl_->CloseConnection(connection);
}

void Remoting::Shutdown() { impl_->Shutdown(); }

void Remoting::Answer(ConnectionId connection, uint32_t opaque, Reply reply) {
  impl_->Answer(connection, opaque, std::move(reply));
}

}  // namespace groupsim
