#include "scenarios/reader/timeline_meaning.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "model/wire/codes.h"
#include "scenarios/reader/expressions.h"
#include "scenarios/reader/nearest.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// How often all events together may take place.
constexpr int64_t kMostOccurrences = 1'000'000;

// The field of the action that an event has; null if none.
const FieldDescriptor* ActionOf(const schema::Event& event) {
  return event.GetReflection()->GetOneofFieldDescriptor(
      event, event.GetDescriptor()->FindOneofByName("action"));
}

class TimelineChecker {
 public:
  TimelineChecker(const Scenario& scenario, const Growth& growth,
                  ScenarioNames& names, Judge& judge)
      : scenario_(scenario), growth_(growth), names_(names), judge_(judge) {}

  void Check() {
    int64_t occurrences = 0;
    for (int i = 0; i < scenario_.at_size() && !judge_.full(); ++i) {
      const schema::Event& event = scenario_.at(i);
      const std::string path = FieldPath("", "at", i);
      CheckWhen(event, path);
      occurrences += MostTimes(event, scenario_);
      const FieldDescriptor* action = ActionOf(event);
      if (action == nullptr) continue;
      const std::string at = FieldPath(path, action->name());
      CheckProcesses(event.GetReflection()->GetMessage(event, action), at);
      if (event.has_scale()) CheckScale(event.scale(), at);
      if (event.has_add_queues()) CheckAdd(event.add_queues(), at);
      if (event.has_shrink_queues()) CheckShrink(event.shrink_queues(), at);
      if (event.has_reset_offset()) CheckReset(event.reset_offset(), at);
      if (event.has_clone_offsets()) CheckClone(event.clone_offsets(), at);
      if (event.has_drop()) CheckDrop(event.drop(), at);
      if (event.has_change_subscription()) {
        CheckSubscription(event.change_subscription(), at);
      }
      CheckBrokersOfTopic(event, at);
    }
    if (occurrences > kMostOccurrences) {
      judge_.Name("at[0]", absl::StrCat("the events take place ", occurrences,
                                        " times; at most ", kMostOccurrences,
                                        " are allowed"));
    }
  }

 private:
  void CheckWhen(const schema::Event& event, const std::string& path) {
    if (event.has_after()) CheckAfter(event.after(), FieldPath(path, "after"));
    if (!event.has_every()) {
      for (const absl::string_view field : {"from", "until"}) {
        if (field == "from" ? event.has_from() : event.has_until()) {
          judge_.Value(FieldPath(path, field),
                       absl::StrCat(field, " has no effect without every"));
        }
      }
      return;
    }
    const std::string& first = event.has_from() ? event.from() : event.every();
    const std::optional<Duration> from = DurationOf(first);
    const std::optional<Duration> until = DurationOf(event.until());
    if (from && until && *from > *until) {
      judge_.Value(FieldPath(path, "until"),
                   absl::StrCat("until is ", event.until(),
                                ", before the first time (", first, ")"));
    }
  }

  void CheckAfter(const schema::AfterFact& after, const std::string& path) {
    names_.CheckQueues(after.queues(), names_.TopicNamed(after.topic()),
                       FieldPath(path, "queues"));
  }

  // Processes are named, wherever an action takes some.
  void CheckProcesses(const Message& message, const std::string& path) {
    if (message.GetDescriptor() == schema::Processes::descriptor()) {
      CheckNotEmpty(static_cast<const schema::Processes&>(message), path);
      return;
    }
    const Reflection& reflection = *message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->message_type() == schema::Processes::descriptor()) {
        CheckProcesses(reflection.GetMessage(message, field),
                       FieldPath(path, field->name()));
      }
    }
  }

  void CheckNotEmpty(const schema::Processes& processes,
                     const std::string& path) {
    for (const absl::string_view kind :
         {"consumer", "broker", "name_server", "producer", "group"}) {
      if (judge_.WasWritten(FieldPath(path, kind, 0)) ||
          judge_.WasWritten(FieldPath(path, kind))) {
        return;
      }
    }
    if (processes.ByteSizeLong() > 0) return;
    judge_.Name(path,
                absl::StrCat(path.substr(path.rfind('.') + 1),
                             " needs consumer, broker, name_server, producer "
                             "or group"));
  }

  void CheckDrop(const schema::RequestDrop& drop, const std::string& path) {
    for (int i = 0; i < drop.request_size(); ++i) {
      const std::string& request = drop.request(i);
      if (RequestCodeOf(request) != RequestCode::kNone) continue;
      const std::vector<absl::string_view> known = RequestNames();
      const std::string meant = DidYouMean(NearestName(request, known));
      judge_.Value(FieldPath(path, "request", i),
                   absl::StrCat("there is no request ", Quote(request)),
                   meant.empty() ? absl::StrCat("choose ",
                                                ListPlainNames(known, "or", 30))
                                 : meant);
    }
  }

  void CheckScale(const schema::Scale& scale, const std::string& path) {
    if (!scale.has_consumer() || judge_.HasFindingWithin(path)) return;
    std::vector<absl::string_view> blocks;
    for (const schema::Group& group : scenario_.group()) {
      for (const schema::Consumer& block : group.consumer()) {
        if (block.name() == scale.consumer()) {
          if (block.has_count()) return;
          judge_.Value(FieldPath(path, "consumer"),
                       absl::StrCat("consumer ", Quote(block.name()),
                                    " has no count: it is one process"));
          return;
        }
        if (block.has_count()) blocks.push_back(block.name());
      }
    }
    judge_.Value(FieldPath(path, "consumer"),
                 absl::StrCat("there is no block of consumers ",
                              Quote(scale.consumer())),
                 DidYouMean(NearestName(scale.consumer(), blocks)));
  }

  void CheckAdd(const schema::AddQueues& add, const std::string& path) {
    const schema::Topic* topic = names_.TopicNamed(add.topic());
    // Its first event tells.
    if (topic == nullptr || !grown_.insert(topic).second) return;
    for (const std::string& broker : topic->broker()) {
      const int64_t most = growth_.MostQueues(*topic, broker);
      if (most <= kMostQueuesOnBroker) continue;
      judge_.Name(path, absl::StrCat("topic ", Quote(topic->name()),
                                     " would have ", most, " queues on broker ",
                                     Quote(broker), "; at most ",
                                     kMostQueuesOnBroker, " are allowed"));
      return;
    }
  }

  void CheckShrink(const schema::ShrinkQueues& shrink,
                   const std::string& path) {
    if (shrink.has_write_to() || shrink.has_read_to()) return;
    if (judge_.WasWritten(FieldPath(path, "write_to")) ||
        judge_.WasWritten(FieldPath(path, "read_to"))) {
      return;
    }
    judge_.Name(path, "shrink_queues needs write_to or read_to");
  }

  void CheckReset(const schema::ResetOffset& reset, const std::string& path) {
    names_.CheckQueues(reset.queues(), names_.TopicNamed(reset.topic()),
                       FieldPath(path, "queues"));
  }

  void CheckClone(const schema::CloneOffsets& clone, const std::string& path) {
    if (!clone.has_from() || clone.from() != clone.to()) return;
    judge_.Value(FieldPath(path, "to"), "a group has its own offsets already");
  }

  void CheckSubscription(const schema::ChangeSubscription& change,
                         const std::string& path) {
    for (int i = 0; i < change.subscribe_size(); ++i) {
      CheckExpression(change.subscribe(i), FieldPath(path, "subscribe", i),
                      judge_);
    }
    for (int i = 0; i < change.unsubscribe_size(); ++i) {
      const std::string& topic = change.unsubscribe(i);
      if (std::none_of(change.subscribe().begin(), change.subscribe().end(),
                       [&topic](const schema::Subscription& one) {
                         return one.topic() == topic;
                       })) {
        continue;
      }
      judge_.Value(FieldPath(path, "unsubscribe", i),
                   absl::StrCat("topic ", Quote(topic),
                                " is subscribed to in the same change"));
    }
    if (change.subscribe_size() > 0 || change.unsubscribe_size() > 0 ||
        judge_.WasWritten(FieldPath(path, "subscribe", 0)) ||
        judge_.WasWritten(FieldPath(path, "unsubscribe", 0)) ||
        judge_.WasWritten(FieldPath(path, "unsubscribe"))) {
      return;
    }
    judge_.Name(path, "change_subscription needs subscribe or unsubscribe");
  }

  void CheckBrokersOfTopic(const schema::Event& event,
                           const std::string& path) {
    if (event.has_add_queues()) {
      CheckHaveTopic(event.add_queues(), path);
    } else if (event.has_shrink_queues()) {
      CheckHaveTopic(event.shrink_queues(), path);
    } else if (event.has_change_permission()) {
      CheckHaveTopic(event.change_permission(), path);
    }
  }

  // Each broker that an action names has the topic that it names.
  template <class Action>
  void CheckHaveTopic(const Action& action, const std::string& path) {
    const schema::Topic* topic = names_.TopicNamed(action.topic());
    if (topic == nullptr) return;
    for (int i = 0; i < action.broker_size(); ++i) {
      bool has = false;
      for (const std::string& broker : topic->broker()) {
        has |= broker == action.broker(i);
      }
      const std::string at = FieldPath(path, "broker", i);
      if (has || judge_.HasFindingWithin(at)) continue;
      judge_.Value(at,
                   absl::StrCat("broker ", Quote(action.broker(i)),
                                " does not have topic ", Quote(topic->name())));
    }
  }

  const Scenario& scenario_;
  const Growth& growth_;
  ScenarioNames& names_;
  Judge& judge_;
  absl::flat_hash_set<const schema::Topic*> grown_;
};

}  // namespace

void CompleteTimeline(Scenario& scenario, Judge& judge) {
  for (int i = 0; i < scenario.at_size(); ++i) {
    schema::Event& event = *scenario.mutable_at(i);
    const std::string path = FieldPath("", "at", i);
    const auto complete = [&](auto* action, absl::string_view name,
                              absl::string_view field, const auto& all,
                              auto set) {
      if (all.size() == 1) {
        set(action, all.Get(0).name());
        return;
      }
      const std::string at = FieldPath(path, name);
      if (judge.WasWritten(FieldPath(at, field))) return;
      judge.Name(at,
                 absl::StrCat(action->GetDescriptor()->name(), " needs ", field,
                              ", as there are ", all.size(), " ", field, "s"));
    };
    if (event.has_rolling_restart() && !event.rolling_restart().has_group()) {
      complete(event.mutable_rolling_restart(), "rolling_restart", "group",
               scenario.group(), [](auto* action, const std::string& name) {
                 action->set_group(name);
               });
    }
    if (event.has_reset_offset() && !event.reset_offset().has_group()) {
      complete(event.mutable_reset_offset(), "reset_offset", "group",
               scenario.group(), [](auto* action, const std::string& name) {
                 action->set_group(name);
               });
    }
    const auto set_topic = [](auto* action, const std::string& name) {
      action->set_topic(name);
    };
    if (event.has_add_queues() && !event.add_queues().has_topic()) {
      complete(event.mutable_add_queues(), "add_queues", "topic",
               scenario.topic(), set_topic);
    }
    if (event.has_reset_offset() && !event.reset_offset().has_topic()) {
      complete(event.mutable_reset_offset(), "reset_offset", "topic",
               scenario.topic(), set_topic);
    }
    if (event.has_clone_offsets() && !event.clone_offsets().has_topic()) {
      complete(event.mutable_clone_offsets(), "clone_offsets", "topic",
               scenario.topic(), set_topic);
    }
    if (event.has_shrink_queues() && !event.shrink_queues().has_topic()) {
      complete(event.mutable_shrink_queues(), "shrink_queues", "topic",
               scenario.topic(), set_topic);
    }
  }
}

void CheckTimeline(const Scenario& scenario, const Growth& growth,
                   ScenarioNames& names, Judge& judge) {
  TimelineChecker(scenario, growth, names, judge).Check();
}

void CheckExpression(const schema::Subscription& subscription,
                     const std::string& path, Judge& judge) {
  const std::optional<ExpressionMistake> mistake =
      MistakeIn(subscription.expression());
  if (!mistake.has_value()) return;
  judge.Value(FieldPath(path, "expression"), mistake->message, mistake->remedy);
}

}  // namespace groupsim
