#include "scenarios/reader/totals.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/traffic.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int64_t kMostQueues = 100'000;
constexpr int64_t kMostSubscribedQueues = 100'000;
constexpr int64_t kMostMessages = 200'000'000;

void Limit(Judge& judge, const std::string& path, absl::string_view what,
           __int128 count, absl::string_view things, int64_t most) {
  if (count <= most) return;
  const int64_t shown = static_cast<int64_t>(
      std::min<__int128>(count, std::numeric_limits<int64_t>::max()));
  judge.Name(path, absl::StrCat(what, " ", shown, " ", things, "; at most ",
                                most, " are allowed"));
}

void CheckDistribution(const schema::Distribution& law, const std::string& path,
                       FieldRule::Kind kind, Judge& judge) {
  if (judge.HasFindingWithin(path)) return;
  const absl::StatusOr<Distribution> made = MakeDistribution(law, kind);
  if (!made.ok()) {
    judge.Value(path, std::string(made.status().message()));
  }
}

void CheckDistributionsIn(const Message& message, const std::string& path,
                          FieldRule::Kind kind, Judge& judge) {
  const Reflection& reflection = *message.GetReflection();
  if (message.GetDescriptor() == schema::Distribution::descriptor()) {
    CheckDistribution(static_cast<const schema::Distribution&>(message), path,
                      kind, judge);
    return;
  }
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const FieldRule::Kind inner = field->options().GetExtension(rule).kind();
    if (!field->is_repeated()) {
      CheckDistributionsIn(reflection.GetMessage(message, field),
                           FieldPath(path, field->name()), inner, judge);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      CheckDistributionsIn(reflection.GetRepeatedMessage(message, field, i),
                           FieldPath(path, field->name(), i), inner, judge);
    }
  }
}

}  // namespace

void CheckTotals(const Scenario& scenario, const Growth& growth, Judge& judge) {
  absl::flat_hash_map<std::string, int64_t> queues_of;
  int64_t queues = 0;
  __int128 messages = 0;
  for (const schema::Topic& topic : scenario.topic()) {
    const int64_t count = growth.MostQueues(topic);
    queues += count;
    queues_of[topic.name()] = count;
    for (const schema::StoredMessages& block : topic.stored()) {
      messages += static_cast<__int128>(block.messages()) *
                  growth.CountQueues(topic, block.queues());
    }
  }
  Limit(judge, "topic[0]", "the topics have", queues, "queues", kMostQueues);
  int64_t subscribed = 0;
  for (const schema::Group& group : scenario.group()) {
    for (const schema::Subscription& subscription : group.subscribe()) {
      subscribed += queues_of[subscription.topic()];
    }
  }
  Limit(judge, "group[0]", "the groups subscribe to", subscribed, "queues",
        kMostSubscribedQueues);
  const Traffic traffic(scenario);
  for (const schema::Producer& producer : scenario.producer()) {
    // Far beyond the limit, exactness does not matter.
    messages += static_cast<int64_t>(
        std::clamp(traffic.MostMessages(producer), 0.0, 1e18));
  }
  Limit(judge, scenario.producer_size() > 0 ? "producer[0]" : "topic[0]",
        "the scenario has about", messages, "messages", kMostMessages);
}

void CheckDistributions(const Scenario& scenario, Judge& judge) {
  CheckDistributionsIn(scenario, "", FieldRule::PLAIN, judge);
}

StoredBefore::StoredBefore(const schema::Topic& topic, const Growth& growth)
    : topic_(topic), growth_(growth) {
  for (const schema::StoredMessages& block : topic.stored()) {
    for (const QueueRange& range : growth.QueuesNamed(topic, block.queues())) {
      std::vector<int64_t>& counts = counts_[range.broker];
      if (counts.size() <= static_cast<size_t>(range.last)) {
        counts.resize(static_cast<size_t>(range.last) + 1);
      }
      for (int32_t queue = range.first; queue <= range.last; ++queue) {
        counts[static_cast<size_t>(queue)] += block.messages();
      }
    }
  }
}

int64_t StoredBefore::FewestIn(const std::string& queues) const {
  std::optional<int64_t> fewest;
  for (const QueueRange& range : growth_.QueuesNamed(topic_, queues)) {
    const auto counts = counts_.find(range.broker);
    for (int32_t queue = range.first; queue <= range.last; ++queue) {
      const auto at = static_cast<size_t>(queue);
      const int64_t count =
          counts == counts_.end() || at >= counts->second.size()
              ? 0
              : counts->second[at];
      fewest = std::min(fewest.value_or(count), count);
    }
  }
  return fewest.value_or(0);
}

}  // namespace groupsim
