// The metrics of report.proto, filled from measures.
#ifndef GROUPSIM_SCENARIOS_MEASURE_METRICS_H_
#define GROUPSIM_SCENARIOS_MEASURE_METRICS_H_

#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "scenarios/measure/measures.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/schema/report.pb.h"

namespace groupsim {

// Seconds of a whole number of nanoseconds.
inline double Seconds(Duration d) {
  return static_cast<double>(d.nanos()) / 1e9;
}
inline double Seconds(__int128 nanos) {
  return static_cast<double>(nanos) / 1e9;
}

// `measures` must be finished. Sets every metric that there is something to
// say about.
void FillGroupMetrics(Measures& measures, GroupIndex group,
                      Report::GroupMetrics* out);
void FillConsumerMetrics(Measures& measures, ConsumerIndex consumer,
                         Report::ConsumerMetrics* out);
// Of the group's queues, in their order.
std::vector<Report::QueueMetrics> QueueMetricsOf(Measures& measures,
                                                 GroupIndex group);
// Of a topic of the group.
void FillTopicMetrics(Measures& measures, GroupIndex group, Name topic,
                      Report::TopicMetrics* out);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_METRICS_H_
