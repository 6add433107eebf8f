#include "scenarios/runner/settings_map.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "model/base/check.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

constexpr SettingField<ClientSettings> kClientSettingFields[] = {
    {"poll_name_server_interval", &ClientSettings::poll_name_server_interval},
    {"heartbeat_broker_interval", &ClientSettings::heartbeat_broker_interval},
    {"persist_consumer_offset_interval",
     &ClientSettings::persist_consumer_offset_interval},
    {"mq_client_api_timeout", &ClientSettings::mq_client_api_timeout},
    {"enable_heartbeat_channel_event_listener",
     &ClientSettings::enable_heartbeat_channel_event_listener},
    {"rebalance_wait_interval", &ClientSettings::rebalance_wait_interval},
    {"rebalance_min_interval", &ClientSettings::rebalance_min_interval},
    {"connect_timeout", &ClientSettings::connect_timeout},
    {"client_channel_max_idle_time_seconds",
     &ClientSettings::client_channel_max_idle_time_seconds},
    {"client_close_socket_if_timeout",
     &ClientSettings::client_close_socket_if_timeout},
};

constexpr SettingField<PushConsumerSettings> kConsumeSettingFields[] = {
    {"consume_thread_min", &PushConsumerSettings::consume_thread_min},
    {"consume_thread_max", &PushConsumerSettings::consume_thread_max},
    {"consume_concurrently_max_span",
     &PushConsumerSettings::consume_concurrently_max_span},
    {"pull_threshold_for_queue",
     &PushConsumerSettings::pull_threshold_for_queue},
    {"pull_threshold_for_topic",
     &PushConsumerSettings::pull_threshold_for_topic},
    {"pull_threshold_size_for_queue",
     &PushConsumerSettings::pull_threshold_size_for_queue},
    {"pull_threshold_size_for_topic",
     &PushConsumerSettings::pull_threshold_size_for_topic},
    {"pull_interval", &PushConsumerSettings::pull_interval},
    {"consume_message_batch_max_size",
     &PushConsumerSettings::consume_message_batch_max_size},
    {"pull_batch_size", &PushConsumerSettings::pull_batch_size},
    {"pull_time_delay_mills_when_exception",
     &PushConsumerSettings::pull_time_delay_mills_when_exception},
    {"await_termination_millis_when_shutdown",
     &PushConsumerSettings::await_termination_millis_when_shutdown},
    {"pull_max_idle_time", &PushConsumerSettings::pull_max_idle_time},
    {"max_reconsume_times", &PushConsumerSettings::max_reconsume_times},
    {"consume_timeout", &PushConsumerSettings::consume_timeout},
    {"suspend_current_queue_time_millis",
     &PushConsumerSettings::suspend_current_queue_time_millis},
    {"lock_interval", &PushConsumerSettings::lock_interval},
    {"lock_max_live_time", &PushConsumerSettings::lock_max_live_time},
    {"max_time_consume_continuously",
     &PushConsumerSettings::max_time_consume_continuously},
    {"unlock_delay_time_mills", &PushConsumerSettings::unlock_delay_time_mills},
};

constexpr SettingField<LitePullSettings> kLitePullSettingFields[] = {
    {"pull_batch_size", &LitePullSettings::pull_batch_size},
    {"pull_thread_nums", &LitePullSettings::pull_thread_nums},
    {"pull_threshold_for_all", &LitePullSettings::pull_threshold_for_all},
    {"pull_threshold_for_queue", &LitePullSettings::pull_threshold_for_queue},
    {"pull_threshold_size_for_queue",
     &LitePullSettings::pull_threshold_size_for_queue},
    {"consume_max_span", &LitePullSettings::consume_max_span},
    {"broker_suspend_max_time_millis",
     &LitePullSettings::broker_suspend_max_time_millis},
    {"consumer_timeout_millis_when_suspend",
     &LitePullSettings::consumer_timeout_millis_when_suspend},
    {"poll_timeout_millis", &LitePullSettings::poll_timeout_millis},
    {"auto_commit", &LitePullSettings::auto_commit},
    {"auto_commit_interval_millis",
     &LitePullSettings::auto_commit_interval_millis},
    {"topic_metadata_check_interval_millis",
     &LitePullSettings::topic_metadata_check_interval_millis},
    {"pull_time_delay_mills_when_exception",
     &LitePullSettings::pull_time_delay_mills_when_exception},
    {"worker_threads", &LitePullSettings::worker_threads},
};

constexpr SettingField<PullSettings> kPullSettingFields[] = {
    {"consumer_pull_timeout_millis",
     &PullSettings::consumer_pull_timeout_millis},
    {"broker_suspend_max_time_millis",
     &PullSettings::broker_suspend_max_time_millis},
    {"consumer_timeout_millis_when_suspend",
     &PullSettings::consumer_timeout_millis_when_suspend},
    {"pull_thread_nums", &PullSettings::pull_thread_nums},
    {"block_if_not_found", &PullSettings::block_if_not_found},
    {"max_nums", &PullSettings::max_nums},
    {"pull_next_delay_time_millis", &PullSettings::pull_next_delay_time_millis},
};

constexpr SettingField<ProducerSettings> kProducerSettingFields[] = {
    {"send_msg_timeout", &ProducerSettings::send_msg_timeout},
    {"retry_times_when_send_failed",
     &ProducerSettings::retry_times_when_send_failed},
    {"retry_times_when_send_async_failed",
     &ProducerSettings::retry_times_when_send_async_failed},
    {"max_in_flight", &ProducerSettings::max_in_flight},
    {"send_msg_max_timeout_per_request",
     &ProducerSettings::send_msg_max_timeout_per_request},
    {"retry_another_broker_when_not_store_ok",
     &ProducerSettings::retry_another_broker_when_not_store_ok},
    {"max_message_size", &ProducerSettings::max_message_size},
    {"default_topic_queue_nums", &ProducerSettings::default_topic_queue_nums},
    {"send_latency_enable", &ProducerSettings::send_latency_enable},
    {"latency_max", &ProducerSettings::latency_max},
    {"not_available_duration", &ProducerSettings::not_available_duration},
    {"start_detector_enable", &ProducerSettings::start_detector_enable},
    {"detect_interval", &ProducerSettings::detect_interval},
    {"detect_timeout", &ProducerSettings::detect_timeout},
};

constexpr SettingField<BrokerSettings> kBrokerSettingFields[] = {
    {"register_name_server_period",
     &BrokerSettings::register_name_server_period},
    {"register_broker_timeout_mills",
     &BrokerSettings::register_broker_timeout_mills},
    {"broker_permission", &BrokerSettings::broker_permission},
    {"channel_expired_timeout", &BrokerSettings::channel_expired_timeout},
    {"server_channel_max_idle_time_seconds",
     &BrokerSettings::server_channel_max_idle_time_seconds},
    {"notify_consumer_ids_changed_enable",
     &BrokerSettings::notify_consumer_ids_changed_enable},
    {"real_time_notify_consumer_change",
     &BrokerSettings::real_time_notify_consumer_change},
    {"auto_create_subscription_group",
     &BrokerSettings::auto_create_subscription_group},
    {"auto_create_topic_enable", &BrokerSettings::auto_create_topic_enable},
    {"long_polling_enable", &BrokerSettings::long_polling_enable},
    {"short_polling_time_mills", &BrokerSettings::short_polling_time_mills},
    {"max_transfer_count_on_message_in_memory",
     &BrokerSettings::max_transfer_count_on_message_in_memory},
    {"max_transfer_bytes_on_message_in_memory",
     &BrokerSettings::max_transfer_bytes_on_message_in_memory},
    {"max_transfer_count_on_message_in_disk",
     &BrokerSettings::max_transfer_count_on_message_in_disk},
    {"max_transfer_bytes_on_message_in_disk",
     &BrokerSettings::max_transfer_bytes_on_message_in_disk},
    {"max_filter_message_size", &BrokerSettings::max_filter_message_size},
    {"access_message_in_memory_max_ratio",
     &BrokerSettings::access_message_in_memory_max_ratio},
    {"total_physical_memory_size", &BrokerSettings::total_physical_memory_size},
    {"max_message_size", &BrokerSettings::max_message_size},
    {"mapped_file_size_commit_log",
     &BrokerSettings::mapped_file_size_commit_log},
    {"file_reserved_time", &BrokerSettings::file_reserved_time},
    {"delete_when", &BrokerSettings::delete_when},
    {"flush_consumer_offset_interval",
     &BrokerSettings::flush_consumer_offset_interval},
    {"message_delay_level", &BrokerSettings::message_delay_level},
    {"flush_delay_offset_interval",
     &BrokerSettings::flush_delay_offset_interval},
    {"lock_max_live_time", &BrokerSettings::lock_max_live_time},
    {"use_server_side_reset_offset",
     &BrokerSettings::use_server_side_reset_offset},
    {"broker_fast_failure_enable", &BrokerSettings::broker_fast_failure_enable},
    {"wait_time_mills_in_send_queue",
     &BrokerSettings::wait_time_mills_in_send_queue},
    {"wait_time_mills_in_pull_queue",
     &BrokerSettings::wait_time_mills_in_pull_queue},
    {"wait_time_mills_in_lite_pull_queue",
     &BrokerSettings::wait_time_mills_in_lite_pull_queue},
    {"wait_time_mills_in_heartbeat_queue",
     &BrokerSettings::wait_time_mills_in_heartbeat_queue},
    {"wait_time_mills_in_admin_broker_queue",
     &BrokerSettings::wait_time_mills_in_admin_broker_queue},
};

constexpr SettingField<NameServerSettings> kNameServerSettingFields[] = {
    {"scan_not_active_broker_interval",
     &NameServerSettings::scan_not_active_broker_interval},
    {"default_broker_channel_expired_time",
     &NameServerSettings::default_broker_channel_expired_time},
    {"un_register_broker_queue_capacity",
     &NameServerSettings::un_register_broker_queue_capacity},
    {"need_wait_for_service", &NameServerSettings::need_wait_for_service},
    {"wait_seconds_for_service", &NameServerSettings::wait_seconds_for_service},
    {"server_channel_max_idle_time_seconds",
     &NameServerSettings::server_channel_max_idle_time_seconds},
};

// The value of a set field, as the member's type has it.
template <class Struct, class Value>
void SetMember(const google::protobuf::Message& from,
               const google::protobuf::FieldDescriptor& field,
               Value Struct::*member, Struct& out) {
  const google::protobuf::Reflection& reflection = *from.GetReflection();
  using Field = google::protobuf::FieldDescriptor;
  const auto duration = [&field](const std::string& text) {
    const absl::StatusOr<Duration> value = ParseDuration(text);
    CHECK(value.ok()) << field.full_name() << " " << value.status();
    return *value;
  };
  if constexpr (std::is_same_v<Value, Duration>) {
    out.*member = duration(reflection.GetString(from, &field));
  } else if constexpr (std::is_same_v<Value, std::vector<Duration>>) {
    (out.*member).clear();
    for (int i = 0; i < reflection.FieldSize(from, &field); ++i) {
      (out.*member)
          .push_back(duration(reflection.GetRepeatedString(from, &field, i)));
    }
  } else if constexpr (std::is_same_v<Value, std::string>) {
    out.*member = reflection.GetString(from, &field);
  } else if constexpr (std::is_same_v<Value, bool>) {
    out.*member = reflection.GetBool(from, &field);
  } else {
    if (field.cpp_type() == Field::CPPTYPE_STRING) {
      const absl::StatusOr<int64_t> value =
          ParseSize(reflection.GetString(from, &field));
      CHECK(value.ok()) << field.full_name() << " " << value.status();
      out.*member = static_cast<Value>(*value);
    } else if (field.cpp_type() == Field::CPPTYPE_INT64) {
      out.*member = static_cast<Value>(reflection.GetInt64(from, &field));
    } else {
      CHECK(field.cpp_type() == Field::CPPTYPE_INT32) << field.full_name();
      out.*member = static_cast<Value>(reflection.GetInt32(from, &field));
    }
  }
}

template <class Struct>
void ApplyFields(const google::protobuf::Message& from,
                 absl::Span<const SettingField<Struct>> fields, Struct& out) {
  for (const SettingField<Struct>& field : fields) {
    const auto* descriptor =
        from.GetDescriptor()->FindFieldByName(std::string(field.name));
    CHECK(descriptor != nullptr) << field.name;
    const bool given =
        descriptor->is_repeated()
            ? from.GetReflection()->FieldSize(from, descriptor) > 0
            : from.GetReflection()->HasField(from, descriptor);
    if (!given) continue;
    std::visit([&](auto member) { SetMember(from, *descriptor, member, out); },
               field.member);
  }
}

}  // namespace

absl::Span<const SettingField<ClientSettings>> ClientSettingFields() {
  return kClientSettingFields;
}

absl::Span<const SettingField<PushConsumerSettings>> ConsumeSettingFields() {
  return kConsumeSettingFields;
}

absl::Span<const SettingField<LitePullSettings>> LitePullSettingFields() {
  return kLitePullSettingFields;
}
absl::Span<const SettingField<PullSettings>> PullSettingFields() {
  return kPullSettingFields;
}
absl::Span<const SettingField<ProducerSettings>> ProducerSettingFields() {
  return kProducerSettingFields;
}

absl::Span<const SettingField<BrokerSettings>> BrokerSettingFields() {
  return kBrokerSettingFields;
}

absl::Span<const SettingField<NameServerSettings>> NameServerSettingFields() {
  return kNameServerSettingFields;
}

void ApplySettings(const schema::ClientSettings& from, ClientSettings& out) {
  ApplyFields(from, ClientSettingFields(), out);
}

void ApplySettings(const schema::LitePullSettings& from,
                   LitePullSettings& out) {
  ApplyFields(from, LitePullSettingFields(), out);
}

void ApplySettings(const schema::PullSettings& from, PullSettings& out) {
  ApplyFields(from, PullSettingFields(), out);
}

void ApplySettings(const schema::ProducerSettings& from,
                   ProducerSettings& out) {
  ApplyFields(from, ProducerSettingFields(), out);
}

void ApplySettings(const schema::BrokerSettings& from, BrokerSettings& out) {
  ApplyFields(from, BrokerSettingFields(), out);
}

void ApplySettings(const schema::NameServerSettings& from,
                   NameServerSettings& out) {
  ApplyFields(from, NameServerSettingFields(), out);
}

void ApplySettings(const schema::ConsumeSettings& from,
                   PushConsumerSettings& out) {
  ApplyFields(from, ConsumeSettingFields(), out);
  if (from.has_consume_thread_min() && !from.has_consume_thread_max()) {
    out.consume_thread_max = out.consume_thread_min;
  } else if (from.has_consume_thread_max() && !from.has_consume_thread_min()) {
    out.consume_thread_min = out.consume_thread_max;
  }
}

}  // namespace groupsim
