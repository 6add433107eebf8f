#include "scenarios/reader/effect_rules.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "scenarios/reader/expressions.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/reader/places.h"

namespace groupsim {
namespace {

// How those consume whom a setting is for.
struct Modes {
  bool orderly = false;
  bool concurrently = false;
  bool lite_pull = false;
  bool clustering = false;  // Of any who have a listener.

  bool only_lite_pull() const { return lite_pull && !orderly && !concurrently; }

  bool only_broadcasting() const {
    return (orderly || concurrently) && !clustering;
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
      : scenario_(scenario), judge_(judge) {}

  void Check() {
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
                                return IsOfBlock(name, block);
                              })
                : !change.has_group() || change.group() == group.name();
        if (meant) Add(group, block, modes);
      }
    }
    return modes;
  }

  // Whether a process may be one of a block, by its name.
  static bool IsOfBlock(absl::string_view name, const schema::Consumer& block) {
    if (!block.has_count()) return name == block.name();
    return name.size() > block.name().size() + 1 &&
           absl::StartsWith(name, block.name()) &&
           name[block.name().size()] == '-';
  }

  // Push consumers only are suspended or change what they subscribe to.
  void CheckPushOnly(const schema::Event& event, const std::string& path) {
    const auto check = [&](absl::string_view action, const auto& consumers) {
      for (int i = 0; i < consumers.size(); ++i) {
        if (!Polls(consumers[i])) continue;
        judge_.Value(FieldPath(FieldPath(path, action), "consumer", i),
                     absl::StrCat(action, " has no effect on \"", consumers[i],
                                  "\" with mode: LITE_PULL"),
                     "name consumers with another mode");
      }
    };
    check("suspend_consumer", event.suspend_consumer().consumer());
    check("resume_consumer", event.resume_consumer().consumer());
    check("change_subscription", event.change_subscription().consumer());
  }

  bool Polls(const std::string& consumer) const {
    for (const schema::Group& group : scenario_.group()) {
      for (const schema::Consumer& block : group.consumer()) {
        if (IsOfBlock(consumer, block)) {
          return IsLitePull(group, block);
        }
      }
    }
    return false;
  }

  void CheckLitePull(const schema::Group& group, const Modes& all,
                     const std::string& path) {
    if (all.lite_pull && (all.orderly || all.concurrently)) {
      judge_.Name(path,
                  "a group with lite pull consumers and others is not "
                  "supported yet",
                  "give all of its consumers mode: LITE_PULL, or none");
    }
    if (all.lite_pull && group.message_model() == schema::Group::BROADCASTING) {
      judge_.Value(FieldPath(path, "message_model"),
                   "lite pull consumers that broadcast are not supported yet");
    }
    if (all.lite_pull) CheckTakesAll(group.subscribe(), path);
    for (int i = 0; i < group.consumer_size(); ++i) {
      if (IsLitePull(group, group.consumer(i))) {
        CheckTakesAll(group.consumer(i).subscribe(),
                      FieldPath(path, "consumer", i));
      }
      if (group.consumer(i).assign_size() == 0 ||
          IsLitePull(group, group.consumer(i))) {
        continue;
      }
      NoEffect(FieldPath(FieldPath(path, "consumer", i), "assign", 0), "assign",
               "without mode: LITE_PULL",
               "choose strategy { by_config { queues: ... } }");
    }
  }

  void CheckTakesAll(
      const google::protobuf::RepeatedPtrField<schema::Subscription>& all,
      const std::string& path) {
    for (int i = 0; i < all.size(); ++i) {
      if (TagsOf(all[i].expression()).empty()) continue;
      judge_.Value(FieldPath(FieldPath(path, "subscribe", i), "expression"),
                   "tags for lite pull consumers are not supported yet",
                   "leave it out");
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
    CheckLitePull(group, all, path);
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
    if (modes.only_lite_pull()) CheckPushSettings(consume, path);
    if (consume.has_lite_pull() && !modes.lite_pull &&
        (modes.orderly || modes.concurrently)) {
      NoEffect(FieldPath(path, "lite_pull"), "lite_pull",
               "without mode: LITE_PULL",
               "add mode: LITE_PULL, or leave it out");
    }
  }

  // Settings of push consumers, written where there are none.
  void CheckPushSettings(const schema::ConsumeSettings& consume,
                         const std::string& path) {
    std::vector<const google::protobuf::FieldDescriptor*> fields;
    consume.GetReflection()->ListFields(consume, &fields);
    for (const google::protobuf::FieldDescriptor* field : fields) {
      const std::string& name = field->name();
      if (name == "mode" || name == "lite_pull") continue;
      const bool has_both =
          schema::LitePullSettings::descriptor()->FindFieldByName(name) !=
          nullptr;
      NoEffect(FieldPath(path, name), name, "with mode: LITE_PULL",
               has_both ? "set it in lite_pull" : "leave it out");
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
    if (modes.only_lite_pull()) {
      CheckApplication(listener, path);
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

  // One that polls, in the words of a listener.
  void CheckApplication(const schema::Listener& listener,
                        const std::string& path) {
    constexpr absl::string_view kWhere = "with mode: LITE_PULL";
    constexpr absl::string_view kForgotten =
        "what fails there is forgotten: leave it out";
    if (listener.has_auto_commit()) {
      NoEffect(FieldPath(path, "auto_commit"), "auto_commit", kWhere,
               "set it in consume.lite_pull");
    }
    if (listener.has_leaves_body_size()) {
      NoEffect(FieldPath(path, "leaves_body_size"), "leaves_body_size", kWhere,
               "leave it out");
    }
    if (listener.has_on_interrupt()) {
      NoEffect(FieldPath(path, "on_interrupt"), "on_interrupt", kWhere,
               "no thread of the consumer runs an application: leave it out");
    }
    for (int i = 0; i < listener.fails_size(); ++i) {
      const schema::Failure& failure = listener.fails(i);
      const std::string at = FieldPath(path, "fails", i);
      if (failure.has_delay_level()) {
        NoEffect(FieldPath(at, "delay_level"), "delay_level", kWhere,
                 std::string(kForgotten));
      }
      if (failure.has_ack_index()) {
        NoEffect(FieldPath(at, "ack_index"), "ack_index", kWhere,
                 std::string(kForgotten));
      }
      if (failure.how() == schema::Failure::COMMIT ||
          failure.how() == schema::Failure::ROLLBACK) {
        NoEffect(FieldPath(at, "how"), schema::Failure::How_Name(failure.how()),
                 kWhere, "choose another one");
      }
    }
  }

  const Scenario& scenario_;
  Judge& judge_;
};

}  // namespace

void CheckEffects(const Scenario& scenario, Judge& judge) {
  EffectChecker(scenario, judge).Check();
}

}  // namespace groupsim
