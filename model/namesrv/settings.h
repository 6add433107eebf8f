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

// Constants and choices of one release of the name server that no setting
// changes.
struct NameServerProfile {
  // From the start to the first look for expired registrations, and the default
  // of scan_not_active_broker_interval
  // (NamesrvController.startScheduleService).
  Duration first_scan_not_active_broker;
  Duration scan_not_active_broker_interval;
  // Whether a broker may say itself until when its registration counts (since
  // 5.0.0).
  bool brokers_say_their_timeout;
  // Whether unregistrations are answered first and then carried out together
  // (BatchUnregistrationService, since 5.0.0), or carried out and then
  // answered.
  bool unregisters_in_batches;
};

// The 5.3 line.
inline constexpr NameServerProfile kNameServerRocketMq53 = {
    .first_scan_not_active_broker = 5ms,
    .scan_not_active_broker_interval = 5s,
    .brokers_say_their_timeout = true,
    .unregisters_in_batches = true,
};

// The 4.9 line, as of 4.9.8.
inline constexpr NameServerProfile kNameServerRocketMq49 = {
    .first_scan_not_active_broker = 5s,
    .scan_not_active_broker_interval = 10s,
    .brokers_say_their_timeout = false,
    .unregisters_in_batches = false,
};

// A name server's defaults in this release.
inline NameServerSettings NameServerSettingsOf(
    const NameServerProfile& profile) {
  NameServerSettings settings;
  settings.scan_not_active_broker_interval =
      profile.scan_not_active_broker_interval;
  return settings;
}

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_NAMESRV_SETTINGS_H_
