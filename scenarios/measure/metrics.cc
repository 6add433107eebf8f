#include "scenarios/measure/metrics.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "model/facts/causes.h"
#include "scenarios/measure/histogram.h"

namespace groupsim {
namespace {

double PostponedSeconds(const PullingMeasure::GroupResult& result,
                        PostponeReason reason) {
  return Seconds(result.postponed[static_cast<size_t>(reason)]);
}

}  // namespace

void FillGroupMetrics(Measures& measures, GroupIndex group,
                      Report::GroupMetrics* out) {
  OwnershipMeasure& ownership = measures.ownership(group);
  if (const auto jain = ownership.jain_time_weighted(); jain.has_value()) {
    out->set_jain_time_weighted(*jain);
  }
  if (ownership.jain_min().has_value()) {
    out->set_jain_min(*ownership.jain_min());
  }
  const Fairness& end = ownership.at_end();
  if (end.consumers > 0) {
    out->set_jain_final(end.Jain());
    out->set_idle_consumers(end.idle);
    if (const auto ratio = end.MaxOverMean(); ratio.has_value()) {
      out->set_max_over_mean_final(*ratio);
    }
  }
  if (const auto ratio = ownership.max_over_mean_time_weighted();
      ratio.has_value()) {
    out->set_max_over_mean(*ratio);
  }
  out->set_membership_changes(ownership.membership_changes());
  out->set_queue_moves(ownership.moves());
  out->set_necessary_moves(ownership.necessary_moves());
  out->set_allocations_run(ownership.allocations());
  out->set_allocations_changed(ownership.allocations_changed());

  if (const Histogram& h = ownership.convergence(); h.count() > 0) {
    out->set_convergence_p50_seconds(Seconds(h.Percentile(500)));
    out->set_convergence_p99_seconds(Seconds(h.Percentile(990)));
    out->set_convergence_max_seconds(Seconds(h.max()));
  }
  if (const Histogram& h = ownership.takeover(); h.count() > 0) {
    out->set_takeover_p50_seconds(Seconds(h.Percentile(500)));
    out->set_takeover_p99_seconds(Seconds(h.Percentile(990)));
    out->set_takeover_max_seconds(Seconds(h.max()));
  }
  if (const Histogram& h = ownership.first_pull(); h.count() > 0) {
    out->set_first_pull_p50_seconds(Seconds(h.Percentile(500)));
  }
  std::optional<Duration> latest;
  for (const OwnershipMeasure::QueueResult& queue : ownership.queues()) {
    if (queue.time_to_first_owner.has_value()) {
      latest =
          std::max(latest.value_or(Duration()), *queue.time_to_first_owner);
    }
  }
  if (latest.has_value()) {
    out->set_time_to_first_owner_max_seconds(Seconds(*latest));
  }
  out->set_unowned_queue_seconds(Seconds(ownership.unowned_time()));
  out->set_double_owned_queue_seconds(Seconds(ownership.double_owned_time()));

  DeliveryMeasure& delivery = measures.delivery();
  const DeliveryMeasure::Counts& counts = delivery.counts(group);
  out->set_processed_twice_queue_seconds(
      Seconds(delivery.processed_twice(group)));
  out->set_stored(counts.stored);
  out->set_sent(delivery.sent(group));
  out->set_deliveries(counts.deliveries);
  out->set_distinct(counts.distinct);
  out->set_duplicates(counts.duplicates);
  out->set_retries(counts.retries);
  out->set_skipped(counts.skipped);
  out->set_lost(delivery.lost(group));
  out->set_finished(counts.finished);
  if (const Histogram& h = delivery.latency(group); h.count() > 0) {
    out->set_latency_p50_seconds(Seconds(h.Percentile(500)));
    out->set_latency_p90_seconds(Seconds(h.Percentile(900)));
    out->set_latency_p99_seconds(Seconds(h.Percentile(990)));
    out->set_latency_p999_seconds(Seconds(h.Percentile(999)));
    out->set_latency_max_seconds(Seconds(h.max()));
    out->set_latency_mean_seconds(Seconds(h.Mean()));
  }
  out->set_peak_lag(delivery.peak_lag(group));
  out->set_final_lag(counts.lag_at_end);
  out->set_lag_area_message_seconds(Seconds(delivery.lag_area(group)));

  const PullingMeasure::GroupResult& pulling = measures.pulling().group(group);
  out->set_rebalances(pulling.rebalances);
  out->set_flow_control_count_seconds(
      PostponedSeconds(pulling, PostponeReason::kCount));
  out->set_flow_control_size_seconds(
      PostponedSeconds(pulling, PostponeReason::kSize));
  out->set_flow_control_span_seconds(
      PostponedSeconds(pulling, PostponeReason::kSpan));
  out->set_peak_cached_messages(pulling.peak_messages);
  out->set_peak_cached_bytes(pulling.peak_bytes);
  out->set_pulls(pulling.pulls);
  out->set_empty_pulls(pulling.empty);
  out->set_failed_pulls(pulling.failed);
}

void FillConsumerMetrics(Measures& measures, ConsumerIndex index,
                         Report::ConsumerMetrics* out) {
  const GroupIndex group =
      measures.subjects().consumers()[static_cast<size_t>(index)].group;
  const OwnershipMeasure::ConsumerResult& owned =
      measures.ownership(group).consumers()[static_cast<size_t>(index)];
  out->set_alive_seconds(Seconds(owned.alive));
  out->set_queues_final(owned.owned_at_end);
  if (owned.alive > Duration::Zero()) {
    out->set_queues_mean(static_cast<double>(owned.owned_time) /
                         static_cast<double>(owned.alive.nanos()));
  }
  const DeliveryMeasure::ConsumerResult& delivered =
      measures.delivery().consumer(index);
  out->set_deliveries(delivered.deliveries);
  out->set_duplicates(delivered.duplicates);
  out->set_finished(delivered.finished);
  const PullingMeasure::ConsumerResult& pulled =
      measures.pulling().consumer(index);
  out->set_pulls(pulled.pulls);
  out->set_rebalances(pulled.rebalances);
  out->set_flow_control_seconds(Seconds(pulled.flow_control));
  out->set_peak_cached_messages(pulled.peak_messages);
  out->set_peak_cached_bytes(pulled.peak_bytes);
}

}  // namespace groupsim
