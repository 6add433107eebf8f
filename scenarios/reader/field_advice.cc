#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "scenarios/reader/advice.h"
#include "scenarios/reader/nearest.h"

namespace groupsim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::OneofDescriptor;

// What others call a field, in snake case, and what it is called here.
struct Alias {
  absl::string_view theirs;
  absl::string_view ours;
};
constexpr Alias kAliases[] = {
    {"broker_name", "name"},
    {"consumer_group", "name"},
    {"group_name", "name"},
    {"producer_group", "name"},
    {"topic_name", "name"},
    {"id", "name"},
    {"broker_cluster_name", "cluster"},
    {"namesrv", "name_server"},
    {"namesrv_addr", "name_server"},
    {"nameserver", "name_server"},
    {"instance_name", "client_id"},
    {"default_topic_queue_nums", "queues_per_broker"},
    {"queue_nums", "queues_per_broker"},
    {"queue_count", "queues_per_broker"},
    {"queues", "queues_per_broker"},
    {"partitions", "queues_per_broker"},
    {"read_queue_nums", "read_queues"},
    {"write_queue_nums", "write_queues"},
    {"perm", "permission"},
    {"sub_expression", "expression"},
    {"tags", "expression"},
    {"allocate_message_queue_strategy", "strategy"},
    {"message_listener", "listener"},
    {"heartbeat_interval", "heartbeat_broker_interval"},
    {"wait_interval", "rebalance_wait_interval"},
    {"rebalance_interval", "rebalance_wait_interval"},
    {"min_interval", "rebalance_min_interval"},
    {"pull_time_delay_millis_when_exception",
     "pull_time_delay_mills_when_exception"},
    {"threads", "consume_thread_max"},
    {"replicas", "count"},
    {"instances", "count"},
    {"pods", "consumer"},
    {"pod", "consumer"},
    {"tps", "rate"},
    {"qps", "rate"},
    {"rps", "per_second"},
    {"message_size", "body_size"},
    {"size", "body_size"},
    {"timeline", "at"},
    {"event", "at"},
    {"events", "at"},
    {"fault", "at"},
    {"expectation", "expect"},
    {"expectations", "expect"},
    {"assert", "expect"},
    {"description", "title"},
    {"time_out", "duration"},
    {"max", "at_most"},
    {"at_most", "within"},
    {"within", "at_most"},
    {"min", "at_least"},
    {"equal", "equals"},
    {"latency_ms", "latency"},
    {"processing_time", "service_time"},
    {"when", "time"},
    {"at", "time"},
    {"kill", "crash"},
    {"shutdown", "stop"},
};

std::vector<absl::string_view> FieldNames(const Descriptor& type) {
  std::vector<absl::string_view> names;
  names.reserve(type.field_count());
  for (int i = 0; i < type.field_count(); ++i) {
    names.push_back(type.field(i)->name());
  }
  return names;
}

std::string Joined(absl::string_view path, absl::string_view field) {
  return absl::StrCat(path, path.empty() ? "" : ".", field);
}

// A message and where the schema has it, as "group.client".
struct Place {
  const Descriptor* type = nullptr;
  std::string path;
  // The choice through which the next message within was reached.
  const OneofDescriptor* taken = nullptr;
};

// The messages from the root down to the one at `path`.
std::vector<Place> PlacesAlong(const Descriptor& root, absl::string_view path) {
  std::vector<Place> places = {{.type = &root, .path = ""}};
  if (path.empty()) return places;
  for (const absl::string_view part : absl::StrSplit(path, '.')) {
    const std::string name(part.substr(0, part.find('[')));
    const FieldDescriptor* field = places.back().type->FindFieldByName(name);
    if (field == nullptr || field->message_type() == nullptr) break;
    places.back().taken = field->real_containing_oneof();
    std::string within = Joined(places.back().path, name);
    places.push_back(
        {.type = field->message_type(), .path = std::move(within)});
  }
  return places;
}

// The nearest message within `from`, or that itself, with a field `name`; an
// empty one if there is none. Goes `depth` levels down, not into `taken` nor
// into `around`.
Place FindWithin(const Place& from, const std::string& name, int depth,
                 const OneofDescriptor* taken,
                 const std::vector<Place>& around) {
  std::vector<Place> level = {from};
  absl::flat_hash_set<const Descriptor*> seen = {from.type};
  for (const Place& place : around) seen.insert(place.type);
  for (int i = 0; i <= depth; ++i) {
    std::vector<Place> below;
    for (const Place& place : level) {
      if (place.type->FindFieldByName(name) != nullptr) return place;
      for (int j = 0; j < place.type->field_count(); ++j) {
        const FieldDescriptor& field = *place.type->field(j);
        if (field.message_type() == nullptr ||
            (taken != nullptr && field.real_containing_oneof() == taken) ||
            !seen.insert(field.message_type()).second) {
          continue;
        }
        below.push_back({.type = field.message_type(),
                         .path = Joined(place.path, field.name())});
      }
    }
    level = std::move(below);
    taken = nullptr;
  }
  return {};
}

// Where in the schema a field `name` may stand that was written in the last of
// `places`; an empty place if nowhere near.
Place FindElsewhere(const std::vector<Place>& places, const std::string& name) {
  Place found = FindWithin(places.back(), name, /*depth=*/3, nullptr, places);
  for (size_t i = places.size() - 1; found.type == nullptr && i-- > 0;) {
    found = FindWithin(places[i], name, /*depth=*/2, places[i].taken, places);
  }
  return found;
}

// Where a field belongs, from the view of the message at `here`.
std::string Belongs(const Place& place, absl::string_view here,
                    absl::string_view name) {
  if (place.path.empty()) {
    return absl::StrCat(Quote(name),
                        " belongs to the scenario itself, outside of all "
                        "braces");
  }
  std::string hint = absl::StrCat(Quote(name), " belongs in ", place.path);
  absl::string_view below = place.path;
  if (!here.empty()) {
    if (!absl::StartsWith(below, absl::StrCat(here, "."))) return hint;
    below.remove_prefix(here.size() + 1);
  }
  std::string braces;
  for (const absl::string_view part : absl::StrSplit(below, '.')) {
    absl::StrAppend(&hint, braces.empty() ? ": " : " ", part, " {");
    braces += " }";
  }
  absl::StrAppend(&hint, " ", name, ": ...", braces);
  return hint;
}

// Which name of the messages around and within was meant.
std::string NearestElsewhere(const std::vector<Place>& places,
                             const std::string& name) {
  constexpr size_t kShortest = 6;
  if (name.size() < kShortest) return "";
  std::vector<absl::string_view> names;
  for (const Place& place : places) {
    for (int i = 0; i < place.type->field_count(); ++i) {
      const FieldDescriptor& field = *place.type->field(i);
      names.push_back(field.name());
      if (field.message_type() == nullptr) continue;
      const std::vector<absl::string_view> within =
          FieldNames(*field.message_type());
      names.insert(names.end(), within.begin(), within.end());
    }
  }
  return std::string(NearestName(name, names));
}

}  // namespace

Advice AdviseOnField(const Descriptor& root, absl::string_view path,
                     const Descriptor& type, absl::string_view written) {
  Advice advice;
  advice.message =
      absl::StrCat("no field ", Quote(written), " in ", type.name());
  const std::vector<absl::string_view> names = FieldNames(type);
  if (names.empty()) {
    advice.hint = absl::StrCat(type.name(), " has no fields: write {}");
    return advice;
  }
  const std::vector<Place> places = PlacesAlong(root, path);
  const std::string& here = places.back().path;
  const std::vector<std::string> parts = absl::StrSplit(written, '.');
  if (parts.size() > 1) {
    const FieldDescriptor* outer = type.FindFieldByName(SnakeCase(parts[0]));
    if (outer != nullptr && outer->message_type() != nullptr) {
      advice.hint =
          absl::StrCat("a field of a field stands in braces: ", outer->name(),
                       " { ", parts[1], ": ... }");
      return advice;
    }
  }
  const auto meant = [&](absl::string_view name) {
    advice.hint = DidYouMean(name);
    advice.fix = std::string(name);
    advice.meant = std::string(name);
  };
  // Of a property such as rocketmq.client.rebalance.waitInterval the last part.
  const std::string snake = SnakeCase(parts.back());
  if (type.FindFieldByName(snake) != nullptr) {
    meant(snake);
    return advice;
  }
  Place elsewhere = FindElsewhere(places, snake);
  const bool within = elsewhere.type != nullptr &&
                      absl::StartsWith(elsewhere.path, Joined(here, ""));
  // Another tool's name for a field of this message comes before a field of
  // that name far away.
  for (const Alias& alias : kAliases) {
    if (within || alias.theirs != snake) continue;
    const std::string ours(alias.ours);
    if (type.FindFieldByName(ours) != nullptr) {
      meant(ours);
      return advice;
    }
  }
  if (elsewhere.type != nullptr) {
    advice.hint = Belongs(elsewhere, here, snake);
    return advice;
  }
  if (const absl::string_view nearest = NearestName(snake, names);
      !nearest.empty()) {
    meant(nearest);
    return advice;
  }
  std::string candidate = NearestElsewhere(places, snake);
  for (const Alias& alias : kAliases) {
    if (candidate.empty() && alias.theirs == snake) {
      candidate = std::string(alias.ours);
    }
  }
  if (!candidate.empty()) {
    elsewhere = FindElsewhere(places, candidate);
    if (elsewhere.type != nullptr) {
      advice.hint = absl::StrCat(DidYouMean(candidate), " ",
                                 Belongs(elsewhere, here, candidate));
      return advice;
    }
  }
  advice.hint =
      absl::StrCat(type.name(), " has ", ListNames(NearestFirst(snake, names)));
  return advice;
}

}  // namespace groupsim
