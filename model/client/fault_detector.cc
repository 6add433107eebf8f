#include "model/client/fault_detector.h"

#include <vector>

#include "model/base/name.h"
#include "model/client/java_order.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"

namespace groupsim {

FaultDetector::FaultDetector(Env& env, Config config, Remoting& remoting,
                             const BrokerAddresses& brokers,
                             const PublishTable& topics,
                             LatencyFaultTolerance& tolerance)
    : env_(env),
      config_(config),
      remoting_(remoting),
      brokers_(brokers),
      topics_(topics),
      tolerance_(tolerance),
      lane_(env) {}

void FaultDetector::Start() {
  rounds_.emplace(env_, lane_, config_.round, config_.round,
                  [this] { return DetectByOneRound(); });
}

void FaultDetector::Stop() {
  if (rounds_.has_value()) rounds_->Cancel();
}

Name FaultDetector::PickTopic() const {
  std::vector<Name> topics = topics_.Topics();
  if (topics.empty()) return Name();
  SortAsWalked(JavaTable::kConcurrentHashMap, topics);
  return topics.front();
}

Task<void> FaultDetector::DetectByOneRound() {
  const std::vector<Name> due = tolerance_.TakeProbes(
      env_.WallMillis(), config_.detect_interval.millis());
  for (Name broker : due) {
    const Name address = brokers_.FindMaster(broker);
    if (address.empty()) {
      tolerance_.Remove(broker);
      continue;
    }
    const Name topic = PickTopic();
    if (topic.empty()) continue;
    GetMaxOffsetRequest request;
    request.queue.topic = topic;
    request.queue.broker = broker;
    const CallResult result =
        co_await remoting_.Call(address, request, config_.detect_timeout);
    if (result.ok()) tolerance_.SetReachable(broker);
  }
}

}  // namespace groupsim
