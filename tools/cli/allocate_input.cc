#include "tools/cli/allocate_input.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/hash_ring.h"
#include "scenarios/laboratory/group_of_scenario.h"
#include "scenarios/laboratory/group_plan.h"
#include "scenarios/reader/finding.h"
#include "scenarios/runner/consumers_of.h"
#include "tools/cli/list_values.h"

namespace groupsim {
namespace {

absl::Status Wrong(std::string message) {
  return absl::InvalidArgumentError(std::move(message));
}

absl::Status TooLarge(std::string message) {
  return absl::OutOfRangeError(std::move(message));
}

class FlagReader {
 public:
  FlagReader(const Flags& flags, AllocateInput* input)
      : flags_(flags), input_(*input), plan_(input->plan) {}

  // Members that join the group of a scenario are the next ones of it.
  void SetScenario(const Scenario* scenario) { scenario_ = scenario; }

  absl::Status ReadStrategies() {
    const bool one = flags_.Has("strategy");
    const bool several = flags_.Has("strategies");
    if (one && several) {
      return Wrong("--strategy and --strategies exclude each other");
    }
    // That of a scenario's group is known later.
    if (!one && !several && scenario_ != nullptr) return absl::OkStatus();
    std::vector<std::string> names = {"averagely"};
    if (one) names = {flags_.Value("strategy")};
    if (several) {
      input_.table = true;
      names = SplitList(flags_.Value("strategies"));
      if (names == std::vector<std::string>{"all"}) {
        input_.named = false;
        for (const StrategyEntry& entry : StrategyCatalogue()) {
          input_.strategies.push_back(&entry);
        }
        return absl::OkStatus();
      }
    }
    for (const std::string& name : names) {
      const StrategyEntry* entry = FindStrategy(name);
      if (entry == nullptr) return UnknownStrategy(name);
      if (std::find(input_.strategies.begin(), input_.strategies.end(),
                    entry) != input_.strategies.end()) {
        return Wrong(absl::StrCat("the strategy ", name, " is named twice"));
      }
      input_.strategies.push_back(entry);
    }
    return absl::OkStatus();
  }

  absl::Status ReadQueues() {
    const std::string queues = flags_.Value("queues");
    size_t topic_count = 1;
    std::vector<NamedPart> topics;
    if (flags_.Has("topics")) {
      const std::string text = flags_.Value("topics");
      if (IsNumber(text)) {
        const absl::StatusOr<size_t> count =
            ReadCount("topics", text, kMostTopics);
        if (!count.ok()) return count.status();
        topic_count = *count;
      } else {
        absl::StatusOr<std::vector<NamedPart>> parts =
            ReadNamedParts("topics", text);
        if (!parts.ok()) return parts.status();
        topics = *std::move(parts);
        if (flags_.Has("queues")) {
          return Wrong(
              "--topics=NAME:QUEUES says how many queues there are; "
              "leave --queues out");
        }
      }
    }
    if (topics.empty() && queues.empty()) {
      return Wrong("--queues is missing: how many queues there are, or which");
    }
    if (absl::Status status = ReadBrokers(); !status.ok()) return status;
    if (topics.empty() && !IsNumber(queues)) {
      return ReadNamedQueues(queues, topic_count);
    }
    if (topics.empty()) {
      for (size_t i = 0; i < topic_count; ++i) {
        topics.push_back({topic_count == 1
                              ? "orders"
                              : Numbered("topic", i, topic_count - 1),
                          queues});
      }
    }
    size_t total = 0;
    for (const NamedPart& topic : topics) {
      const absl::StatusOr<size_t> count = ReadCount(
          flags_.Has("queues") ? "queues" : "topics", topic.value, kMostQueues);
      if (!count.ok()) return count.status();
      total += *count;
      if (total > kMostQueues) {
        return TooLarge(absl::StrCat("there may be at most ", kMostQueues,
                                     " queues in all"));
      }
      plan_.topics.push_back(SpreadTopic(topic.name, *count));
    }
    return absl::OkStatus();
  }

  absl::Status ReadMembers() {
    if (!flags_.Has("consumers")) {
      return Wrong(
          "--consumers is missing: how many consumers there are, or which");
    }
    const std::string text = flags_.Value("consumers");
    if (LooksLikeNumber(text))
      return NotACount("consumers", "client ids", text);
    if (!IsNumber(text)) {
      for (const std::string& name : SplitList(text)) {
        plan_.members.push_back({.id = name});
      }
      return absl::OkStatus();
    }
    const absl::StatusOr<size_t> count =
        ReadCount("consumers", text, kMostMembers);
    if (!count.ok()) return count.status();
    counted_ = true;
    // Numbered in ReadChanges, as joiners go on counting.
    plan_.members.resize(*count);
    return absl::OkStatus();
  }

  absl::Status ReadChanges() {
    size_t joiners = 0;
    if (flags_.Has("join")) {
      const absl::StatusOr<size_t> count =
          ReadCount("join", flags_.Value("join"), kMostMembers);
      if (!count.ok()) return count.status();
      if (*count == 0) return Wrong("--join must be at least 1");
      joiners = *count;
    }
    const size_t all = plan_.members.size() + joiners;
    if (counted_) {
      for (size_t i = 0; i < plan_.members.size(); ++i) {
        plan_.members[i].id = Numbered("pod", i, all - 1);
      }
    }
    for (size_t i = 0; i < joiners && scenario_ != nullptr; ++i) {
      plan_.joiners.push_back(
          {.id = ClientIdOfJoiner(*scenario_, i),
           // Rooms go on as those of the consumers.
           .room = plan_.members[i % plan_.members.size()].room,
           .name = Numbered("joiner", i, joiners - 1)});
    }
    for (size_t i = 0; i < joiners && scenario_ == nullptr; ++i) {
      plan_.joiners.push_back(
          {.id = counted_ ? Numbered("pod", plan_.members.size() + i, all - 1)
                          : Numbered("joiner", i, joiners - 1)});
    }
    if (flags_.Has("leave")) {
      const std::string leaver = flags_.Value("leave");
      plan_.anyone_leaves = leaver == "any";
      if (!plan_.anyone_leaves) plan_.leavers = SplitList(leaver);
    }
    plan_.restarts = flags_.Has("rolling-restart");
    return absl::OkStatus();
  }

  absl::Status ReadTrials() {
    if (flags_.Has("seed")) {
      const absl::StatusOr<uint64_t> seed =
          ParseSeed("seed", flags_.Value("seed"));
      if (!seed.ok()) return seed.status();
      input_.seed = *seed;
    }
    if (!flags_.Has("trials")) return absl::OkStatus();
    const absl::StatusOr<size_t> trials =
        ReadCount("trials", flags_.Value("trials"), kMostTrials);
    if (!trials.ok()) return trials.status();
    if (*trials == 0) return Wrong("--trials must be at least 1");
    if (!counted_) {
      return Wrong("--trials draws client ids: give --consumers as a number");
    }
    if (!plan_.leavers.empty()) {
      return Wrong("--trials draws client ids: only --leave=any can leave");
    }
    input_.trials = *trials;
    input_.table = true;
    plan_.draw_ids = true;
    return absl::OkStatus();
  }

  absl::Status ReadRooms() {
    // Brokers called "room@name" say it themselves.
    std::map<std::string, std::string> rooms;  // By broker.
    for (const std::string& broker : Brokers()) {
      const size_t sign = broker.find('@');
      if (sign != std::string::npos) rooms[broker] = broker.substr(0, sign);
    }
    if (flags_.Has("rooms")) {
      const std::string text = flags_.Value("rooms");
      if (IsNumber(text)) {
        // Brokers have their rooms in their names; see ReadBrokers.
        PlaceMembersInTurn();
      } else if (absl::Status status = ReadNamedRooms(text, &rooms);
                 !status.ok()) {
        return status;
      }
    }
    for (const auto& [broker, room] : rooms) {
      plan_.broker_rooms.push_back({broker, room});
    }
    input_.has_rooms =
        !rooms.empty() &&
        std::all_of(plan_.members.begin(), plan_.members.end(),
                    [](const MemberPlan& m) { return !m.room.empty(); });
    return absl::OkStatus();
  }

  absl::Status ReadWeights() {
    if (!flags_.Has("weights")) return absl::OkStatus();
    const std::vector<std::string> parts = SplitList(flags_.Value("weights"));
    const size_t members = plan_.members.size();
    if (parts.size() != members &&
        parts.size() != members + plan_.joiners.size()) {
      return Wrong(absl::StrCat("--weights has ", parts.size(), " numbers for ",
                                members, " consumers"));
    }
    std::vector<int64_t> weights;
    for (const std::string& part : parts) {
      const absl::StatusOr<size_t> weight =
          ReadCount("weights", part, 1'000'000'000);
      if (!weight.ok()) return weight.status();
      weights.push_back(static_cast<int64_t>(*weight));
    }
    for (size_t i = 0; i < members; ++i) plan_.members[i].weight = weights[i];
    // Joiners that no number is left for begin the list anew.
    for (size_t i = 0; i < plan_.joiners.size(); ++i) {
      plan_.joiners[i].weight = weights[(members + i) % weights.size()];
    }
    input_.has_weights = true;
    return absl::OkStatus();
  }

  absl::Status ReadLags() {
    if (!flags_.Has("lags")) return absl::OkStatus();
    size_t queues = 0;
    for (const TopicPlan& topic : plan_.topics) queues += topic.queues.size();
    const std::vector<std::string> parts = SplitList(flags_.Value("lags"));
    if (queues % parts.size() != 0) {
      return Wrong(absl::StrCat("--lags has ", parts.size(),
                                " numbers, which do not go evenly into ",
                                queues, " queues"));
    }
    for (const std::string& part : parts) {
      const absl::StatusOr<size_t> lag =
          ReadCount("lags", part, 1'000'000'000'000);
      if (!lag.ok()) return lag.status();
      plan_.loads.push_back(static_cast<int64_t>(*lag));
    }
    // The pattern goes on.
    while (plan_.loads.size() < queues) {
      plan_.loads.push_back(plan_.loads[plan_.loads.size() - parts.size()]);
    }
    input_.has_loads = true;
    return absl::OkStatus();
  }

  absl::Status ReadParameters() {
    if (flags_.Has("virtual-nodes")) {
      const absl::StatusOr<size_t> nodes = ReadCount(
          "virtual-nodes", flags_.Value("virtual-nodes"), kMostVirtualNodes);
      if (!nodes.ok()) return nodes.status();
      input_.settings.parameters.virtual_nodes = static_cast<int32_t>(*nodes);
    }
    if (flags_.Has("inner")) {
      const std::string inner = flags_.Value("inner");
      const StrategyEntry* entry = FindStrategy(inner);
      if (entry == nullptr) return UnknownStrategy(inner);
      if (!entry->needs.empty()) {
        return Wrong(
            absl::StrCat("--inner must be a strategy that needs nothing; ",
                         inner, " needs ", ToString(entry->needs)));
      }
      input_.settings.parameters.inner = inner;
    }
    if (flags_.Has("config")) {
      absl::StatusOr<std::vector<NamedPart>> parts =
          ReadNamedParts("config", flags_.Value("config"));
      if (!parts.ok()) return parts.status();
      input_.settings.configured.clear();
      for (const NamedPart& part : *parts) {
        absl::StatusOr<std::vector<QueuePlan>> queues =
            ReadQueueRange("config", part.value);
        if (!queues.ok()) return queues.status();
        for (const QueuePlan& queue : *queues) {
          input_.settings.configured.push_back(
              {.member = part.name, .queue = queue});
        }
      }
    }
    if (!flags_.Has("explain")) return absl::OkStatus();
    if (input_.table) {
      return Wrong(
          "--explain is about one strategy and one group: give "
          "--strategy, and no --trials");
    }
    input_.explain = flags_.Value("explain");
    return absl::OkStatus();
  }

 private:
  static absl::Status NotACount(absl::string_view flag, absl::string_view names,
                                absl::string_view text) {
    return Wrong(absl::StrCat("--", flag,
                              " must be a whole number from 1 on, or ", names,
                              ", not ", Quote(text)));
  }

  static absl::Status UnknownStrategy(const std::string& name) {
    std::vector<absl::string_view> known;
    for (const StrategyEntry& entry : StrategyCatalogue()) {
      known.push_back(entry.name);
    }
    const std::string hint = DidYouMean(NearestName(name, known));
    return Wrong(absl::StrCat(
        "no strategy is called ", Quote(name), "; ",
        hint.empty() ? "groupsim list strategies shows all" : hint));
  }

  // Fills brokers_, the brokers that counted queues are spread over.
  absl::Status ReadBrokers() {
    const std::string text =
        flags_.Has("brokers") ? flags_.Value("brokers") : "1";
    if (LooksLikeNumber(text)) return NotACount("brokers", "names", text);
    if (IsNumber(text)) {
      const absl::StatusOr<size_t> count = ReadCount("brokers", text, 1'000);
      if (!count.ok()) return count.status();
      if (*count == 0) return Wrong("--brokers must be at least 1");
      for (size_t i = 0; i < *count; ++i) {
        brokers_.push_back(
            *count <= 26
                ? absl::StrCat("broker-",
                               std::string(1, static_cast<char>('a' + i)))
                : Numbered("broker", i, *count - 1));
      }
    } else {
      brokers_ = SplitList(text);
    }
    const std::string rooms = flags_.Value("rooms");
    if (!IsNumber(rooms)) return absl::OkStatus();
    const absl::StatusOr<size_t> count = ReadCount("rooms", rooms, 1'000);
    if (!count.ok()) return count.status();
    if (*count == 0) return Wrong("--rooms must be at least 1");
    if (!IsNumber(text)) {
      return Wrong(
          "--rooms=N needs --brokers as a number, too; name the rooms "
          "of named brokers: --rooms=NAME:ROOM,...");
    }
    for (size_t i = 0; i < *count; ++i) {
      room_names_.push_back(Numbered("room", i, *count - 1));
    }
    for (size_t i = 0; i < brokers_.size(); ++i) {
      brokers_[i] = absl::StrCat(room_names_[i % *count], "@", brokers_[i]);
    }
    return absl::OkStatus();
  }

  TopicPlan SpreadTopic(const std::string& name, size_t queues) const {
    TopicPlan topic;
    topic.name = name;
    for (size_t b = 0; b < brokers_.size(); ++b) {
      const size_t share =
          queues / brokers_.size() + (b < queues % brokers_.size() ? 1 : 0);
      for (size_t i = 0; i < share; ++i) {
        topic.queues.push_back({brokers_[b], static_cast<int32_t>(i)});
      }
    }
    return topic;
  }

  absl::Status ReadNamedQueues(const std::string& text, size_t topic_count) {
    if (flags_.Has("brokers")) {
      return Wrong(
          "named queues say which brokers there are; leave --brokers "
          "out");
    }
    if (topic_count != 1) return Wrong("named queues are of one topic");
    TopicPlan topic;
    topic.name = "orders";
    for (const std::string& part : SplitList(text)) {
      const absl::StatusOr<std::vector<QueuePlan>> queues =
          ReadQueueRange("queues", part);
      if (!queues.ok()) return queues.status();
      topic.queues.insert(topic.queues.end(), queues->begin(), queues->end());
      if (topic.queues.size() > kMostQueues) {
        return TooLarge(absl::StrCat("there may be at most ", kMostQueues,
                                     " queues in all"));
      }
    }
    plan_.topics.push_back(std::move(topic));
    return absl::OkStatus();
  }

  // In the order of their first queues.
  std::vector<std::string> Brokers() const {
    std::vector<std::string> brokers;
    std::map<std::string, bool> seen;
    for (const TopicPlan& topic : plan_.topics) {
      for (const QueuePlan& queue : topic.queues) {
        if (seen.emplace(queue.broker, true).second) {
          brokers.push_back(queue.broker);
        }
      }
    }
    return brokers;
  }

  void PlaceMembersInTurn() {
    for (size_t i = 0; i < plan_.members.size(); ++i) {
      plan_.members[i].room = room_names_[i % room_names_.size()];
    }
    for (size_t i = 0; i < plan_.joiners.size(); ++i) {
      plan_.joiners[i].room =
          room_names_[(plan_.members.size() + i) % room_names_.size()];
    }
  }

  absl::Status ReadNamedRooms(const std::string& text,
                              std::map<std::string, std::string>* rooms) {
    absl::StatusOr<std::vector<NamedPart>> parts =
        ReadNamedParts("rooms", text);
    if (!parts.ok()) return parts.status();
    const std::vector<std::string> brokers = Brokers();
    for (const NamedPart& part : *parts) {
      bool known = false;
      for (auto* list : {&plan_.members, &plan_.joiners}) {
        for (MemberPlan& member : *list) {
          if (member.id != part.name) continue;
          member.room = part.value;
          known = true;
        }
      }
      if (std::find(brokers.begin(), brokers.end(), part.name) !=
          brokers.end()) {
        (*rooms)[part.name] = part.value;
        known = true;
      }
      if (!known) {
        return Wrong(absl::StrCat("--rooms: no broker or consumer is called ",
                                  Quote(part.name)));
      }
    }
    return absl::OkStatus();
  }

  const Flags& flags_;
  AllocateInput& input_;
  GroupPlan& plan_;
  const Scenario* scenario_ = nullptr;
  bool counted_ = false;  // Consumers were given by number.
  std::vector<std::string> brokers_;
  std::vector<std::string> room_names_;
};

// The group of the scenario called `name`, or its only one for "".
absl::Status FindGroup(const Scenario& scenario, const std::string& name,
                       const schema::Group** group) {
  std::vector<absl::string_view> names;
  for (const schema::Group& candidate : scenario.group()) {
    names.push_back(candidate.name());
    if (name.empty() || candidate.name() == name) *group = &candidate;
  }
  if (names.empty()) return Wrong("the scenario has no group");
  if (*group == nullptr) {
    const std::string hint = DidYouMean(NearestName(name, names));
    return Wrong(absl::StrCat("the scenario has no group ", Quote(name),
                              hint.empty() ? "" : "; ", hint));
  }
  if (name.empty() && names.size() > 1) {
    return Wrong(absl::StrCat("--group is missing: the scenario has ",
                              names.size(), " groups"));
  }
  return absl::OkStatus();
}

absl::Status ReadGroup(const Scenario& scenario, const std::string& name,
                       AllocateInput* input) {
  const schema::Group* group = nullptr;
  if (absl::Status status = FindGroup(scenario, name, &group); !status.ok()) {
    return status;
  }
  ScenarioGroup read = GroupOfScenario(scenario, *group);
  input->plan = std::move(read.plan);
  input->settings = std::move(read.settings);
  input->has_rooms = read.has_rooms;
  if (!input->strategies.empty()) return absl::OkStatus();
  const absl::StatusOr<const StrategyEntry*> own =
      OwnStrategyOf(scenario, *group, &input->settings);
  if (!own.ok()) {
    return Wrong(absl::StrCat(own.status().message(),
                              "; choose one for all with --strategy"));
  }
  input->strategies.push_back(*own);
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadAllocateFlags(const Flags& flags, const Scenario* scenario,
                               AllocateInput* input) {
  for (const FlagInfo& flag : flags.known()) {
    if (absl::Status status = CheckPrintable(flag.name, flags.Value(flag.name));
        !status.ok()) {
      return status;
    }
  }
  FlagReader reader(flags, input);
  reader.SetScenario(scenario);
  if (absl::Status status = reader.ReadStrategies(); !status.ok()) {
    return status;
  }
  if (scenario == nullptr) {
    if (flags.Has("group")) return Wrong("--group needs --scenario");
    if (absl::Status status = reader.ReadQueues(); !status.ok()) return status;
    if (absl::Status status = reader.ReadMembers(); !status.ok()) return status;
  } else {
    if (input->strategies.empty()) {
      for (const char* name : {"virtual-nodes", "inner", "config"}) {
        if (!flags.Has(name)) continue;
        return Wrong(absl::StrCat("--", name,
                                  " needs --strategy; without that the "
                                  "scenario's own settings count"));
      }
    }
    for (const char* name :
         {"queues", "consumers", "topics", "brokers", "rooms", "trials"}) {
      if (flags.Has(name)) {
        return Wrong(absl::StrCat("--scenario has its own group; leave --",
                                  name, " out"));
      }
    }
    input->from_scenario = true;
    if (absl::Status status = ReadGroup(*scenario, flags.Value("group"), input);
        !status.ok()) {
      return status;
    }
  }
  using Step = absl::Status (FlagReader::*)();
  for (const Step step : {&FlagReader::ReadChanges, &FlagReader::ReadTrials,
                          &FlagReader::ReadWeights, &FlagReader::ReadLags,
                          &FlagReader::ReadParameters}) {
    if (absl::Status status = (reader.*step)(); !status.ok()) return status;
  }
  return scenario == nullptr ? reader.ReadRooms() : absl::OkStatus();
}

std::string MissingFlags(const StrategyEntry& strategy,
                         const AllocateInput& input) {
  const StrategyNeeds needs = strategy.needs;
  std::vector<std::string> missing;
  const auto require = [&](StrategyNeed need, bool is_there, const char* flag) {
    if (needs.contains(need) && !is_there) missing.emplace_back(flag);
  };
  require(StrategyNeed::kRooms,
          input.has_rooms || (strategy.name == "by_machine_room" &&
                              input.settings.parameters.machine_rooms),
          input.from_scenario ? "rooms in the scenario" : "--rooms");
  require(StrategyNeed::kLoads, input.has_loads, "--lags");
  require(StrategyNeed::kWeights, input.has_weights, "--weights");
  require(StrategyNeed::kConfiguration, !input.settings.configured.empty(),
          "--config");
  return absl::StrJoin(missing, " and ");
}

}  // namespace groupsim
