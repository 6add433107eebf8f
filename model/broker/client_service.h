// Clients of one broker: heartbeats, departures, the member list, and who is
// told (ClientManageProcessor, ConsumerManageProcessor,
// ClientHousekeepingService, DefaultConsumerIdsChangeListener, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_CLIENT_SERVICE_H_
#define GROUPSIM_MODEL_BROKER_CLIENT_SERVICE_H_

#include <optional>
#include <vector>

#include "model/base/name.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/consumer_table.h"
#include "model/broker/topic_service.h"
#include "model/facts/causes.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"

namespace groupsim {

class ClientService {
 public:
  // The references outlive it.
  ClientService(Env& env, Remoting& remoting, const BrokerConfig& config,
                BrokerDisk& disk, TopicService& topics);
  ClientService(const ClientService&) = delete;
  ClientService& operator=(const ClientService&) = delete;

  const ConsumerTable& consumers() const { return consumers_; }

  // Begins to look for silent clients, now being the start of the broker.
  void Start();
  // Ends that, and lets what is under way go.
  void Stop();

  // HEART_BEAT. The first one of a group creates its retry topic, and goes on
  // when the name servers know it.
  Task<void> OnHeartbeat(HeartbeatRequest request, Responder responder);
  // UNREGISTER_CLIENT.
  void OnUnregister(const UnregisterClientRequest& request,
                    Responder responder);
  // GET_CONSUMER_LIST_BY_GROUP.
  void OnGetConsumerList(const GetConsumerListRequest& request,
                         Responder responder);
  // An accepted connection ended.
  void OnConnectionClosed(ConnectionId connection, CloseReason reason);

 private:
  struct Notice {
    Name group;
    std::vector<ConnectionId> connections;
  };

  // The retry topic's configuration, if it has to be made.
  std::optional<TopicConfig> NewRetryTopic(
      const ConsumerData& data, const SubscriptionGroupConfig& config);
  void Register(const ConsumerData& data, const SubscriptionGroupConfig& config,
                Name client_id, ConnectionId connection);
  void EmitRemoved(Name group, Name client_id, MemberRemovalCause cause);
  bool NotifiesInBatches() const {
    return config_.profile.has_batch_notices &&
           !config_.settings.real_time_notify_consumer_change;
  }
  void MembersChanged(const ConsumerGroup& group);
  void Notify(const Notice& notice);
  Task<void> RemoveSilent();
  Task<void> SendNotices();

  Env& env_;
  Remoting& remoting_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  TopicService& topics_;
  ConsumerTable consumers_;
  ProducerTable producers_;
  std::vector<Notice> notices_;  // Latest of each group, if told in batches.

  Lane housekeeping_;  // A thread of upstream.
  std::optional<FixedRateJob> scan_;
  std::optional<FixedRateJob> batches_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_CLIENT_SERVICE_H_
