#include "scenarios/faults/make_action.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "model/base/check.h"
#include "scenarios/faults/cluster_actions.h"
#include "scenarios/faults/fact_filter.h"
#include "scenarios/faults/host_actions.h"
#include "scenarios/faults/network_actions.h"
#include "scenarios/faults/process_actions.h"
#include "scenarios/faults/traffic_actions.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

using RoomFunction = std::unique_ptr<TimelineAction> (*)(const schema::Event&,
                                                         Cast&);

// One line a room.
constexpr RoomFunction kRooms[] = {
    MakeProcessAction, MakeNetworkAction, MakeHostAction,
    MakeTrafficAction, MakeClusterAction,
};

Timeline::When MakeWhen(const schema::Event& event, Instant end, Cast& cast) {
  if (event.has_every()) {
    Timeline::Periodic when;
    when.every = Parsed(event.every());
    when.from =
        event.has_from() ? TimeOf(event.from()) : Instant::Start() + when.every;
    when.until = event.has_until() ? std::min(TimeOf(event.until()), end) : end;
    return when;
  }
  if (event.has_after()) {
    const schema::AfterFact& from = event.after();
    return Timeline::AfterFact{
        FactFilter(from, cast.world().names()),
        from.has_times() ? from.times() : 1,
        from.has_from() ? TimeOf(from.from()) : Instant::Start(),
        from.has_plus() ? Parsed(from.plus()) : Duration::Zero(),
    };
  }
  return Timeline::Once{TimeOf(event.time())};
}

// The field `lasts` of the action's message, if it has one.
std::optional<Duration> LastsOf(const schema::Event& event) {
  const google::protobuf::Reflection& reflection = *event.GetReflection();
  const google::protobuf::FieldDescriptor* field =
      reflection.GetOneofFieldDescriptor(
          event, event.GetDescriptor()->FindOneofByName("action"));
  CHECK(field != nullptr);
  const google::protobuf::Message& action = reflection.GetMessage(event, field);
  const google::protobuf::FieldDescriptor* lasts =
      action.GetDescriptor()->FindFieldByName("lasts");
  if (lasts == nullptr || !action.GetReflection()->HasField(action, lasts)) {
    return std::nullopt;
  }
  return Parsed(action.GetReflection()->GetString(action, lasts));
}

}  // namespace

std::unique_ptr<TimelineAction> MakeAction(const schema::Event& event,
                                           Cast& cast) {
  for (const RoomFunction room : kRooms) {
    if (std::unique_ptr<TimelineAction> action = room(event, cast)) {
      return action;
    }
  }
  CHECK(false) << "an event without an action passed validation";
  return nullptr;
}

Timeline::Plan MakePlan(const schema::Event& event, Instant end, Cast& cast) {
  return Timeline::Plan{event.name(), MakeWhen(event, end, cast),
                        MakeAction(event, cast), LastsOf(event)};
}

}  // namespace groupsim
