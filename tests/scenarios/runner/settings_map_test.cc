// Every setting of the model has its field in the scenario, and the other way
// round.
#include "scenarios/runner/settings_map.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "google/protobuf/descriptor.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

// How many fields an aggregate has: as many as values can initialise it.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT
};
template <class T, size_t... I>
constexpr bool TakesThatMany(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}
template <class T, size_t N = 0>
constexpr size_t FieldCount() {
  if constexpr (TakesThatMany<T>(std::make_index_sequence<N + 1>())) {
    return FieldCount<T, N + 1>();
  } else {
    return N;
  }
}

template <class Struct>
void ExpectSameFields(absl::Span<const SettingField<Struct>> fields,
                      const google::protobuf::Descriptor* message) {
  EXPECT_EQ(fields.size(), FieldCount<Struct>()) << message->name();
  std::set<std::string> names;
  for (const auto& field : fields) {
    EXPECT_TRUE(names.insert(std::string(field.name)).second) << field.name;
    EXPECT_NE(message->FindFieldByName(std::string(field.name)), nullptr)
        << field.name << " is no field of " << message->name();
  }
  for (int i = 0; i < message->field_count(); ++i) {
    const std::string& name = message->field(i)->name();
    if (message->field(i)->cpp_type() ==
            google::protobuf::FieldDescriptor::CPPTYPE_ENUM ||
        message->field(i)->cpp_type() ==
            google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE ||
        message->field(i)->options().GetExtension(rule).has_not_yet()) {
      continue;  // A mode or another struct is no setting of the struct.
    }
    EXPECT_TRUE(names.contains(name)) << name << " is no setting of the model";
  }
}

TEST(SettingsMapTest, EverySettingHasItsPartner) {
  ExpectSameFields(ClientSettingFields(), schema::ClientSettings::descriptor());
  ExpectSameFields(ConsumeSettingFields(),
                   schema::ConsumeSettings::descriptor());
  ExpectSameFields(LitePullSettingFields(),
                   schema::LitePullSettings::descriptor());
  ExpectSameFields(PullSettingFields(), schema::PullSettings::descriptor());
  ExpectSameFields(ProducerSettingFields(),
                   schema::ProducerSettings::descriptor());
  ExpectSameFields(BrokerSettingFields(), schema::BrokerSettings::descriptor());
  ExpectSameFields(NameServerSettingFields(),
                   schema::NameServerSettings::descriptor());
}

// The default that the schema states is the one of the struct, where it states
// one in the notation of the field.
TEST(SettingsMapTest, StatedDefaultsAreTheModels) {
  const ClientSettings settings;
  const auto* message = schema::ClientSettings::descriptor();
  for (const auto& field : ClientSettingFields()) {
    const auto* member = std::get_if<Duration ClientSettings::*>(&field.member);
    if (member == nullptr) continue;
    const FieldRule& rule = message->FindFieldByName(std::string(field.name))
                                ->options()
                                .GetExtension(groupsim::rule);
    const absl::StatusOr<Duration> stated = ParseDuration(rule.otherwise());
    ASSERT_TRUE(stated.ok()) << field.name;
    EXPECT_EQ(*stated, settings.*(*member)) << field.name;
  }
}

TEST(SettingsMapTest, OnlyWhatIsSetIsOverwritten) {
  schema::ClientSettings from;
  from.set_heartbeat_broker_interval("7s");
  from.set_client_close_socket_if_timeout(false);
  ClientSettings settings;
  ApplySettings(from, settings);
  EXPECT_EQ(settings.heartbeat_broker_interval, Duration(7s));
  EXPECT_FALSE(settings.client_close_socket_if_timeout);
  EXPECT_EQ(settings.poll_name_server_interval, Duration(30s));
}

TEST(SettingsMapTest, SizesAndNumbersArriveInTheirUnits) {
  schema::BrokerSettings from;
  from.set_max_transfer_bytes_on_message_in_memory("1MiB");
  from.set_max_transfer_count_on_message_in_memory(5);
  BrokerSettings settings;
  ApplySettings(from, settings);
  EXPECT_EQ(settings.max_transfer_bytes_on_message_in_memory, 1 << 20);
  EXPECT_EQ(settings.max_transfer_count_on_message_in_memory, 5);
}

TEST(SettingsMapTest, OneThreadNumberStandsForBoth) {
  schema::ConsumeSettings from;
  from.set_consume_thread_max(64);
  PushConsumerSettings settings;
  ApplySettings(from, settings);
  EXPECT_EQ(settings.consume_thread_min, 64);
  EXPECT_EQ(settings.consume_thread_max, 64);
}

}  // namespace
}  // namespace groupsim
