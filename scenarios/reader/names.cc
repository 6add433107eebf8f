#include "scenarios/reader/names.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "model/wire/topics.h"
#include "scenarios/reader/nearest.h"
#include "scenarios/reader/roster.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int64_t kMostConsumers = 10'000;
constexpr int64_t kMostProducers = 1'000;

std::string WithArticle(absl::string_view kind) {
  return absl::StrCat(kind == "event" ? "an " : "a ", kind);
}

}  // namespace

ScenarioNames::ScenarioNames(const Scenario& scenario, const Growth& growth,
                             Judge& judge)
    : scenario_(scenario), growth_(growth), judge_(judge) {
  CollectNames();
}

void ScenarioNames::CheckReferences() { CheckReferencesIn(scenario_, ""); }

void ScenarioNames::AddMention(absl::string_view kind,
                               const std::string& name) {
  if (name.empty()) return;
  if (known_[std::string(kind)].insert(name).second) {
    names_[std::string(kind)].push_back(name);
  }
}

void ScenarioNames::AddName(absl::string_view kind, const std::string& name,
                            const std::string& path, bool process) {
  if (name.empty()) return;
  if (kind != "broker" && absl::StrContains(name, '@')) {
    judge_.Value(FieldPath(path, "name"),
                 absl::StrCat("name is ", Quote(name),
                              "; only the name of a broker may have an '@', "
                              "which by_machine_room reads as ROOM@NAME"));
  }
  AddMention(kind, name);
  if (process) {
    AddMention("process", name);
    AddMention("place", name);
  } else if (kind == "group") {
    AddMention("place", name);
  }
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
    const std::string path = FieldPath("", "broker", i);
    AddName("broker", scenario_.broker(i).name(), path, true);
    for (int j = 0; j < scenario_.broker(i).slave_size(); ++j) {
      AddName("slave", scenario_.broker(i).slave(j).name(),
              FieldPath(path, "slave", j), true);
    }
  }
  for (int i = 0; i < scenario_.topic_size(); ++i) {
    const std::string path = FieldPath("", "topic", i);
    const std::string& name = scenario_.topic(i).name();
    AddName("topic", name, path, false);
    topics_.emplace(name, &scenario_.topic(i));
    if (absl::StartsWith(name, kRetryTopicPrefix) ||
        absl::StartsWith(name, kDeadLetterTopicPrefix)) {
      judge_.Value(FieldPath(path, "name"),
                   absl::StrCat("topics named like ", Quote(name),
                                " are made by brokers only"));
    }
  }
  CollectProducers();
  CollectTags();
  for (int i = 0; i < scenario_.group_size(); ++i) {
    AddName("group", scenario_.group(i).name(), FieldPath("", "group", i),
            false);
  }
  CollectConsumers();
  for (int i = 0; i < scenario_.at_size(); ++i) {
    AddName("event", scenario_.at(i).name(), FieldPath("", "at", i), false);
  }
  CollectRooms();
}

void ScenarioNames::CollectTags() {
  for (const schema::Producer& producer : scenario_.producer()) {
    for (const schema::Tag& tag : producer.tag()) AddMention("tag", tag.name());
  }
}

void ScenarioNames::CollectProducers() {
  int64_t producers = 0;
  for (const schema::Producer& producer : scenario_.producer()) {
    producers += producer.has_count() ? producer.count() : 1;
    // Told already; the names cannot be known.
    if (producer.has_count() &&
        (producer.count() < 1 || producer.count() > kMostProducers)) {
      unknown_.insert("producer");
      return;
    }
  }
  if (producers > kMostProducers) {
    judge_.Name("producer[0]",
                absl::StrCat("there are ", producers, " producers; at most ",
                             kMostProducers, " are allowed"));
    unknown_.insert("producer");
    return;
  }
  for (int i = 0; i < scenario_.producer_size(); ++i) {
    const schema::Producer& producer = scenario_.producer(i);
    if (producer.has_count()) {
      blocks_.emplace(producer.name(), producer.count());
      AddMention("place", producer.name());
    }
    for (const std::string& name : NamesOf(producer)) {
      AddName("producer", name, FieldPath("", "producer", i), true);
    }
  }
}

void ScenarioNames::CollectRooms() {
  const auto add = [this](const std::string& room) {
    AddMention("room", room);
    AddMention("place", room);
  };
  add(scenario_.name_server().room());
  for (const schema::Broker& broker : scenario_.broker()) {
    add(broker.room());
    for (const schema::Slave& slave : broker.slave()) add(slave.room());
  }
  for (const schema::Producer& producer : scenario_.producer()) {
    add(producer.room());
  }
  for (const schema::Group& group : scenario_.group()) {
    for (const schema::Consumer& consumer : group.consumer()) {
      add(consumer.room());
    }
  }
}

void ScenarioNames::CollectConsumers() {
  int64_t consumers = 0;
  for (const schema::Group& group : scenario_.group()) {
    for (const schema::Consumer& consumer : group.consumer()) {
      consumers += growth_.LargestCount(consumer);
      // Told already; the names cannot be known.
      if (consumer.has_count() && consumer.count() < 1) {
        unknown_.insert("consumer");
        return;
      }
    }
  }
  if (consumers > kMostConsumers) {
    judge_.Name("group[0]", absl::StrCat("the groups have ", consumers,
                                         " consumers; at most ", kMostConsumers,
                                         " are allowed"));
    unknown_.insert("consumer");
    return;
  }
  for (int i = 0; i < scenario_.group_size(); ++i) {
    for (int j = 0; j < scenario_.group(i).consumer_size(); ++j) {
      const schema::Consumer& consumer = scenario_.group(i).consumer(j);
      const std::string path =
          FieldPath(FieldPath("", "group", i), "consumer", j);
      if (consumer.has_count()) {
        blocks_.emplace(consumer.name(), consumer.count());
      }
      for (const std::string& name : growth_.AllNamesOf(consumer)) {
        AddName("consumer", name, path, true);
        group_of_.emplace(name, &scenario_.group(i));
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
  if (unknown_.contains(kind)) return;
  if (!CheckName(name).ok()) return;  // Told already.
  judge_.Value(path, absl::StrCat("there is no ", kind, " ", Quote(name)),
               WhatThereIs(kind, name));
}

std::string ScenarioNames::WhatThereIs(const std::string& kind,
                                       const std::string& name) {
  // More than are shown need no hints, which take a while.
  if (++hints_ > Findings::kShown) return "";
  const auto block = blocks_.find(name);
  if (block != blocks_.end()) {
    return block->second == 1
               ? absl::StrCat(Quote(name), " is a block of one: ",
                              Quote(absl::StrCat(name, "-0")))
               : absl::StrCat(
                     Quote(name), " is a block of ", block->second, ": ",
                     Quote(absl::StrCat(name, "-0")), " to ",
                     Quote(absl::StrCat(name, "-", block->second - 1)));
  }
  std::vector<absl::string_view> names(names_[kind].begin(),
                                       names_[kind].end());
  for (const auto& [other, known] : known_) {
    if (other != kind && other != "process" && other != "place" &&
        known.contains(name)) {
      return absl::StrCat(Quote(name), " is ", WithArticle(other), ", not ",
                          WithArticle(kind));
    }
  }
  if (names.empty()) {
    return absl::StrCat("the scenario has no ", kind,
                        kind == "event" ? " with a name" : "");
  }
  const std::string meant = DidYouMean(NearestName(name, names));
  if (names.size() == 1) {
    return meant.empty()
               ? absl::StrCat("the only ", kind, " is ", Quote(names[0]))
               : meant;
  }
  return absl::StrCat(meant, meant.empty() ? "there are " : " There are ",
                      ListNames(NearestFirst(name, names)));
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
    } else {
      if (range.last == QueueRange::kAllQueues) continue;
      const int64_t most = growth_.MostQueues(*topic, range.broker);
      if (range.last < most) continue;
      judge_.Value(path, absl::StrCat("topic ", Quote(topic->name()),
                                      " has queues 0 to ", most - 1,
                                      " on each broker, not ", range.last));
    }
  }
}

const schema::Topic* ScenarioNames::TopicNamed(const std::string& name) const {
  const auto found = topics_.find(name);
  return found == topics_.end() ? nullptr : found->second;
}

const schema::Group* ScenarioNames::GroupOf(const std::string& consumer) const {
  const auto found = group_of_.find(consumer);
  return found == group_of_.end() ? nullptr : found->second;
}

}  // namespace groupsim
