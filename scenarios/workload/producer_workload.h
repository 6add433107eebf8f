// The traffic of one producer.
#ifndef GROUPSIM_SCENARIOS_WORKLOAD_PRODUCER_WORKLOAD_H_
#define GROUPSIM_SCENARIOS_WORKLOAD_PRODUCER_WORKLOAD_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/base/name.h"
#include "model/base/ratio.h"
#include "model/base/time.h"
#include "model/client/producer.h"
#include "model/wire/message_queue.h"
#include "scenarios/reader/arrivals.h"
#include "sim/engine/engine.h"
#include "sim/host/host.h"
#include "sim/host/world.h"
#include "sim/network/pause_gate.h"
#include "sim/random/distribution.h"
#include "sim/random/stream.h"
#include "sim/random/weighted_choice.h"

namespace groupsim {

// Hands messages to the producer at their arrivals, whatever becomes of the
// ones before (an open loop). What arrives while the process does not run is
// not made; what arrives while it is frozen waits for it.
class ProducerWorkload final : private PauseGate::Source {
 public:
  struct Plan {
    Name process;  // Names its random numbers.
    Name topic;
    ArrivalPlan arrivals;
    Distribution body_size;  // Bytes.

    // Which keys come; without it, keys are 0.
    struct Keys {
      std::optional<Distribution> law;  // Keys from 1 up; nothing for in turn.
      int64_t count = 1;
      bool selects_queue = false;
    };
    std::optional<Keys> keys;
    // The tags, if any, and how often each comes.
    std::vector<Name> tags;
    std::optional<WeightedChoice> tag_choice;
    // Of all messages so many go to these queues, in turn.
    std::vector<MessageQueue> hot_queues;
    Ratio hot_share;
    bool random_queue = false;
  };

  // Registers with the engine of `world`, which outlives the workload.
  ProducerWorkload(World& world, const Plan& plan);
  ProducerWorkload(const ProducerWorkload&) = delete;
  ProducerWorkload& operator=(const ProducerWorkload&) = delete;

  // Schedules the first arrival.
  void Begin();

  // What is left of the plan, without its rate: from now to its end, and the
  // most messages.
  ArrivalPlan Rest() const;
  // From now on messages arrive as `arrivals` says, which Rest() was completed
  // to; what was drawn so far stays.
  void ChangeRate(const ArrivalPlan& arrivals);
  // Whether another message is planned.
  bool has_next() const { return next_.has_value(); }

  // The process that sends from now on, and the host that it lives on.
  void SetHost(Host* host) { host_ = host; }
  void SetProducer(Producer* producer) { producer_ = producer; }

  // Where messages go.
  Name topic() const { return plan_.topic; }

  // Messages that arrived while a process ran.
  int64_t arrived() const { return arrived_; }

 private:
  void ScheduleNext();
  void OnArrival();
  // Drawn in any case, so that a producer's absence changes no later message.
  OutgoingMessage NextMessage();
  void Send(const OutgoingMessage& message);

  // PauseGate::Source, of the messages in waiting_, in order.
  void OnReleased(uint64_t id) override;
  void OnDropped(uint64_t /*id*/) override { waiting_.pop_front(); }

  World& world_;
  const Plan plan_;
  const EventType arrival_;
  Arrivals arrivals_;
  std::optional<EventHandle> next_;  // The next arrival.
  int64_t planned_ = 0;              // Arrivals so far, whoever was there.
  CounterStream arrival_draws_;
  CounterStream size_draws_;
  CounterStream key_draws_;
  CounterStream tag_draws_;
  CounterStream hot_draws_;
  int64_t next_key_ = 0;
  size_t next_hot_ = 0;
  Host* host_ = nullptr;
  Producer* producer_ = nullptr;  // The last one; alive only if the host is.
  int64_t arrived_ = 0;
  std::deque<OutgoingMessage> waiting_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_WORKLOAD_PRODUCER_WORKLOAD_H_
