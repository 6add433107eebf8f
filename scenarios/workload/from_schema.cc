#include "scenarios/workload/from_schema.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/runtime/listener_executor.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"
#include "sim/random/distribution.h"

namespace groupsim {
namespace {

// Which messages a Hang or a Failure is about.
template <class Schema>
ScenarioListener::Selection SelectionOf(const Schema& from, NameTable& names) {
  ScenarioListener::Selection selection;
  selection.topic = names.Intern(from.topic());
  for (const QueueRange& range : Valid(ParseQueues(from.queues()))) {
    selection.queues.push_back(
        {names.Intern(range.broker), range.first, range.last});
  }
  selection.offsets.insert(from.offset().begin(), from.offset().end());
  return selection;
}

ListenerResult ResultOf(const schema::Failure& from) {
  ListenerResult result;
  if (from.has_ack_index()) {
    result.ack_index = from.ack_index();
  } else if (from.how() == schema::Failure::THROW) {
    result.status = ConsumeStatus::kException;
  } else if (from.how() == schema::Failure::NULL_RESULT) {
    result.status = ConsumeStatus::kNull;
  } else if (from.how() == schema::Failure::LATER) {
    result.status = ConsumeStatus::kReconsumeLater;
  } else if (from.how() == schema::Failure::COMMIT) {
    result.status = ConsumeStatus::kCommit;
  } else if (from.how() == schema::Failure::ROLLBACK) {
    result.status = ConsumeStatus::kRollback;
  }
  result.delay_level = from.delay_level();
  return result;
}

ScenarioListener::Failure FailureOf(const schema::Failure& from,
                                    NameTable& names) {
  ScenarioListener::Failure failure;
  failure.messages = SelectionOf(from, names);
  if (from.has_tag()) failure.tag = names.Intern(from.tag());
  failure.keys.insert(from.key().begin(), from.key().end());
  if (from.has_per_mille()) failure.per_mille = from.per_mille();
  if (from.has_per_mille_of_messages()) {
    failure.per_mille_of_messages = from.per_mille_of_messages();
  }
  if (from.has_times()) failure.times = from.times();
  failure.result = ResultOf(from);
  if (from.has_lasts()) failure.lasts = Parsed(from.lasts());
  failure.hangs = from.how() == schema::Failure::HANG && !from.has_lasts();
  return failure;
}

}  // namespace

std::unique_ptr<ScenarioListener> MakeListener(const schema::Listener& listener,
                                               const ListenerDraws& draws,
                                               NameTable& names) {
  ScenarioListener::Description made;
  made.drawer = draws.drawer;
  made.seed = draws.seed;
  made.names = &names;
  made.service_time = listener.has_service_time()
                          ? Valid(MakeDistribution(listener.service_time(),
                                                   FieldRule::DURATION))
                          : Valid(Distribution::Constant(1'000'000));
  if (listener.has_service_time_per_message()) {
    made.time_per_message = Valid(MakeDistribution(
        listener.service_time_per_message(), FieldRule::DURATION));
  }
  if (listener.has_time_per_cent()) {
    made.time_per_cent = listener.time_per_cent();
  }
  if (listener.has_auto_commit()) made.auto_commit = listener.auto_commit();
  made.fails_when_interrupted =
      listener.on_interrupt() == schema::Listener::FAIL;
  if (listener.has_leaves_body_size()) {
    made.leaves_body_size =
        static_cast<int32_t>(Valid(ParseSize(listener.leaves_body_size())));
  }
  for (const schema::Hang& from : listener.hang()) {
    ScenarioListener::Hang hang;
    hang.messages = SelectionOf(from, names);
    if (from.has_times()) hang.times = from.times();
    if (from.has_lasts()) hang.lasts = Parsed(from.lasts());
    made.hangs.push_back(std::move(hang));
  }
  for (const schema::Failure& from : listener.fails()) {
    made.failures.push_back(FailureOf(from, names));
  }
  return std::make_unique<ScenarioListener>(std::move(made));
}

}  // namespace groupsim
