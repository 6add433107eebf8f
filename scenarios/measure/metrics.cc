#include "scenarios/measure/metrics.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/facts/causes.h"
#include "scenarios/measure/balance.h"
#include "scenarios/measure/histogram.h"

namespace groupsim {
namespace {

double PostponedSeconds(const PullingMeasure::Postponed& postponed,
                        PostponeReason reason) {
  return Seconds(postponed[static_cast<size_t>(reason)]);
}

double PerHour(int64_t count, Duration time) {
  return static_cast<double>(count) * 3600 / Seconds(time);
}

// Sets those of P50, P90, ... that the metrics of a message have, if there is
// anything.
#define GROUPSIM_SET_PERCENTILE(name, suffix, per_mille) \
  out->set_##name##_##suffix##_seconds(Seconds(histogram.Percentile(per_mille)))

void FillFairness(Measures& measures, GroupIndex group,
                  Report::GroupMetrics* out) {
  const OwnershipMeasure& ownership = measures.ownership(group);
  const FairnessOverTime& over_time = ownership.fairness();
  if (over_time.jain().has_value()) {
    out->set_jain_time_weighted(*over_time.jain());
    out->set_max_minus_min(*over_time.max_minus_min());
    out->set_gini(*over_time.gini());
    out->set_balance_score(*over_time.score());
    out->set_idle_consumers_mean(*over_time.idle());
  }
  if (over_time.jain_min().has_value()) {
    out->set_jain_min(*over_time.jain_min());
  }
  if (over_time.max_over_mean().has_value()) {
    out->set_max_over_mean(*over_time.max_over_mean());
    out->set_cv(*over_time.cv());
  }
  out->set_idle_consumers_max(over_time.idle_max());
  const BalanceNow& end = ownership.at_end();
  if (end.fairness.consumers > 0) {
    out->set_jain_final(end.fairness.Jain());
    out->set_idle_consumers(end.fairness.idle);
    out->set_max_minus_min_final(end.fairness.max - end.fairness.min);
    out->set_gini_final(end.gini);
    out->set_balance_score_final(end.score);
    if (const auto ratio = end.fairness.MaxOverMean(); ratio.has_value()) {
      out->set_max_over_mean_final(*ratio);
      out->set_cv_final(*end.fairness.VariationCoefficient());
    }
    const int64_t copies =
        measures.subjects().groups()[static_cast<size_t>(group)].broadcasts
            ? end.fairness.consumers
            : 1;
    out->set_jain_best_final(
        FairnessOf({.queues = ownership.readable_at_end() * copies,
                    .consumers = end.fairness.consumers})
            .Jain());
  }

  const Subjects& subjects = measures.subjects();
  const Subjects::Group& own = subjects.groups()[static_cast<size_t>(group)];
  const bool rooms =
      std::any_of(
          own.queues.begin(), own.queues.end(),
          [&](QueueIndex queue) {
            return !subjects.queues()[static_cast<size_t>(queue)].room.empty();
          }) &&
      std::any_of(own.consumers.begin(), own.consumers.end(),
                  [&](ConsumerIndex consumer) {
                    return !subjects.consumers()[static_cast<size_t>(consumer)]
                                .room.empty();
                  });
  if (rooms) {
    const auto queues = static_cast<double>(own.queues.size());
    if (over_time.cross_room().has_value()) {
      out->set_cross_room_share(*over_time.cross_room() / queues);
    }
    out->set_cross_room_share_final(static_cast<double>(end.cross_room) /
                                    queues);
  }

  // By what consumers did instead of what they owned.
  std::vector<int64_t> finished;
  std::vector<int64_t> milliseconds;
  for (const ConsumerIndex consumer : own.consumers) {
    if (ownership.consumers()[static_cast<size_t>(consumer)].alive ==
        Duration::Zero()) {
      continue;
    }
    const DeliveryMeasure::ConsumerResult& did =
        measures.delivery().consumer(consumer);
    finished.push_back(did.finished);
    milliseconds.push_back(static_cast<int64_t>(did.processing / 1'000'000));
  }
  const Fairness by_messages = Fairness::Of(finished);
  if (by_messages.sum > 0) {
    out->set_jain_messages(by_messages.Jain());
    out->set_max_over_mean_messages(*by_messages.MaxOverMean());
  }
  const Fairness by_time = Fairness::Of(milliseconds);
  if (by_time.sum > 0) out->set_jain_processing(by_time.Jain());
}

void FillChanges(Measures& measures, GroupIndex group,
                 Report::GroupMetrics* out) {
  const OwnershipMeasure& ownership = measures.ownership(group);
  const PullingMeasure::GroupResult& pulling = measures.pulling().group(group);
  out->set_membership_changes(ownership.membership_changes());
  out->set_queue_moves(ownership.moves());
  out->set_necessary_moves(ownership.necessary_moves());
  out->set_excess_moves(ownership.moves() - ownership.necessary_moves());
  out->set_allocations_run(ownership.allocations());
  out->set_allocations_changed(ownership.allocations_changed());
  out->set_rebalances(pulling.rebalances);
  out->set_notices_received(pulling.notices);
  if (const Duration alive = ownership.alive(); alive > Duration::Zero()) {
    out->set_allocations_run_per_consumer_hour(
        PerHour(ownership.allocations(), alive));
    out->set_allocations_changed_per_consumer_hour(
        PerHour(ownership.allocations_changed(), alive));
    out->set_rebalances_per_consumer_hour(PerHour(pulling.rebalances, alive));
  }
  int64_t superseded = 0;
  // Of the changes before which there was something to keep.
  int64_t changes = 0;
  double stickiness = 0;
  double lowest = 1;
  for (const OwnershipMeasure::Event& event : ownership.events()) {
    if (event.superseded) ++superseded;
    if (event.owned_before == 0 || event.readable == 0) continue;
    const double kept = 1 - static_cast<double>(event.moved) /
                                static_cast<double>(event.readable);
    ++changes;
    stickiness += kept;
    lowest = std::min(lowest, kept);
  }
  out->set_superseded_changes(superseded);
  out->set_unconverged_changes(ownership.unconverged());
  if (changes > 0) {
    out->set_stickiness_mean(stickiness / static_cast<double>(changes));
    out->set_stickiness_min(lowest);
  }
  if (const Histogram& histogram = ownership.convergence();
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(convergence, p50, 500);
    GROUPSIM_SET_PERCENTILE(convergence, p99, 990);
    GROUPSIM_SET_PERCENTILE(convergence, max, 1000);
  }
  if (const Histogram& histogram = ownership.views().agreement();
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(view_agreement, p50, 500);
    GROUPSIM_SET_PERCENTILE(view_agreement, p99, 990);
    GROUPSIM_SET_PERCENTILE(view_agreement, max, 1000);
  }
}

void FillTakeover(const OwnershipMeasure& ownership,
                  Report::GroupMetrics* out) {
  const Takeovers& takeovers = ownership.takeovers();
  if (const Histogram& histogram = takeovers.takeover();
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(takeover, p50, 500);
    GROUPSIM_SET_PERCENTILE(takeover, p99, 990);
    GROUPSIM_SET_PERCENTILE(takeover, max, 1000);
  }
  if (const Histogram& histogram = takeovers.takeover_to_pull();
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(takeover_to_pull, p50, 500);
    GROUPSIM_SET_PERCENTILE(takeover_to_pull, p99, 990);
    GROUPSIM_SET_PERCENTILE(takeover_to_pull, max, 1000);
  }
  if (const Histogram& histogram = takeovers.first_pull();
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(first_pull, p50, 500);
    GROUPSIM_SET_PERCENTILE(first_pull, p99, 990);
    GROUPSIM_SET_PERCENTILE(first_pull, max, 1000);
  }
  if (const Histogram& histogram = takeovers.first_consume();
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(first_consume, p50, 500);
    GROUPSIM_SET_PERCENTILE(first_consume, p99, 990);
    GROUPSIM_SET_PERCENTILE(first_consume, max, 1000);
  }
  Histogram histogram;
  for (const OwnershipMeasure::QueueResult& queue : ownership.queues()) {
    if (queue.time_to_first_owner.has_value()) {
      histogram.Add(*queue.time_to_first_owner);
    }
  }
  if (histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(time_to_first_owner, p50, 500);
    GROUPSIM_SET_PERCENTILE(time_to_first_owner, max, 1000);
  }
}

// What messages of groups, topics and queues have alike. `filters` says whether
// somebody in the group subscribes to tags.
template <class Metrics>
void FillCounts(const DeliveryMeasure::Counts& counts, bool filters,
                Metrics* out) {
  out->set_stored(counts.stored);
  out->set_sent(counts.sent);
  out->set_deliveries(counts.deliveries);
  out->set_distinct(counts.distinct);
  out->set_duplicates(counts.duplicates);
  out->set_retries(counts.retries);
  out->set_skipped(counts.skipped);
  out->set_lost(counts.lost);
  out->set_out_of_order(counts.out_of_order);
  out->set_finished(counts.finished);
  if (filters) out->set_filtered(counts.filtered);
  out->set_not_yet_delivered(counts.not_yet_delivered);
  out->set_at_risk_final(counts.at_risk);
  out->set_final_lag(counts.lag_at_end);
}

template <class Metrics>
void FillFlowControl(const PullingMeasure::Postponed& postponed, Metrics* out) {
  out->set_flow_control_seconds(
      Seconds(PullingMeasure::FlowControl(postponed)));
  out->set_flow_control_count_seconds(
      PostponedSeconds(postponed, PostponeReason::kCount));
  out->set_flow_control_size_seconds(
      PostponedSeconds(postponed, PostponeReason::kSize));
  out->set_flow_control_span_seconds(
      PostponedSeconds(postponed, PostponeReason::kSpan));
}

template <class Metrics>
void FillLatency(const Histogram& histogram, Metrics* out) {
  if (histogram.count() == 0) return;
  GROUPSIM_SET_PERCENTILE(latency, p50, 500);
  GROUPSIM_SET_PERCENTILE(latency, p90, 900);
  GROUPSIM_SET_PERCENTILE(latency, p99, 990);
  GROUPSIM_SET_PERCENTILE(latency, p999, 999);
  GROUPSIM_SET_PERCENTILE(latency, max, 1000);
  out->set_latency_mean_seconds(Seconds(histogram.Mean()));
}

void FillDelivery(const DeliveryMeasure& delivery, GroupIndex group,
                  Report::GroupMetrics* out) {
  const DeliveryMeasure::Counts& counts = delivery.counts(group);
  FillCounts(counts, delivery.filters(group), out);
  out->set_consumed_before(counts.consumed_before);
  out->set_at_risk_peak(delivery.peak_at_risk(group));
  out->set_processed_twice_queue_seconds(
      Seconds(delivery.processed_twice(group)));
  const DeliveryMeasure::Latencies latencies = delivery.LatenciesOf(group);
  FillLatency(latencies.total, out);
  if (const Histogram& histogram = latencies.queueing; histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(queueing, p50, 500);
    GROUPSIM_SET_PERCENTILE(queueing, p99, 990);
    GROUPSIM_SET_PERCENTILE(queueing, max, 1000);
  }
  if (const Histogram& histogram = latencies.processing;
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(processing, p50, 500);
    GROUPSIM_SET_PERCENTILE(processing, p99, 990);
    GROUPSIM_SET_PERCENTILE(processing, max, 1000);
  }
  if (const Histogram& histogram = latencies.from_schedule;
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(end_to_end_from_schedule, p50, 500);
    GROUPSIM_SET_PERCENTILE(end_to_end_from_schedule, p90, 900);
    GROUPSIM_SET_PERCENTILE(end_to_end_from_schedule, p99, 990);
    GROUPSIM_SET_PERCENTILE(end_to_end_from_schedule, p999, 999);
    GROUPSIM_SET_PERCENTILE(end_to_end_from_schedule, max, 1000);
  }
  const LagMeasure& lag = delivery.lag(group);
  out->set_peak_lag(lag.peak());
  out->set_lag_area_message_seconds(Seconds(lag.area()));
  out->set_unrecovered_changes(lag.unrecovered());
  if (const Histogram& histogram = lag.recovery(); histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(lag_recovery, p50, 500);
    GROUPSIM_SET_PERCENTILE(lag_recovery, max, 1000);
  }
}

void FillRetries(Measures& measures, GroupIndex group,
                 Report::GroupMetrics* out) {
  const RetryMeasure::GroupResult& retries = measures.retrying().group(group);
  out->set_dead_letters(measures.delivery().counts(group).dead_letters);
  out->set_failed(retries.failed);
  out->set_sent_back(retries.sent_back);
  out->set_send_backs_failed(retries.send_backs_failed);
  out->set_resent(retries.resent);
  out->set_resubmitted(retries.resubmitted);
  out->set_expired(retries.expired);
  out->set_dropped_by_broker(retries.dropped);
  if (measures.subjects().groups()[static_cast<size_t>(group)].broadcasts) {
    out->set_given_up(retries.given_up);
  }
  if (const Histogram& histogram = retries.retry_delay; histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(retry_delay, p50, 500);
    GROUPSIM_SET_PERCENTILE(retry_delay, p99, 990);
    GROUPSIM_SET_PERCENTILE(retry_delay, max, 1000);
  }
  if (const Histogram& histogram = retries.time_to_dead_letter;
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(time_to_dead_letter, p50, 500);
    GROUPSIM_SET_PERCENTILE(time_to_dead_letter, max, 1000);
  }
}

void FillLocks(Measures& measures, GroupIndex group,
               Report::GroupMetrics* out) {
  const LockingMeasure::GroupResult& locks = measures.locking().group(group);
  if (!locks.orderly) return;
  out->set_locks_refused(locks.refused);
  if (const Histogram& histogram = locks.waits; histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(lock_wait, p50, 500);
    GROUPSIM_SET_PERCENTILE(lock_wait, max, 1000);
  }
  out->set_lock_wait_queue_seconds(Seconds(locks.waited));
  out->set_locks_expired(locks.expired);
  out->set_locks_lost(locks.lost);
  out->set_lock_lost_queue_seconds(Seconds(locks.without));
  out->set_removals_put_off(locks.put_off);
  out->set_unlocks_forced(locks.forced);
  out->set_processing_overlaps(measures.delivery().overlaps(group));
  out->set_flow_control_lock_seconds(PostponedSeconds(
      measures.pulling().group(group).postponed, PostponeReason::kNotLocked));
}

// What a consumer may be expected to cache at most; nothing where its limit is
// not known.
std::optional<int64_t> CachedBound(Measures& measures, ConsumerIndex index) {
  const Subjects::Consumer& consumer =
      measures.subjects().consumers()[static_cast<size_t>(index)];
  if (consumer.cached_per_queue == 0) return std::nullopt;
  const OwnershipMeasure& ownership = measures.ownership(consumer.group);
  return ownership.consumers()[static_cast<size_t>(index)].owned_max *
         consumer.cached_per_queue;
}

}  // namespace

void FillGroupMetrics(Measures& measures, GroupIndex group,
                      Report::GroupMetrics* out) {
  const OwnershipMeasure& ownership = measures.ownership(group);
  FillFairness(measures, group, out);
  FillChanges(measures, group, out);
  FillTakeover(ownership, out);
  out->set_unowned_queue_seconds(Seconds(ownership.unowned_time()));
  out->set_double_owned_queue_seconds(Seconds(ownership.double_owned_time()));
  FillDelivery(measures.delivery(), group, out);

  const PullingMeasure::GroupResult& pulling = measures.pulling().group(group);
  FillFlowControl(pulling.postponed, out);
  Duration postponed;
  for (const Duration time : pulling.postponed) postponed += time;
  out->set_postponed_seconds(Seconds(postponed));
  out->set_peak_cached_messages(pulling.peak_messages);
  out->set_peak_cached_bytes(pulling.peak_bytes);
  std::optional<int64_t> bound;
  for (const ConsumerIndex consumer :
       measures.subjects().groups()[static_cast<size_t>(group)].consumers) {
    const std::optional<int64_t> own = CachedBound(measures, consumer);
    if (own.has_value()) bound = std::max(bound.value_or(0), *own);
  }
  if (bound.has_value()) out->set_cached_bound_messages(*bound);
  FillRetries(measures, group, out);
  FillLocks(measures, group, out);
  out->set_pulls(pulling.pulls);
  out->set_empty_pulls(pulling.empty);
  out->set_failed_pulls(pulling.failed);
  out->set_offsets_corrected(pulling.corrected);
}

void FillConsumerMetrics(Measures& measures, ConsumerIndex index,
                         Report::ConsumerMetrics* out) {
  const GroupIndex group =
      measures.subjects().consumers()[static_cast<size_t>(index)].group;
  const OwnershipMeasure::ConsumerResult& owned =
      measures.ownership(group).consumers()[static_cast<size_t>(index)];
  out->set_alive_seconds(Seconds(owned.alive));
  out->set_idle_seconds(Seconds(owned.idle));
  out->set_queues_final(owned.owned_at_end);
  out->set_queues_max(owned.owned_max);
  out->set_queues_added(owned.added);
  out->set_queue_moves(owned.moves);
  out->set_allocations_run(owned.allocations);
  out->set_allocations_changed(owned.allocations_changed);
  const DeliveryMeasure::ConsumerResult& delivered =
      measures.delivery().consumer(index);
  out->set_deliveries(delivered.deliveries);
  out->set_duplicates(delivered.duplicates);
  out->set_finished(delivered.finished);
  out->set_processing_seconds(Seconds(delivered.processing));
  if (measures.subjects().groups()[static_cast<size_t>(group)].broadcasts) {
    out->set_final_lag(delivered.lag);
    out->set_peak_lag(delivered.peak_lag);
  }
  const PullingMeasure::ConsumerResult& pulled =
      measures.pulling().consumer(index);
  out->set_pulls(pulled.pulls);
  out->set_rebalances(pulled.rebalances);
  if (owned.alive > Duration::Zero()) {
    out->set_queues_mean(static_cast<double>(owned.owned_time) /
                         static_cast<double>(owned.alive.nanos()));
    out->set_rebalances_per_hour(PerHour(pulled.rebalances, owned.alive));
  }
  FillFlowControl(pulled.postponed, out);
  out->set_peak_cached_messages(pulled.peak_messages);
  out->set_peak_cached_bytes(pulled.peak_bytes);
  if (const auto bound = CachedBound(measures, index); bound.has_value()) {
    out->set_cached_bound_messages(*bound);
  }
}

std::vector<Report::QueueMetrics> QueueMetricsOf(Measures& measures,
                                                 GroupIndex group) {
  const OwnershipMeasure& ownership = measures.ownership(group);
  const std::vector<DeliveryMeasure::QueueResult> delivered =
      measures.delivery().QueueResults(group);
  const std::vector<QueueIndex>& queues =
      measures.subjects().groups()[static_cast<size_t>(group)].queues;
  std::vector<Report::QueueMetrics> all(queues.size());
  for (size_t i = 0; i < queues.size(); ++i) {
    Report::QueueMetrics& out = all[i];
    FillCounts(delivered[i].counts, measures.delivery().filters(group), &out);
    out.set_peak_lag(delivered[i].peak_lag);
    const OwnershipMeasure::QueueResult& owned = ownership.queues()[i];
    out.set_unowned_seconds(Seconds(owned.unowned));
    out.set_double_owned_seconds(Seconds(owned.double_owned));
    out.set_queue_moves(owned.moves);
    out.set_owners_final(static_cast<int64_t>(owned.owners_at_end.size()));
    if (const auto longest = ownership.takeovers().longest(i);
        longest.has_value()) {
      out.set_takeover_max_seconds(Seconds(*longest));
    }
    if (owned.time_to_first_owner.has_value()) {
      out.set_time_to_first_owner_seconds(Seconds(*owned.time_to_first_owner));
    }
    FillFlowControl(measures.pulling().queue(group, queues[i]), &out);
  }
  return all;
}

void FillTopicMetrics(Measures& measures, GroupIndex group, Name topic,
                      Report::TopicMetrics* out) {
  const OwnershipMeasure& ownership = measures.ownership(group);
  const DeliveryMeasure& delivery = measures.delivery();
  const std::vector<DeliveryMeasure::QueueResult> delivered =
      delivery.QueueResults(group);
  const Subjects& subjects = measures.subjects();
  const std::vector<QueueIndex>& queues =
      subjects.groups()[static_cast<size_t>(group)].queues;
  DeliveryMeasure::Counts counts;
  PullingMeasure::Postponed postponed;
  Duration unowned;
  Duration double_owned;
  int64_t number = 0;
  int64_t moves = 0;
  std::optional<Duration> takeover;
  std::optional<Duration> first_owner;
  const auto raise = [](std::optional<Duration>& to,
                        std::optional<Duration> value) {
    if (value.has_value()) to = std::max(to.value_or(*value), *value);
  };
  for (size_t i = 0; i < queues.size(); ++i) {
    if (subjects.queues()[static_cast<size_t>(queues[i])].queue.topic !=
        topic) {
      continue;
    }
    ++number;
    counts.Add(delivered[i].counts);
    const OwnershipMeasure::QueueResult& owned = ownership.queues()[i];
    unowned += owned.unowned;
    double_owned += owned.double_owned;
    moves += owned.moves;
    raise(takeover, ownership.takeovers().longest(i));
    raise(first_owner, owned.time_to_first_owner);
    const PullingMeasure::Postponed& own =
        measures.pulling().queue(group, queues[i]);
    for (size_t r = 0; r < own.size(); ++r) postponed[r] += own[r];
  }
  out->set_queues(number);
  FillCounts(counts, delivery.filters(group), out);
  out->set_peak_lag(delivery.topic_peak_lag(group, topic));
  out->set_unowned_queue_seconds(Seconds(unowned));
  out->set_double_owned_queue_seconds(Seconds(double_owned));
  out->set_queue_moves(moves);
  if (const Fairness end = ownership.TopicFairnessAtEnd(topic);
      end.consumers > 0) {
    out->set_jain_final(end.Jain());
    out->set_idle_consumers(end.idle);
    if (const auto ratio = end.MaxOverMean(); ratio.has_value()) {
      out->set_max_over_mean_final(*ratio);
    }
  }
  if (takeover.has_value()) out->set_takeover_max_seconds(Seconds(*takeover));
  if (first_owner.has_value()) {
    out->set_time_to_first_owner_max_seconds(Seconds(*first_owner));
  }
  const DeliveryMeasure::Latencies& latencies =
      delivery.LatenciesOf(group, topic);
  FillLatency(latencies.total, out);
  if (const Histogram& histogram = latencies.from_schedule;
      histogram.count() > 0) {
    GROUPSIM_SET_PERCENTILE(end_to_end_from_schedule, p50, 500);
    GROUPSIM_SET_PERCENTILE(end_to_end_from_schedule, p99, 990);
    GROUPSIM_SET_PERCENTILE(end_to_end_from_schedule, max, 1000);
  }
  FillFlowControl(postponed, out);
}

#undef GROUPSIM_SET_PERCENTILE

}  // namespace groupsim
