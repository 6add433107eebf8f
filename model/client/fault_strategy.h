// To which queue a producer sends.
#ifndef GROUPSIM_MODEL_CLIENT_FAULT_STRATEGY_H_
#define GROUPSIM_MODEL_CLIENT_FAULT_STRATEGY_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/latency_fault_tolerance.h"
#include "model/client/publish_info.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// MQFaultStrategy (5.3.3): off by default; then only the broker of the attempt
// before is avoided. Times are milliseconds of the wall clock.
class FaultStrategy {
 public:
  struct Config {
    bool send_latency_enable = false;
    // Whether slow brokers are probed. Then one without an answer is not
    // reachable instead of isolated.
    bool start_detector_enable = false;
    // As in ProducerSettings.
    std::vector<Duration> latency_max;
    std::vector<Duration> not_available_duration;
    // The latency that stands for a failure, as in ClientProfile.
    Duration failed_send_latency = 10s;
  };

  // How an attempt to send ended.
  enum class Outcome {
    kAnswered,      // Or not sent at all, for reasons of the client.
    kRefused,       // The broker answered that it could not.
    kTransport,     // No answer.
    kAsyncFailure,  // Any failure of an asynchronous attempt.
  };

  explicit FaultStrategy(Config config) : config_(std::move(config)) {}

  // The queue of the next attempt: of an available broker, or else of one that
  // can be reached, and in both cases not of `last_broker`, that of the attempt
  // before (empty for none); or else the next one (selectOneMessageQueue).
  // `info` must be ok().
  const MessageQueue& Select(PublishInfo& info, Name last_broker,
                             int64_t now_millis) const;

  // Notes how an attempt ended that took `latency_millis`. Nothing while off
  // (updateFaultItem and its callers). Returns for how many milliseconds from
  // now the broker is isolated because of it; 0 if it makes no isolation, or
  // none that ends later than the one there is.
  int64_t Note(Name broker, int64_t latency_millis, Outcome outcome,
               int64_t now_millis);

  // The same by the arguments of upstream.
  int64_t UpdateFaultItem(Name broker, int64_t latency_millis, bool isolation,
                          bool reachable, int64_t now_millis);

  // How long a broker is left alone after such a latency
  // (computeNotAvailableDuration).
  int64_t NotAvailableMillis(int64_t latency_millis) const;

  bool on() const { return config_.send_latency_enable; }
  LatencyFaultTolerance& tolerance() { return tolerance_; }

 private:
  const Config config_;
  LatencyFaultTolerance tolerance_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_FAULT_STRATEGY_H_
