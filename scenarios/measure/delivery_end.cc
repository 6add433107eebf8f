// The end of a run: what is left, and the results.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "model/base/time.h"
#include "scenarios/measure/delivery.h"

namespace groupsim {

void DeliveryMeasure::Settle(QueueState& queue, QueueIndex index, size_t slot,
                             Instant end) {
  const MessageChunks& messages = queue.messages;
  QueueGroup& group = queue.groups[slot];
  Counts& counts = group.counts;
  const int64_t base = messages.oldest_begin();  // Still kept.
  int64_t delivered = base - messages.first();
  int64_t skipped = 0;
  int64_t at_risk =
      std::max<int64_t>(base - std::max(group.committed, messages.first()), 0);
  for (int64_t offset = base; offset < messages.end(); ++offset) {
    const uint8_t state =
        messages.Of(offset)->groups[slot].state[MessageChunks::Place(offset)];
    if ((state & MessageChunks::kDelivered) != 0) {
      ++delivered;
      if ((state & MessageChunks::kFinished) != 0 &&
          offset >= group.committed) {
        ++at_risk;
      }
    } else if (offset < group.consumed_before) {
      ++counts.consumed_before;
    } else if ((state & MessageChunks::kUnwanted) != 0) {
      ++counts.filtered;
    } else if (offset < group.max_committed) {
      ++skipped;
    } else {
      ++counts.not_yet_delivered;
    }
  }
  counts.at_risk = group.at_risk;
  counts.lag_at_end = group.lag;
  audit_->Count(AuditLaw::kMessagesAreConserved);
  const int64_t stored = messages.end() - messages.first();
  if (group.known != delivered || group.passed != skipped ||
      group.at_risk != at_risk ||
      stored != delivered + skipped + counts.consumed_before + counts.filtered +
                    counts.not_yet_delivered) {
    audit_->Fail(
        AuditLaw::kMessagesAreConserved, end,
        absl::StrCat("queue ", index, ": stored ", stored, ", delivered ",
                     group.known, " (counted again ", delivered, "), skipped ",
                     group.passed, " (", skipped, "), at risk ", group.at_risk,
                     " (", at_risk, "), consumed before ",
                     counts.consumed_before, ", filtered ", counts.filtered,
                     ", not yet delivered ", counts.not_yet_delivered));
  }
}

void DeliveryMeasure::Close(Instant now) {
  if (closed_) return;
  closed_ = true;
  for (size_t i = 0; i < queues_.size(); ++i) {
    QueueState& queue = queues_[i];
    for (size_t slot = 0; slot < queue.groups.size(); ++slot) {
      QueueGroup& group = queue.groups[slot];
      if (queue.messages.first() >= 0) {
        Settle(queue, static_cast<QueueIndex>(i), slot, now);
      }
      Counts& total = group_of(group).counts;
      total.consumed_before += group.counts.consumed_before;
      total.filtered += group.counts.filtered;
      total.not_yet_delivered += group.counts.not_yet_delivered;
      total.at_risk += group.counts.at_risk;
      total.lag_at_end += group.counts.lag_at_end;
      group.peak_lag = std::max(group.peak_lag, group.lag);
    }
  }
  for (GroupState& group : groups_) {
    group.peak_at_risk = std::max(group.peak_at_risk, group.at_risk);
    for (TopicState& topic : group.topics) {
      topic.peak_lag = std::max(topic.peak_lag, topic.lag);
    }
  }
}

void DeliveryMeasure::Finish(Instant end) {
  Close(end);
  for (size_t i = 0; i < consumers_.size(); ++i) {
    EndAllCalls(static_cast<ConsumerIndex>(i), end);
  }
  for (GroupState& group : groups_) {
    group.lag.Finish(end, window_);
    group.at_risk_columns.Finish();
  }
}

std::vector<DeliveryMeasure::QueueResult> DeliveryMeasure::QueueResults(
    GroupIndex group) const {
  std::vector<QueueResult> results;
  for (const QueueIndex index :
       subjects_.groups()[static_cast<size_t>(group)].queues) {
    const QueueState& queue = queues_[static_cast<size_t>(index)];
    QueueResult result;
    result.max_offset = queue.messages.end();
    for (const QueueGroup& state : queue.groups) {
      if (state.group != group) continue;
      result.counts.Add(state.counts);
      result.peak_lag = std::max(result.peak_lag, state.peak_lag);
      if (state.committed >= 0) {
        result.committed = result.committed < 0
                               ? state.committed
                               : std::min(result.committed, state.committed);
      }
    }
    results.push_back(result);
  }
  return results;
}

DeliveryMeasure::Latencies DeliveryMeasure::LatenciesOf(
    GroupIndex group) const {
  Latencies all;
  for (const TopicState& topic : groups_[static_cast<size_t>(group)].topics) {
    all.Merge(topic.latencies);
  }
  return all;
}

const DeliveryMeasure::Latencies& DeliveryMeasure::LatenciesOf(
    GroupIndex group, Name topic) const {
  for (const TopicState& state : groups_[static_cast<size_t>(group)].topics) {
    if (state.topic == topic) return state.latencies;
  }
  CHECK(false) << "the group has no topic " << topic.text();
  return groups_[0].topics[0].latencies;
}

int64_t DeliveryMeasure::topic_peak_lag(GroupIndex group, Name topic) const {
  for (const TopicState& state : groups_[static_cast<size_t>(group)].topics) {
    if (state.topic == topic) return state.peak_lag;
  }
  CHECK(false) << "the group has no topic " << topic.text();
  return 0;
}

}  // namespace groupsim
