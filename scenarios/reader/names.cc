#include "scenarios/reader/names.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int64_t kMostConsumers = 10'000;

}  // namespace

ScenarioNames::ScenarioNames(const Scenario& scenario, Judge& judge)
    : scenario_(scenario), judge_(judge) {
  CollectNames();
}

void ScenarioNames::CheckReferences() { CheckReferencesIn(scenario_, ""); }

void ScenarioNames::AddName(absl::string_view kind, const std::string& name,
                            const std::string& path, bool process) {
  if (name.empty()) return;
  names_[std::string(kind)].push_back(name);
  known_[std::string(kind)].insert(name);
  const std::string scope = process ? "process" : std::string(kind);
  const auto [taken, fresh] = owners_[scope].emplace(name, path);
  if (!fresh) {
    judge_.Value(FieldPath(path, "name"),
                 absl::StrCat("the name ", Quote(name), " of this ", kind,
                              " is taken by ", taken->second));
  }
}

void ScenarioNames::CollectNames() {
  const schema::NameServers& servers = scenario_.name_server();
  for (const std::string& name :
       servers.count() >= 1 && servers.count() <= 16
           ? ProcessNames(servers.name(), servers.count())
           : ProcessNames(servers.name())) {
    AddName("name server", name, "name_server", true);
  }
  for (int i = 0; i < scenario_.broker_size(); ++i) {
    AddName("broker", scenario_.broker(i).name(), FieldPath("", "broker", i),
            true);
  }
  for (int i = 0; i < scenario_.topic_size(); ++i) {
    const std::string path = FieldPath("", "topic", i);
    const std::string& name = scenario_.topic(i).name();
    AddName("topic", name, path, false);
    topics_.emplace(name, &scenario_.topic(i));
    if (absl::StartsWith(name, "%RETRY%") || absl::StartsWith(name, "%DLQ%")) {
      judge_.Value(FieldPath(path, "name"),
                   absl::StrCat("topics named like ", Quote(name),
                                " are made by brokers only"));
    }
  }
  for (int i = 0; i < scenario_.producer_size(); ++i) {
    AddName("producer", scenario_.producer(i).name(),
            FieldPath("", "producer", i), true);
  }
  for (int i = 0; i < scenario_.group_size(); ++i) {
    AddName("group", scenario_.group(i).name(), FieldPath("", "group", i),
            false);
  }
  CollectConsumers();
}

void ScenarioNames::CollectConsumers() {
  int64_t consumers = 0;
  for (const schema::Group& group : scenario_.group()) {
    for (const schema::Consumer& consumer : group.consumer()) {
      consumers += LargestCount(consumer, scenario_);
      // Told already; the names cannot be known.
      if (consumer.has_count() && consumer.count() < 1) {
        consumers_unknown_ = true;
        return;
      }
    }
  }
  if (consumers > kMostConsumers) {
    judge_.Name("group[0]", absl::StrCat("the groups have ", consumers,
                                         " consumers; at most ", kMostConsumers,
                                         " are allowed"));
    consumers_unknown_ = true;
    return;
  }
  for (int i = 0; i < scenario_.group_size(); ++i) {
    for (int j = 0; j < scenario_.group(i).consumer_size(); ++j) {
      const schema::Consumer& consumer = scenario_.group(i).consumer(j);
      const std::string path =
          FieldPath(FieldPath("", "group", i), "consumer", j);
      for (const std::string& name : AllNamesOf(consumer, scenario_)) {
        AddName("consumer", name, path, true);
      }
    }
  }
}

void ScenarioNames::CheckReferencesIn(const Message& message,
                                      const std::string& path) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (judge_.full()) return;
    if (field->options().GetExtension(rule).has_not_yet()) continue;
    const int count =
        field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const std::string at = field->is_repeated()
                                 ? FieldPath(path, field->name(), i)
                                 : FieldPath(path, field->name());
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        CheckReferencesIn(field->is_repeated()
                              ? reflection.GetRepeatedMessage(message, field, i)
                              : reflection.GetMessage(message, field),
                          at);
        continue;
      }
      const std::string& kind = field->options().GetExtension(rule).refers_to();
      if (kind.empty()) continue;
      CheckReference(kind,
                     field->is_repeated()
                         ? reflection.GetRepeatedString(message, field, i)
                         : reflection.GetString(message, field),
                     at);
    }
  }
}

void ScenarioNames::CheckReference(const std::string& kind,
                                   const std::string& name,
                                   const std::string& path) {
  if (name.empty() || known_[kind].contains(name)) return;
  if (kind == "consumer" && consumers_unknown_) return;
  if (!CheckName(name).ok()) return;  // Told already.
  std::vector<absl::string_view> names(names_[kind].begin(),
                                       names_[kind].end());
  judge_.Value(path, absl::StrCat("there is no ", kind, " ", Quote(name)),
               DidYouMean(NearestName(name, names)));
}

// The queues that `text` names exist: on brokers that have `topic`, or, if
// that is null, on any broker.
void ScenarioNames::CheckQueues(const std::string& text,
                                const schema::Topic* topic,
                                const std::string& path) {
  const absl::StatusOr<std::vector<QueueRange>> ranges = ParseQueues(text);
  if (!ranges.ok()) return;
  for (const QueueRange& range : *ranges) {
    if (!known_["broker"].contains(range.broker)) {
      CheckReference("broker", range.broker, path);
      continue;
    }
    if (topic == nullptr) continue;
    if (std::find(topic->broker().begin(), topic->broker().end(),
                  range.broker) == topic->broker().end()) {
      judge_.Value(path,
                   absl::StrCat("broker ", Quote(range.broker),
                                " does not have topic ", Quote(topic->name())));
    } else if (range.last >= topic->queues_per_broker()) {
      judge_.Value(
          path, absl::StrCat("topic ", Quote(topic->name()), " has queues 0 ",
                             "to ", topic->queues_per_broker() - 1,
                             " on each broker, not ", range.last));
    }
  }
}

const schema::Topic* ScenarioNames::TopicNamed(const std::string& name) const {
  const auto found = topics_.find(name);
  return found == topics_.end() ? nullptr : found->second;
}

}  // namespace groupsim
