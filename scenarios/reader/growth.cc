#include "scenarios/reader/growth.h"

#include <algorithm>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "model/base/time.h"

namespace groupsim {
namespace {

// Sums of a whole timeline of these fit into 64 bits.
constexpr int64_t kBeyondAllLimits = int64_t{1} << 40;

}  // namespace

int64_t MostTimes(const schema::Event& event, const Scenario& scenario) {
  if (!event.has_every()) return 1;
  const std::optional<Duration> every = DurationOf(event.every());
  const std::optional<Duration> end = DurationOf(scenario.duration());
  if (!every || *every <= Duration::Zero() || !end) return 1;
  const Duration until = event.has_until()
                             ? std::min(*end, DurationOr(event.until(), *end))
                             : *end;
  const Duration from =
      event.has_from() ? DurationOr(event.from(), *every) : *every;
  if (until < from) return 0;
  return std::min((until - from).nanos() / every->nanos() + 1,
                  kBeyondAllLimits);
}

Growth::Growth(const Scenario& scenario) {
  for (const schema::Event& event : scenario.at()) {
    if (event.has_scale()) {
      int32_t& to = scaled_to_[event.scale().consumer()];
      to = std::max(to, event.scale().to());
    }
    if (!event.has_add_queues()) continue;
    const schema::AddQueues& add = event.add_queues();
    const auto queues = static_cast<int64_t>(std::min<__int128>(
        static_cast<__int128>(add.queues()) * MostTimes(event, scenario),
        kBeyondAllLimits));
    Added& added = added_[add.topic()];
    if (add.broker_size() == 0) added.everywhere += queues;
    absl::flat_hash_set<absl::string_view> seen;
    for (const std::string& broker : add.broker()) {
      if (seen.insert(broker).second) added.on[broker] += queues;
    }
  }
}

int32_t Growth::LargestCount(const schema::Consumer& block) const {
  const int32_t first = block.has_count() ? block.count() : 1;
  const auto scaled = scaled_to_.find(block.name());
  return scaled == scaled_to_.end() ? first : std::max(first, scaled->second);
}

std::vector<std::string> Growth::AllNamesOf(
    const schema::Consumer& block) const {
  const int32_t count = LargestCount(block);
  // Other counts are errors.
  return block.has_count() && count >= 1 && count <= 10'000
             ? ProcessNames(block.name(), count)
             : ProcessNames(block.name());
}

int64_t Growth::MostQueues(const schema::Topic& topic,
                           absl::string_view broker) const {
  const int64_t queues = topic.queues_per_broker();
  const auto added = added_.find(topic.name());
  if (added == added_.end()) return queues;
  const auto here = added->second.on.find(broker);
  return queues + added->second.everywhere +
         (here == added->second.on.end() ? 0 : here->second);
}

int64_t Growth::MostQueues(const schema::Topic& topic) const {
  int64_t queues = int64_t{topic.queues_per_broker()} * topic.broker_size();
  if (!added_.contains(topic.name())) return queues;
  queues = 0;
  for (const std::string& broker : topic.broker()) {
    queues += MostQueues(topic, broker);
  }
  return queues;
}

std::vector<QueueRange> Growth::QueuesNamed(const schema::Topic& topic,
                                            absl::string_view text) const {
  const auto at_first = static_cast<int32_t>(
      std::min<int64_t>(topic.queues_per_broker(), kMostQueuesOnBroker));
  std::vector<QueueRange> ranges;
  if (text.empty()) {
    for (const std::string& broker : topic.broker()) {
      ranges.push_back({.broker = broker, .first = 0, .last = at_first - 1});
    }
  } else if (absl::StatusOr<std::vector<QueueRange>> parsed = ParseQueues(text);
             parsed.ok()) {
    ranges = *std::move(parsed);
  }
  for (QueueRange& range : ranges) {
    const int64_t most =
        range.last == QueueRange::kAllQueues
            ? at_first
            : std::min(MostQueues(topic, range.broker), kMostQueuesOnBroker);
    range.last = static_cast<int32_t>(std::min<int64_t>(range.last, most - 1));
  }
  ranges.erase(std::remove_if(ranges.begin(), ranges.end(),
                              [](const QueueRange& range) {
                                return range.first > range.last;
                              }),
               ranges.end());
  return ranges;
}

int64_t Growth::CountQueues(const schema::Topic& topic,
                            absl::string_view text) const {
  int64_t count = 0;
  for (const QueueRange& range : QueuesNamed(topic, text)) {
    count += range.last - range.first + 1;
  }
  return count;
}

}  // namespace groupsim
