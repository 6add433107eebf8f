#include "scenarios/expect/metric_check.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "model/base/check.h"
#include "scenarios/measure/metrics.h"

namespace groupsim {
namespace {

constexpr char kNothing[] = "there was nothing to measure";

}  // namespace

std::optional<double> MetricByName(const google::protobuf::Message& metrics,
                                   const std::string& name) {
  const auto* field = metrics.GetDescriptor()->FindFieldByName(name);
  CHECK(field != nullptr && !field->is_repeated()) << name;
  const auto* reflection = metrics.GetReflection();
  if (field->has_presence() && !reflection->HasField(metrics, field)) {
    return std::nullopt;
  }
  if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_DOUBLE) {
    return reflection->GetDouble(metrics, field);
  }
  return static_cast<double>(reflection->GetInt64(metrics, field));
}

MetricCheck::MetricCheck(const CheckContext& context)
    : ExpectationCheck(context),
      name_(expectation().metric().name()),
      bounds_(Bounds::Of(expectation().metric())) {}

std::string MetricCheck::InWords() const {
  return absl::StrCat(name_, scope().words, " ", bounds_.InWords(""));
}

std::optional<double> MetricCheck::Value() const {
  if (scope().consumer != kNoSubject) {
    Report::ConsumerMetrics metrics;
    FillConsumerMetrics(context_.measures, scope().consumer, &metrics);
    return MetricByName(metrics, name_);
  }
  if (!scope().topic.empty()) {
    Report::TopicMetrics metrics;
    FillTopicMetrics(context_.measures, scope().group, scope().topic, &metrics);
    return MetricByName(metrics, name_);
  }
  Report::GroupMetrics metrics;
  FillGroupMetrics(context_.measures, scope().group, &metrics);
  return MetricByName(metrics, name_);
}

void MetricCheck::JudgeQueues(Report::ExpectationReport& report) const {
  const std::vector<Report::QueueMetrics> metrics =
      QueueMetricsOf(context_.measures, scope().group);
  const std::vector<QueueIndex>& queues =
      context_.subjects.groups()[static_cast<size_t>(scope().group)].queues;
  std::optional<double> low;
  std::optional<double> high;
  for (size_t i = 0; i < queues.size(); ++i) {
    if (!scope().Covers(queues[i])) continue;
    const std::optional<double> value = MetricByName(metrics[i], name_);
    if (!value.has_value()) continue;
    if (!bounds_.Hold(*value)) {
      JudgeNumber(*value, bounds_, "", report);
      report.set_subject(QueueInWords(context_.subjects, queues[i]));
      return;
    }
    low = std::min(low.value_or(*value), *value);
    high = std::max(high.value_or(*value), *value);
  }
  if (!low.has_value()) {
    Vacuous(kNothing, report);
    return;
  }
  JudgeNumber(*high, bounds_, "", report);
  if (*low == *high) return;
  report.set_actual(
      absl::StrCat(NumberInWords(*low), " to ", NumberInWords(*high)));
}

void MetricCheck::Judge(const RunEnd& /*end*/,
                        Report::ExpectationReport& report) {
  if (expectation().has_queues()) {
    JudgeQueues(report);
    return;
  }
  if (scope().consumer != kNoSubject) {
    report.set_subject(expectation().consumer());
  }
  const std::optional<double> value = Value();
  if (!value.has_value()) {
    Vacuous(kNothing, report);
    return;
  }
  JudgeNumber(*value, bounds_, "", report);
}

}  // namespace groupsim
