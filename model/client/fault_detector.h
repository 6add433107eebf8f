// Asks brokers that a producer avoids whether they are back.
#ifndef GROUPSIM_MODEL_CLIENT_FAULT_DETECTOR_H_
#define GROUPSIM_MODEL_CLIENT_FAULT_DETECTOR_H_

#include <optional>

#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/latency_fault_tolerance.h"
#include "model/client/publish_table.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"

namespace groupsim {

// LatencyFaultToleranceImpl.startDetector and the ServiceDetector of
// DefaultMQProducerImpl, 5.3.3: one broker after the other is asked for the end
// of a queue. An answer makes it reachable again; it does not end an isolation.
class FaultDetector {
 public:
  struct Config {
    Duration detect_interval;  // Between two probes of one broker.
    Duration detect_timeout;   // Of one probe.
    Duration round;            // From one look at all brokers to the next.
  };

  // The references outlive it.
  FaultDetector(Env& env, Config config, Remoting& remoting,
                const BrokerAddresses& brokers, const PublishTable& topics,
                LatencyFaultTolerance& tolerance);

  // Looks at the brokers once in each round from now on.
  void Start();
  void Stop();

 private:
  Task<void> DetectByOneRound();
  // Any topic that was sent to; empty if there is none.
  Name PickTopic() const;

  Env& env_;
  const Config config_;
  Remoting& remoting_;
  const BrokerAddresses& brokers_;
  const PublishTable& topics_;
  LatencyFaultTolerance& tolerance_;
  Lane lane_;  // LatencyFaultToleranceScheduledThread
  std::optional<FixedRateJob> rounds_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_FAULT_DETECTOR_H_
