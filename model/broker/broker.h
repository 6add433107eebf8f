// The broker as a process (BrokerController, 5.3.3).
//
//   BrokerDisk disk;                       // Outlives each Broker on it.
//   Broker broker(env, disk, config);
//   broker.Start();                        // Ends in Lifecycle::OnReady.
//
// A master without slaves: messages, pulls and their holding, clients and
// groups, offsets, queue locks, and the registration with the name servers.
#ifndef GROUPSIM_MODEL_BROKER_BROKER_H_
#define GROUPSIM_MODEL_BROKER_BROKER_H_

#include <cstdint>
#include <optional>

#include "model/base/name.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/client_service.h"
#include "model/broker/message_writer.h"
#include "model/broker/name_server_registration.h"
#include "model/broker/offset_admin.h"
#include "model/broker/offset_service.h"
#include "model/broker/pull_processor.h"
#include "model/broker/queue_locks.h"
#include "model/broker/request_executors.h"
#include "model/broker/schedule_service.h"
#include "model/broker/send_service.h"
#include "model/broker/topic_service.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/process.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"

namespace groupsim {

class Broker final : public Process,
                     private RequestHandler,
                     private ChannelListener {
 public:
  // Loads what is on `disk`, which outlives the broker, and puts the topics
  // and groups of `config` there.
  Broker(Env& env, BrokerDisk& disk, const BrokerConfig& config);
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  void Start() override;
  void Shutdown() override;

  // The administrator's commands, which reach the broker at once. They last: a
  // restart changes nothing.

  // A new or changed topic, which the name servers are told of at once, that
  // topic alone. Nothing if it is like that already
  // (AdminBrokerProcessor.updateAndCreateTopic).
  void UpdateTopic(const TopicConfig& topic);
  // What all topics may be used for on this broker: kPermRead, kPermWrite. The
  // name servers are told of all topics at once
  // (AdminBrokerProcessor.updateBrokerConfig of brokerPermission).
  void UpdatePermission(int32_t permission);
  int32_t permission() const { return config_.settings.broker_permission; }

  // What groups go on from; what is said there.
  int64_t ResetOffsets(const OffsetAdmin::Target& target) {
    return offset_admin_.Reset(target);
  }
  int64_t CloneOffsets(const OffsetAdmin::Copying& copying) {
    return offset_admin_.Clone(copying);
  }

  // An administrator has old files of the log deleted at any hour. Returns how
  // many are old enough now.
  int64_t DeleteExpiredFiles() { return retention_.DeleteExpiredFiles(); }

  // Forgets all locks of queues, as a restart does; false if there were none.
  // Upstream has no such command.
  bool WipeLocks() { return locks_.Wipe(); }

  // Pulls held at the moment.
  size_t held_pulls() const { return pulls_.held(); }

 private:
  void OnRequest(Request request, Responder responder) override;
  void OnConnectionClosed(ConnectionId id, CloseReason reason) override;
  void Handle(Request request, Responder responder);

  Task<void> RunStart();
  Task<void> RunShutdown();
  Task<void> PersistOffsets();

  Env& env_;
  BrokerDisk& disk_;
  BrokerConfig config_;
  bool stopping_ = false;  // Shutdown was called.
  bool closed_ = false;    // Its clients were disconnected.

  Remoting remoting_;
  NameServerRegistration registration_;
  TopicService topics_;
  RequestExecutors executors_;  // Heartbeats in it may wait for registrations.
  OffsetService offsets_;
  ClientService clients_;
  OffsetAdmin offset_admin_;
  PullProcessor pulls_;
  Retention retention_;
  MessageWriter writer_;
  ScheduleService schedule_;
  QueueLocks locks_;
  SendService sends_;

  // The one thread of upstream's scheduler: while a registration is under way,
  // offsets are not written.
  Lane scheduler_;
  std::optional<FixedRateJob> offset_flush_;
  std::optional<FixedRateJob> periodic_registration_;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_BROKER_H_
