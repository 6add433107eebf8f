// The settings of a scenario as the settings of the model.
//
// Each pair of messages and structs is joined by one table of field names; a
// test holds the tables against the fields of both sides.
#ifndef GROUPSIM_SCENARIOS_RUNNER_SETTINGS_MAP_H_
#define GROUPSIM_SCENARIOS_RUNNER_SETTINGS_MAP_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/base/time.h"
#include "model/broker/settings.h"
#include "model/client/lite_pull_settings.h"
#include "model/client/pull_settings.h"
#include "model/client/settings.h"
#include "model/namesrv/settings.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// One field of a settings struct under its name in the scenario.
template <class Struct>
struct SettingField {
  absl::string_view name;
  std::variant<Duration Struct::*, int32_t Struct::*, int64_t Struct::*,
               bool Struct::*, std::vector<Duration> Struct::*,
               std::string Struct::*>
      member;
};

absl::Span<const SettingField<ClientSettings>> ClientSettingFields();
absl::Span<const SettingField<PushConsumerSettings>> ConsumeSettingFields();
absl::Span<const SettingField<LitePullSettings>> LitePullSettingFields();
absl::Span<const SettingField<PullSettings>> PullSettingFields();
absl::Span<const SettingField<ProducerSettings>> ProducerSettingFields();
absl::Span<const SettingField<BrokerSettings>> BrokerSettingFields();
absl::Span<const SettingField<NameServerSettings>> NameServerSettingFields();

// Overwrites in `out` what the message sets. The message was validated.
void ApplySettings(const schema::ClientSettings& from, ClientSettings& out);
// Sets both thread numbers where only one is given.
void ApplySettings(const schema::ConsumeSettings& from,
                   PushConsumerSettings& out);
void ApplySettings(const schema::LitePullSettings& from, LitePullSettings& out);
void ApplySettings(const schema::PullSettings& from, PullSettings& out);
void ApplySettings(const schema::ProducerSettings& from, ProducerSettings& out);
void ApplySettings(const schema::BrokerSettings& from, BrokerSettings& out);
void ApplySettings(const schema::NameServerSettings& from,
                   NameServerSettings& out);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_SETTINGS_MAP_H_
