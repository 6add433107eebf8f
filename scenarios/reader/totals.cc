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
#include "scenarios/reader/growth.h"
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

// The duration in a field that may be wrong.
std::optional<Duration> DurationOf(const std::string& text) {
  const absl::StatusOr<Duration> duration = ParseDuration(text);
  if (!duration.ok()) return std::nullopt;
  return *duration;
}

// The queues of `topic` that `text` names, "" being all.
std::vector<QueueRange> RangesOf(const schema::Topic& topic,
                                 const std::string& text) {
  std::vector<QueueRange> ranges;
  if (!text.empty()) {
    absl::StatusOr<std::vector<QueueRange>> parsed = ParseQueues(text);
    if (parsed.ok()) ranges = *std::move(parsed);
  } else {
    for (const std::string& broker : topic.broker()) {
      ranges.push_back(
          {.broker = broker, .first = 0, .last = QueueRange::kAllQueues});
    }
  }
  const int32_t end = topic.queues_per_broker() - 1;
  for (QueueRange& range : ranges) {
    range.last =
        range.last == QueueRange::kAllQueues ? end : std::min(range.last, end);
  }
  return ranges;
}

void Limit(Judge& judge, const std::string& path, absl::string_view what,
           __int128 count, absl::string_view things, int64_t most) {
  if (count <= most) return;
  const int64_t shown = static_cast<int64_t>(
      std::min<__int128>(count, std::numeric_limits<int64_t>::max()));
  judge.Name(path, absl::StrCat(what, " ", shown, " ", things, "; at most ",
                                most, " are allowed"));
}

int64_t CountQueues(const std::string& text, const schema::Topic& topic) {
  int64_t count = 0;
  for (const QueueRange& range : RangesOf(topic, text)) {
    count += std::max(int64_t{range.last} - range.first + 1, int64_t{0});
  }
  return count;
}

// About how many messages arrive.
__int128 MessagesOf(const Scenario& scenario,
                    const schema::Producer& producer) {
  const std::optional<Duration> from = DurationOf(producer.from());
  std::optional<Duration> until = DurationOf(producer.until());
  const std::optional<Duration> end = DurationOf(scenario.duration());
  if (!from || !until || !end) return 0;
  until = std::min(*until, *end);
  if (*until <= *from) return 0;
  const __int128 nanos = (*until - *from).nanos();
  __int128 count = 0;
  if (producer.rate().has_per_second()) {
    count = nanos * producer.rate().per_second() / 1'000'000'000;
  } else if (const std::optional<Duration> every =
                 DurationOf(producer.rate().every());
             every && every->nanos() > 0) {
    count = nanos / every->nanos();
  }
  if (producer.has_messages()) {
    count = std::min<__int128>(count, producer.messages());
  }
  return count;
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

void CheckTotals(const Scenario& scenario, Judge& judge) {
  absl::flat_hash_map<std::string, int64_t> queues_of;
  int64_t queues = 0;
  __int128 messages = 0;
  for (const schema::Topic& topic : scenario.topic()) {
    int64_t count = 0;
    for (const std::string& broker : topic.broker()) {
      count += MostQueues(topic, broker, scenario);
    }
    queues += count;
    queues_of[topic.name()] = count;
    for (const schema::StoredMessages& block : topic.stored()) {
      messages += static_cast<__int128>(block.messages()) *
                  CountQueues(block.queues(), topic);
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
  for (const schema::Producer& producer : scenario.producer()) {
    messages += MessagesOf(scenario, producer);
  }
  Limit(judge, scenario.producer_size() > 0 ? "producer[0]" : "topic[0]",
        "the scenario has about", messages, "messages", kMostMessages);
}

void CheckDistributions(const Scenario& scenario, Judge& judge) {
  CheckDistributionsIn(scenario, "", FieldRule::PLAIN, judge);
}

int64_t FewestStoredBefore(const schema::Topic& topic,
                           const std::string& queues) {
  std::map<std::pair<std::string, int32_t>, int64_t> stored;
  for (const schema::StoredMessages& block : topic.stored()) {
    for (const QueueRange& range : RangesOf(topic, block.queues())) {
      for (int32_t queue = range.first; queue <= range.last; ++queue) {
        stored[{range.broker, queue}] += block.messages();
      }
    }
  }
  std::optional<int64_t> fewest;
  for (const QueueRange& range : RangesOf(topic, queues)) {
    for (int32_t queue = range.first; queue <= range.last; ++queue) {
      const auto found = stored.find({range.broker, queue});
      const int64_t count = found == stored.end() ? 0 : found->second;
      fewest = std::min(fewest.value_or(count), count);
    }
  }
  return fewest.value_or(0);
}

}  // namespace groupsim
