// Settings of a name server (NamesrvConfig and NettyServerConfig, 5.3.3).
//
// Fields have upstream's names in snake case, and its defaults.
#ifndef GROUPSIM_MODEL_NAMESRV_SETTINGS_H_
#define GROUPSIM_MODEL_NAMESRV_SETTINGS_H_

#include <cstdint>

#include "model/base/time.h"

namespace groupsim {

struct NameServerSettings {
  // How often registrations are looked through for expired ones
  // (scanNotActiveBrokerInterval, milliseconds upstream).
  Duration scan_not_active_broker_interval = 5s;

  // Until when a registration counts that does not say so itself
  // (RouteInfoManager.DEFAULT_BROKER_CHANNEL_EXPIRED_TIME, a constant).
  Duration default_broker_channel_expired_time = 120s;

  // Unregistrations that may wait for the thread that carries them out; one
  // more is refused (unRegisterBrokerQueueCapacity).
  int64_t un_register_broker_queue_capacity = 3'000;

  // Whether route queries are refused while the server is young, and until
  // which age (needWaitForService; waitSecondsForService, seconds upstream).
  bool need_wait_for_service = false;
  Duration wait_seconds_for_service = 45s;

  // A connection on which nothing was read or written for so long is closed
  // (serverChannelMaxIdleTimeSeconds, seconds upstream).
  Duration server_channel_max_idle_time_seconds = 120s;
};

// From the start of a name server to its first look for expired registrations
// (NamesrvController.startScheduleService, a constant).
inline constexpr Duration kFirstScanNotActiveBroker = 5ms;

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_NAMESRV_SETTINGS_H_
