#include "tests/support/loop_runtime/loop_host.h"

#include <optional>
#include <utility>

#include "model/base/check.h"

namespace groupsim {
namespace {

// SplitMix64, seeded by what the stream is for.
class LoopStream final : public RandomStream {
 public:
  LoopStream(absl::string_view host, absl::string_view purpose) {
    for (absl::string_view text : {host, absl::string_view("/"), purpose}) {
      for (char c : text)
        state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
  }
  uint64_t Next() override {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_ = 0xcbf29ce484222325;
};

constexpr int64_t kEpochMillis = 1'700'000'000'000;

}  // namespace

LoopHost::LoopHost(LoopRuntime& runtime, Name name, LoopTransport& transport)
    : runtime_(runtime),
      name_(name),
      transport_(transport),
      env_({.process = name,
            .clock = this,
            .timers = this,
            .ready = &runtime.loop_.ready(),
            .transport = &transport,
            .random = this,
            .listeners = this,
            .facts = &runtime,
            .names = &runtime.names_,
            .lifecycle = this}) {}

LoopHost::~LoopHost() = default;

void LoopHost::Start(const ProcessFactory& factory) {
  CHECK(process_ == nullptr) << name_ << " runs already";
  const FramePool::Scope scope(runtime_.loop_.frames());
  transport_.ComeUp();
  process_ = factory(env_);
  process_->Start();
}

void LoopHost::Stop() { process_->Shutdown(); }

void LoopHost::Crash() {
  transport_.CloseAll();
  ready_ = false;
  process_ = nullptr;
}

void LoopHost::Vanish() {
  transport_.GoDark();
  ready_ = false;
  process_ = nullptr;
}

void LoopHost::Teardown() {
  runtime_.loop_.At(Now(), [this] { Crash(); });
}

Instant LoopHost::Now() const { return runtime_.loop_.Now(); }

int64_t LoopHost::WallMillis() const {
  return kEpochMillis + Now().since_start().millis();
}

TimerId LoopHost::Arm(Instant when, TimerTarget* target) {
  return runtime_.loop_.At(when, [target] { target->OnTimer(); });
}

void LoopHost::Disarm(TimerId id) { runtime_.loop_.Cancel(id); }

std::unique_ptr<RandomStream> LoopHost::Stream(absl::string_view purpose) {
  return std::make_unique<LoopStream>(name_.text(), purpose);
}

ListenerRunId LoopHost::Run(const ListenerCall& call, ListenerDone* done) {
  const LoopListenerPlan plan =
      listener_ ? listener_(call) : LoopListenerPlan();
  const ListenerRunId id = ++last_listener_call_;
  listener_calls_[id] = {done, plan};
  if (!plan.hangs) {
    EndListenerCallAt(Now() + plan.service_time, id, plan.result);
  }
  return id;
}

void LoopHost::EndListenerCallAt(Instant when, ListenerRunId id,
                                 const ListenerResult& result) {
  listener_calls_.at(id).end = runtime_.loop_.At(when, [this, id, result] {
    ListenerDone* const done = listener_calls_.at(id).done;
    listener_calls_.erase(id);
    done->OnListenerDone(result);
  });
}

void LoopHost::Interrupt(ListenerRunId id) {
  const auto call = listener_calls_.find(id);
  if (call == listener_calls_.end()) return;
  const std::optional<ListenerResult> result =
      std::exchange(call->second.plan.when_interrupted, std::nullopt);
  if (!result.has_value()) return;
  runtime_.loop_.Cancel(call->second.end);
  EndListenerCallAt(Now(), id, *result);
}

void LoopHost::Abandon(ListenerRunId id) {
  const auto call = listener_calls_.find(id);
  if (call == listener_calls_.end()) return;
  runtime_.loop_.Cancel(call->second.end);
  listener_calls_.erase(call);
}

LoopRuntime::LoopRuntime(LoopTime time, Duration latency)
    : loop_(time), network_(loop_, latency) {}

LoopHost& LoopRuntime::AddHost(absl::string_view name,
                               const std::vector<std::string>& addresses) {
  const Name host = Intern(name);
  std::vector<Name> interned;
  for (const std::string& address : addresses)
    interned.push_back(Intern(address));
  return hosts_.emplace_back(*this, host,
                             network_.AddHost(host, std::move(interned)));
}

void LoopRuntime::Emit(const Fact& fact) {
  facts_.push_back(fact);
  facts_.back().time = loop_.Now();
}

}  // namespace groupsim
