#include "scenarios/reader/effect_rules.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/reader/places.h"
#include "scenarios/reader/roster.h"

namespace groupsim {
namespace {

// How those consume whom a setting is for.
struct Modes {
  bool orderly = false;
  bool concurrently = false;
  bool lite_pull = false;
  bool pull = false;
  bool clustering = false;  // Of any who have a listener.
  // Of any who pull: whether brokers may hold that.
  bool held = false;
  bool not_held = false;

  bool listens() const { return orderly || concurrently; }
  bool only_applications() const { return (lite_pull || pull) && !listens(); }
  bool only_broadcasting() const { return listens() && !clustering; }
  // Of applications, in words.
  absl::string_view where() const {
    return !pull        ? "with mode: LITE_PULL"
           : !lite_pull ? "with mode: PULL"
                        : "with mode: PULL or LITE_PULL";
  }
};

struct SettingOfMode {
  const char* name;
  bool orderly;  // Only there; otherwise only where concurrently.
};
constexpr SettingOfMode kSettingsOfModes[] = {
    {"suspend_current_queue_time_millis", true},
    {"lock_interval", true},
    {"lock_max_live_time", true},
    {"max_time_consume_continuously", true},
    {"unlock_delay_time_mills", true},
    {"consume_concurrently_max_span", false},
    {"consume_timeout", false},
};
// Nobody locks a queue or sends a message back who broadcasts.
constexpr const char* kSettingsOfClustering[] = {
    "lock_interval", "lock_max_live_time", "unlock_delay_time_mills"};

class EffectChecker {
 public:
  EffectChecker(const Scenario& scenario, Judge& judge)
      : scenario_(scenario), judge_(judge) {
    const Growth growth(scenario);
    for (const RosterEntry& entry : RosterOf(scenario, growth)) {
      blocks_.emplace(entry.name,
                      &scenario.group(entry.group).consumer(entry.block));
    }
  }

  void Check() {
    CheckBrokers();
    for (int i = 0; i < scenario_.producer_size(); ++i) {
      CheckProducer(scenario_.producer(i), FieldPath("", "producer", i));
    }
    for (int i = 0; i < scenario_.group_size(); ++i) {
      CheckGroup(scenario_.group(i), FieldPath("", "group", i));
    }
    for (int i = 0; i < scenario_.at_size(); ++i) {
      CheckPushOnly(scenario_.at(i), FieldPath("", "at", i));
      if (!scenario_.at(i).has_change_listener()) continue;
      const schema::ChangeListener& change = scenario_.at(i).change_listener();
      CheckListener(
          change.listener(), ModesOf(change),
          FieldPath(FieldPath(FieldPath("", "at", i), "change_listener"),
                    "listener"));
    }
  }

 private:
  void NoEffect(const std::string& path, absl::string_view field,
                absl::string_view where, std::string remedy) {
    judge_.Value(path, absl::StrCat(field, " has no effect ", where),
                 std::move(remedy));
  }

  // ---- Brokers

  void CheckBrokers() {
    CheckFastFailure(scenario_.broker_defaults(), scenario_.broker_defaults(),
                     "broker_defaults");
    for (int i = 0; i < scenario_.broker_size(); ++i) {
      const schema::Broker& broker = scenario_.broker(i);
      const std::string at = FieldPath(FieldPath("", "broker", i), "settings");
      schema::BrokerSettings all = scenario_.broker_defaults();
      all.MergeFrom(broker.settings());
      CheckFastFailure(broker.settings(), all, at);
      const schema::Profile profile =
          broker.has_profile() ? broker.profile() : scenario_.profile();
      if (profile == schema::ROCKETMQ_4_9 &&
          broker.settings().use_server_side_reset_offset()) {
        NoEffect(FieldPath(at, "use_server_side_reset_offset"),
                 "use_server_side_reset_offset: true",
                 "on a broker of release 4.9", "leave it out");
      }
    }
  }

  void CheckFastFailure(const schema::BrokerSettings& written,
                        const schema::BrokerSettings& all,
                        const std::string& path) {
    if (!all.has_broker_fast_failure_enable() ||
        all.broker_fast_failure_enable()) {
      return;
    }
    const google::protobuf::Reflection& reflection = *written.GetReflection();
    for (const char* const name :
         {"wait_time_mills_in_send_queue", "wait_time_mills_in_pull_queue",
          "wait_time_mills_in_lite_pull_queue",
          "wait_time_mills_in_heartbeat_queue",
          "wait_time_mills_in_admin_broker_queue"}) {
      const auto* field = written.GetDescriptor()->FindFieldByName(name);
      if (!reflection.HasField(written, field)) continue;
      NoEffect(FieldPath(path, name), name,
               "with broker_fast_failure_enable: false", "leave it out");
    }
  }

  // ---- Producers

  void CheckProducer(const schema::Producer& producer,
                     const std::string& path) {
    const std::string at = FieldPath(path, "settings");
    const schema::ProducerSettings& settings = producer.settings();
    const auto without = [&](absl::string_view field, bool repeated,
                             absl::string_view other) {
      NoEffect(repeated ? FieldPath(at, field, 0) : FieldPath(at, field), field,
               absl::StrCat("without ", other),
               absl::StrCat("add ", other, ": true, or leave it out"));
    };
    if (!settings.send_latency_enable()) {
      constexpr absl::string_view kOther = "send_latency_enable";
      if (settings.latency_max_size() > 0) {
        without("latency_max", true, kOther);
      }
      if (settings.not_available_duration_size() > 0) {
        without("not_available_duration", true, kOther);
      }
      if (settings.start_detector_enable()) {
        without("start_detector_enable", false, kOther);
      }
    }
    if (!settings.start_detector_enable()) {
      constexpr absl::string_view kOther = "start_detector_enable";
      if (settings.has_detect_interval()) {
        without("detect_interval", false, kOther);
      }
      if (settings.has_detect_timeout()) {
        without("detect_timeout", false, kOther);
      }
    }
    const auto of_mode = [&](absl::string_view field, absl::string_view other) {
      const absl::string_view mode =
          schema::Producer::SendMode_Name(producer.send_mode());
      NoEffect(FieldPath(at, field), field,
               absl::StrCat("with send_mode ", mode),
               producer.send_mode() == schema::Producer::ONEWAY
                   ? "nobody learns that such a send failed; leave it out"
                   : absl::StrCat("there it is ", other));
    };
    if (settings.has_retry_times_when_send_failed() &&
        producer.send_mode() != schema::Producer::SYNC) {
      of_mode("retry_times_when_send_failed",
              "retry_times_when_send_async_failed");
    }
    if (settings.has_retry_times_when_send_async_failed() &&
        producer.send_mode() != schema::Producer::ASYNC) {
      of_mode("retry_times_when_send_async_failed",
              "retry_times_when_send_failed");
    }
  }

  // ---- Groups

  static void Add(const schema::Group& group, const schema::Consumer& block,
                  Modes& modes) {
    if (IsLitePull(group, block)) {
      modes.lite_pull = true;
      return;
    }
    if (IsPull(group, block)) {
      modes.pull = true;
      const bool held = ConsumeOf(group, block).pull().block_if_not_found();
      (held ? modes.held : modes.not_held) = true;
      return;
    }
    (IsOrderly(group, block) ? modes.orderly : modes.concurrently) = true;
    if (group.message_model() != schema::Group::BROADCASTING) {
      modes.clustering = true;
    }
  }

  Modes ModesOf(const schema::ChangeListener& change) const {
    Modes modes;
    for (const schema::Group& group : scenario_.group()) {
      for (const schema::Consumer& block : group.consumer()) {
        const bool meant =
            change.consumer_size() > 0
                ? std::any_of(change.consumer().begin(),
                              change.consumer().end(),
                              [&](const std::string& name) {
                                return BlockOf(name) == &block;
                              })
                : !change.has_group() || change.group() == group.name();
        if (meant) Add(group, block, modes);
      }
    }
    return modes;
  }

  // Push consumers only are suspended or change what they subscribe to.
  void CheckPushOnly(const schema::Event& event, const std::string& path) {
    const auto check = [&](absl::string_view action, const auto& consumers) {
      for (int i = 0; i < consumers.size(); ++i) {
        const Modes modes = ModesOf(consumers[i]);
        if (!modes.only_applications()) continue;
        judge_.Value(FieldPath(FieldPath(path, action), "consumer", i),
                     absl::StrCat(action, " has no effect on \"", consumers[i],
                                  "\" ", modes.where()),
                     "name consumers with another mode");
      }
    };
    check("suspend_consumer", event.suspend_consumer().consumer());
    check("resume_consumer", event.resume_consumer().consumer());
    check("change_subscription", event.change_subscription().consumer());
  }

  // The block that a process is of; null if there is no such process.
  const schema::Consumer* BlockOf(const std::string& process) const {
    const auto found = blocks_.find(process);
    return found == blocks_.end() ? nullptr : found->second;
  }

  Modes ModesOf(const std::string& consumer) const {
    Modes modes;
    const schema::Consumer* const named = BlockOf(consumer);
    for (const schema::Group& group : scenario_.group()) {
      for (const schema::Consumer& block : group.consumer()) {
        if (&block == named) Add(group, block, modes);
      }
    }
    return modes;
  }

  void CheckApplications(const schema::Group& group, const Modes& all,
                         const std::string& path) {
    if (all.pull && !all.listens() && !all.lite_pull &&
        group.has_consume_from_where()) {
      NoEffect(FieldPath(path, "consume_from_where"), "consume_from_where",
               all.where(),
               "the application begins with what there is: leave it out");
    }
    for (int i = 0; i < group.consumer_size(); ++i) {
      if (group.consumer(i).assign_size() == 0) continue;
      const std::string at =
          FieldPath(FieldPath(path, "consumer", i), "assign", 0);
      if (group.consumer(i).has_strategy()) {
        NoEffect(FieldPath(FieldPath(path, "consumer", i), "strategy"),
                 "strategy", "with assign", "leave one of the two out");
      }
      if (!IsLitePull(group, group.consumer(i))) {
        NoEffect(at, "assign", "without mode: LITE_PULL",
                 "choose strategy { by_config { queues: ... } }");
      } else if (group.message_model() == schema::Group::BROADCASTING) {
        judge_.Value(at,
                     "assign where the group broadcasts is not supported yet",
                     "leave it out");
      }
    }
  }

  void CheckGroup(const schema::Group& group, const std::string& path) {
    Modes all;
    Modes of_listener;
    for (int i = 0; i < group.consumer_size(); ++i) {
      const schema::Consumer& block = group.consumer(i);
      const std::string at = FieldPath(path, "consumer", i);
      Modes own;
      Add(group, block, own);
      Add(group, block, all);
      if (!block.has_listener()) Add(group, block, of_listener);
      CheckConsume(block.consume(), own, FieldPath(at, "consume"));
      CheckListener(block.listener(), own, FieldPath(at, "listener"));
    }
    CheckApplications(group, all, path);
    CheckConsume(group.consume(), all, FieldPath(path, "consume"));
    CheckListener(group.listener(), of_listener, FieldPath(path, "listener"));
    if (group.subscription_group().has_retry_max_times()) {
      NoEffect(
          FieldPath(FieldPath(path, "subscription_group"), "retry_max_times"),
          "retry_max_times",
          "where consumers say how often a message comes again, and those "
          "of this release do",
          "set consume.max_reconsume_times of the group instead");
    }
  }

  void CheckConsume(const schema::ConsumeSettings& consume, const Modes& modes,
                    const std::string& path) {
    for (const SettingOfMode& setting : kSettingsOfModes) {
      const google::protobuf::FieldDescriptor& field =
          *consume.GetDescriptor()->FindFieldByName(setting.name);
      if (!consume.GetReflection()->HasField(consume, &field)) continue;
      if (setting.orderly ? modes.orderly : modes.concurrently) continue;
      if (!modes.orderly && !modes.concurrently) continue;
      NoEffect(FieldPath(path, setting.name), setting.name,
               setting.orderly ? "where messages are consumed concurrently"
                               : "where messages are consumed orderly",
               setting.orderly ? "add mode: ORDERLY, or leave it out"
                               : "leave it out");
    }
    CheckForgetting(consume, modes, path);
    if (modes.only_applications()) CheckPushSettings(consume, modes, path);
    const auto needs_mode = [&](absl::string_view field, bool has,
                                absl::string_view mode) {
      if (!has || !(modes.listens() || modes.lite_pull || modes.pull)) return;
      NoEffect(FieldPath(path, field), field,
               absl::StrCat("without mode: ", mode),
               absl::StrCat("add mode: ", mode, ", or leave it out"));
    };
    needs_mode("lite_pull", consume.has_lite_pull() && !modes.lite_pull,
               "LITE_PULL");
    needs_mode("pull", consume.has_pull() && !modes.pull, "PULL");
    if (modes.pull) CheckPull(consume.pull(), modes, FieldPath(path, "pull"));
    const schema::LitePullSettings& polled = consume.lite_pull();
    if (polled.has_auto_commit() && !polled.auto_commit() &&
        polled.has_auto_commit_interval_millis()) {
      NoEffect(FieldPath(FieldPath(path, "lite_pull"),
                         "auto_commit_interval_millis"),
               "auto_commit_interval_millis", "with auto_commit: false",
               "leave it out");
    }
  }

  // What a pull needs depends on whether it may be held.
  void CheckPull(const schema::PullSettings& pull, const Modes& modes,
                 const std::string& path) {
    const auto check = [&](absl::string_view field, bool has, bool needed,
                           bool held) {
      if (!has || needed) return;
      NoEffect(
          FieldPath(path, field), field,
          absl::StrCat(held ? "without" : "with", " block_if_not_found: true"),
          held ? "add it, or leave this out" : "leave it out");
    };
    check("broker_suspend_max_time_millis",
          pull.has_broker_suspend_max_time_millis(), modes.held, true);
    check("consumer_timeout_millis_when_suspend",
          pull.has_consumer_timeout_millis_when_suspend(), modes.held, true);
    check("consumer_pull_timeout_millis",
          pull.has_consumer_pull_timeout_millis(), modes.not_held, false);
  }

  // Settings of push consumers, written where there are none.
  void CheckPushSettings(const schema::ConsumeSettings& consume,
                         const Modes& modes, const std::string& path) {
    const auto has = [](const google::protobuf::Descriptor* settings,
                        const std::string& name) {
      return settings->FindFieldByName(name) != nullptr;
    };
    std::vector<const google::protobuf::FieldDescriptor*> fields;
    consume.GetReflection()->ListFields(consume, &fields);
    for (const google::protobuf::FieldDescriptor* field : fields) {
      const std::string& name = field->name();
      if (name == "mode" || name == "lite_pull" || name == "pull") continue;
      NoEffect(
          FieldPath(path, name), name, modes.where(),
          modes.lite_pull && has(schema::LitePullSettings::descriptor(), name)
              ? "set it in lite_pull"
          : modes.pull && has(schema::PullSettings::descriptor(), name)
              ? "set it in pull"
              : "leave it out");
    }
  }

  void CheckForgetting(const schema::ConsumeSettings& consume,
                       const Modes& modes, const std::string& path) {
    constexpr absl::string_view kWhere = "where the group broadcasts";
    if (!modes.only_broadcasting()) return;
    for (const char* setting : kSettingsOfClustering) {
      const google::protobuf::FieldDescriptor& field =
          *consume.GetDescriptor()->FindFieldByName(setting);
      if (!modes.orderly ||
          !consume.GetReflection()->HasField(consume, &field)) {
        continue;
      }
      NoEffect(FieldPath(path, setting), setting, kWhere,
               "nobody locks queues there: leave it out");
    }
    if (consume.has_max_reconsume_times() && !modes.orderly) {
      NoEffect(FieldPath(path, "max_reconsume_times"), "max_reconsume_times",
               kWhere,
               "what fails there is forgotten, or comes again for ever with "
               "mode: ORDERLY; leave it out");
    }
  }

  void CheckListener(const schema::Listener& listener, const Modes& modes,
                     const std::string& path) {
    const bool only_orderly = modes.orderly && !modes.concurrently;
    const bool only_concurrently = modes.concurrently && !modes.orderly;
    constexpr absl::string_view kOrderly =
        "where messages are consumed orderly";
    constexpr absl::string_view kConcurrently =
        "where messages are consumed concurrently";
    if (only_concurrently && listener.has_auto_commit()) {
      NoEffect(FieldPath(path, "auto_commit"), "auto_commit", kConcurrently,
               "add mode: ORDERLY to the group's consume, or leave it out");
    }
    if (only_orderly && listener.has_leaves_body_size()) {
      NoEffect(FieldPath(path, "leaves_body_size"), "leaves_body_size",
               kOrderly, "leave it out");
    }
    const bool commits = !listener.has_auto_commit() || listener.auto_commit();
    if (modes.only_applications()) {
      CheckApplication(listener, modes, path);
      return;
    }
    for (int i = 0; i < listener.fails_size(); ++i) {
      const schema::Failure& failure = listener.fails(i);
      const std::string at = FieldPath(path, "fails", i);
      if (modes.only_broadcasting() && !modes.orderly &&
          failure.has_delay_level()) {
        NoEffect(FieldPath(at, "delay_level"), "delay_level",
                 "where the group broadcasts",
                 "what fails there is forgotten: leave it out");
      }
      if (only_orderly && failure.has_delay_level()) {
        NoEffect(FieldPath(at, "delay_level"), "delay_level", kOrderly,
                 "a message comes again after "
                 "consume.suspend_current_queue_time_millis there");
      }
      if (only_orderly && failure.has_ack_index()) {
        NoEffect(FieldPath(at, "ack_index"), "ack_index", kOrderly,
                 "a call fails or succeeds there with all of its messages: "
                 "leave it out");
      }
      if (failure.how() != schema::Failure::COMMIT &&
          failure.how() != schema::Failure::ROLLBACK) {
        continue;
      }
      const std::string how = schema::Failure::How_Name(failure.how());
      if (modes.concurrently) {
        NoEffect(FieldPath(at, "how"), how, kConcurrently,
                 "add mode: ORDERLY to the group's consume");
      } else if (commits) {
        NoEffect(FieldPath(at, "how"), how, "with auto_commit",
                 "add auto_commit: false to the listener");
      }
    }
  }

  // One that pulls, in the words of a listener.
  void CheckApplication(const schema::Listener& listener, const Modes& modes,
                        const std::string& path) {
    const absl::string_view where = modes.where();
    constexpr absl::string_view kForgotten =
        "what fails there is forgotten: leave it out";
    if (listener.has_auto_commit()) {
      NoEffect(
          FieldPath(path, "auto_commit"), "auto_commit", where,
          modes.lite_pull ? "set it in consume.lite_pull" : "leave it out");
    }
    if (listener.has_leaves_body_size()) {
      NoEffect(FieldPath(path, "leaves_body_size"), "leaves_body_size", where,
               "leave it out");
    }
    if (listener.has_on_interrupt()) {
      NoEffect(FieldPath(path, "on_interrupt"), "on_interrupt", where,
               "no thread of the consumer runs an application: leave it out");
    }
    for (int i = 0; i < listener.fails_size(); ++i) {
      const schema::Failure& failure = listener.fails(i);
      const std::string at = FieldPath(path, "fails", i);
      if (failure.has_delay_level()) {
        NoEffect(FieldPath(at, "delay_level"), "delay_level", where,
                 std::string(kForgotten));
      }
      if (failure.has_ack_index()) {
        NoEffect(FieldPath(at, "ack_index"), "ack_index", where,
                 std::string(kForgotten));
      }
      if (failure.how() == schema::Failure::COMMIT ||
          failure.how() == schema::Failure::ROLLBACK) {
        NoEffect(FieldPath(at, "how"), schema::Failure::How_Name(failure.how()),
                 where, "choose another one");
      }
    }
  }

  const Scenario& scenario_;
  Judge& judge_;
  // By the name of a process.
  absl::flat_hash_map<std::string, const schema::Consumer*> blocks_;
};

}  // namespace

void CheckEffects(const Scenario& scenario, Judge& judge) {
  EffectChecker(scenario, judge).Check();
}

}  // namespace groupsim
