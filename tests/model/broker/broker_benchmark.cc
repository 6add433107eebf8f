// What one message costs a broker: send, store, dispatch, wake, answer, and the
// next pull, without a network.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "model/broker/broker.h"
#include "model/runtime/env.h"
#include "model/runtime/frame_pool.h"

namespace groupsim {
namespace {

class BenchClock final : public Clock {
 public:
  Instant Now() const override { return now; }
  int64_t WallMillis() const override { return now.nanos() / 1'000'000; }
  Instant now;
};

// A sorted vector is enough: few timers are armed.
class BenchTimers final : public TimerQueue {
 public:
  TimerId Arm(Instant when, TimerTarget* target) override {
    armed_.push_back(Armed{when, ++last_, target});
    return last_;
  }
  void Disarm(TimerId id) override {
    armed_.erase(std::remove_if(armed_.begin(), armed_.end(),
                                [id](const Armed& a) { return a.id == id; }),
                 armed_.end());
  }
  void RunUntil(BenchClock& clock, Instant end) {
    while (true) {
      const auto next = std::min_element(
          armed_.begin(), armed_.end(),
          [](const Armed& a, const Armed& b) { return a.when < b.when; });
      if (next == armed_.end() || next->when > end) break;
      const Armed fired = *next;
      armed_.erase(next);
      clock.now = fired.when;
      fired.target->OnTimer();
    }
    clock.now = end;
  }

 private:
  struct Armed {
    Instant when;
    TimerId id;
    TimerTarget* target;
  };
  std::vector<Armed> armed_;
  TimerId last_ = 0;
};

class BenchTransport final : public Transport {
 public:
  void Listen(Name, ConnectionListener* listener) override {
    this->listener = listener;
  }
  void StopListening(Name) override {}
  ConnectionId Open(Name, ConnectionListener*) override { return 0; }
  void Send(ConnectionId, Frame frame) override {
    ++sent;
    benchmark::DoNotOptimize(frame);
  }
  void Close(ConnectionId) override {}

  ConnectionListener* listener = nullptr;
  int64_t sent = 0;
};

class BenchStream final : public RandomStream {
 public:
  uint64_t Next() override { return state_ += 0x9E3779B97F4A7C15; }

 private:
  uint64_t state_ = 0;
};
class BenchRandom final : public RandomSource {
 public:
  std::unique_ptr<RandomStream> Stream(absl::string_view) override {
    return std::make_unique<BenchStream>();
  }
};
class BenchFacts final : public FactSink {
 public:
  void Emit(const Fact& fact) override { benchmark::DoNotOptimize(fact); }
};
class BenchLifecycle final : public Lifecycle {
  void OnReady() override {}
  void OnStartFailed() override {}
  void OnStopped() override {}
};

void BM_Message(benchmark::State& state) {
  const auto queues = static_cast<int32_t>(state.range(0));
  FramePool frames;
  const FramePool::Scope frame_scope(frames);
  BenchClock clock;
  BenchTimers timers;
  ReadyQueue ready;
  BenchTransport transport;
  BenchRandom random;
  BenchFacts facts;
  NameTable names;
  BenchLifecycle lifecycle;
  Env::Parts parts;
  parts.process = names.Intern("broker");
  parts.clock = &clock;
  parts.timers = &timers;
  parts.ready = &ready;
  parts.transport = &transport;
  parts.random = &random;
  parts.facts = &facts;
  parts.names = &names;
  parts.lifecycle = &lifecycle;
  Env env(parts);

  BrokerConfig config;
  config.cluster = names.Intern("c");
  config.broker = names.Intern("broker-a");
  config.address = names.Intern("b:1");
  TopicConfig topic;
  topic.topic = names.Intern("orders");
  topic.read_queue_nums = topic.write_queue_nums = queues;
  config.topics.push_back(topic);
  BrokerDisk disk;
  {
    Broker broker(env, disk, config);
    broker.Start();
    ready.Drain();
    ConnectionListener& in = *transport.listener;
    in.OnAccepted(1, names.Intern("client"));
    uint32_t opaque = 0;
    const auto deliver = [&](Request request) {
      Frame frame;
      frame.opaque = ++opaque;
      frame.content = std::move(request);
      in.OnFrame(1, std::move(frame));
      if (!ready.empty()) ready.Drain();
    };
    ConsumerData data;
    data.group = names.Intern("g");
    SubscriptionData subscription;
    subscription.topic = topic.topic;
    data.subscriptions.push_back(subscription);
    HeartbeatRequest heartbeat;
    heartbeat.client_id = names.Intern("c-1");
    heartbeat.consumers = std::make_shared<const std::vector<ConsumerData>>(
        std::vector<ConsumerData>{data});
    deliver(heartbeat);

    PullMessageRequest pull;
    pull.group = data.group;
    pull.queue.topic = topic.topic;
    pull.queue.broker = config.broker;
    pull.sys_flag = kPullFlagSuspend | kPullFlagCommitOffset;
    pull.suspend_timeout = 15s;
    std::vector<int64_t> offsets(static_cast<size_t>(queues));
    for (int32_t q = 0; q < queues; ++q) {
      pull.queue.queue_id = q;
      deliver(pull);
    }
    SendMessageRequest send;
    send.producer_group = data.group;
    send.topic = topic.topic;
    send.body_size = 1'000;
    int32_t next = 0;
    for (auto _ : state) {
      // Ten messages in a millisecond, each of another queue.
      const int32_t first = next;
      for (int i = 0; i < 10; ++i) {
        send.queue_id = next;
        send.key = opaque;
        next = (next + 1) % queues;
        deliver(send);
      }
      timers.RunUntil(clock, clock.now + 1ms);
      for (int i = 0; i < 10; ++i) {
        const int32_t q = (first + i) % queues;
        pull.queue.queue_id = q;
        pull.commit_offset = offsets[static_cast<size_t>(q)];
        pull.queue_offset = ++offsets[static_cast<size_t>(q)];
        deliver(pull);
      }
    }
    state.SetItemsProcessed(state.iterations() * 10);
    state.counters["frames_per_message"] =
        static_cast<double>(transport.sent) /
        static_cast<double>(state.iterations() * 10);
  }
}
BENCHMARK(BM_Message)->Arg(16)->Arg(1'000);

}  // namespace
}  // namespace groupsim
