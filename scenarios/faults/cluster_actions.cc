#include "scenarios/faults/cluster_actions.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/base/check.h"
#include "model/wire/route.h"
#include "scenarios/faults/process_actions.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"
#include "sim/host/host_clock.h"

namespace groupsim {
namespace {

using Brokers = std::vector<Cast::BrokerPart*>;

template <class Part>
std::string NamesOf(const std::vector<Part*>& parts) {
  return absl::StrJoin(parts, ", ", [](std::string* out, const Part* part) {
    absl::StrAppend(out, part->host->name().text());
  });
}

// Those named; if there are none, those that fit.
template <class Names, class Fits>
Brokers BrokersNamed(const Names& names, Cast& cast, Fits fits) {
  Brokers brokers;
  for (const std::string& name : names) {
    brokers.push_back(&cast.BrokerNamed(name));
  }
  if (!brokers.empty()) return brokers;
  for (Cast::BrokerPart& part : cast.brokers()) {
    if (fits(part)) brokers.push_back(&part);
  }
  return brokers;
}

bool Any(const Cast::BrokerPart&) { return true; }

auto HasTopic(Name topic) {
  return [topic](const Cast::BrokerPart& part) {
    return std::find(part.topics.begin(), part.topics.end(), topic) !=
           part.topics.end();
  };
}

using NoNames = std::vector<std::string>;

// Broker by broker: where queues are listed, those that have some of them.
std::vector<ResetOffsetAction::Part> ResetsOf(const schema::ResetOffset& from,
                                              Cast& cast) {
  NameTable& names = cast.world().names();
  OffsetAdmin::Target target;
  target.group = names.Intern(from.group());
  target.topic = names.Intern(from.topic());
  if (from.has_to_offset()) {
    target.offset = from.to_offset();
  } else {
    target.wall_millis = kWallEpochMillis + Parsed(from.to_time()).millis();
  }
  std::vector<QueueRange> ranges;
  if (from.has_queues()) ranges = Valid(ParseQueues(from.queues()));
  std::vector<ResetOffsetAction::Part> parts;
  for (Cast::BrokerPart* broker :
       BrokersNamed(NoNames(), cast, HasTopic(target.topic))) {
    target.queues.clear();
    bool all = ranges.empty();
    for (const QueueRange& range : ranges) {
      if (range.broker != broker->host->name().text()) continue;
      if (range.last == QueueRange::kAllQueues) {
        all = true;
        continue;
      }
      for (int32_t id = range.first; id <= range.last; ++id) {
        target.queues.push_back(id);
      }
    }
    if (!all && target.queues.empty()) continue;
    if (all) target.queues.clear();
    std::sort(target.queues.begin(), target.queues.end());
    target.queues.erase(std::unique(target.queues.begin(), target.queues.end()),
                        target.queues.end());
    parts.push_back({broker, target});
  }
  return parts;
}

int64_t CountRunning(const Brokers& brokers) {
  return std::count_if(
      brokers.begin(), brokers.end(),
      [](const Cast::BrokerPart* part) { return Runs(*part->host); });
}

}  // namespace

int32_t PermissionBits(schema::Permission permission) {
  switch (permission) {
    case schema::READ_ONLY:
      return kPermRead;
    case schema::WRITE_ONLY:
      return kPermWrite;
    case schema::NEITHER:
      return 0;
    default:
      return kPermRead | kPermWrite;
  }
}

std::unique_ptr<TimelineAction> MakeClusterAction(const schema::Event& event,
                                                  Cast& cast) {
  NameTable& names = cast.world().names();
  ChangeTopicAction::Plan plan;
  switch (event.action_case()) {
    case schema::Event::kAddQueues: {
      const schema::AddQueues& from = event.add_queues();
      plan.topic = names.Intern(from.topic());
      plan.brokers = BrokersNamed(from.broker(), cast, HasTopic(plan.topic));
      plan.add = from.queues();
      return std::make_unique<ChangeTopicAction>(std::move(plan));
    }
    case schema::Event::kShrinkQueues: {
      const schema::ShrinkQueues& from = event.shrink_queues();
      plan.topic = names.Intern(from.topic());
      plan.brokers = BrokersNamed(from.broker(), cast, HasTopic(plan.topic));
      if (from.has_read_to()) plan.read_to = from.read_to();
      if (from.has_write_to()) plan.write_to = from.write_to();
      return std::make_unique<ChangeTopicAction>(std::move(plan));
    }
    case schema::Event::kChangePermission: {
      const schema::ChangePermission& from = event.change_permission();
      if (!from.has_topic()) {
        return std::make_unique<ChangeBrokerPermissionAction>(
            BrokersNamed(from.broker(), cast, Any),
            PermissionBits(from.permission()));
      }
      plan.topic = names.Intern(from.topic());
      plan.brokers = BrokersNamed(from.broker(), cast, HasTopic(plan.topic));
      plan.perm = PermissionBits(from.permission());
      return std::make_unique<ChangeTopicAction>(std::move(plan));
    }
    case schema::Event::kSlowBroker: {
      const schema::SlowBroker& from = event.slow_broker();
      absl::StatusOr<Distribution> time =
          MakeDistribution(from.service_time(), FieldRule::DURATION);
      CHECK(time.ok()) << time.status().ToString();
      return std::make_unique<SlowBrokerAction>(
          BrokersNamed(from.broker(), cast, Any), *std::move(time));
    }
    case schema::Event::kLoseChangeNotices: {
      const schema::LoseChangeNotices& from = event.lose_change_notices();
      return std::make_unique<GroupOrderAction>(
          GroupOrderAction::What::kLoseNotices,
          BrokersNamed(from.broker(), cast, Any),
          from.has_group() ? names.Intern(from.group()) : Name());
    }
    case schema::Event::kRefuseOffsetCommits: {
      const schema::RefuseOffsetCommits& from = event.refuse_offset_commits();
      return std::make_unique<GroupOrderAction>(
          GroupOrderAction::What::kRefuseCommits,
          BrokersNamed(from.broker(), cast, Any),
          from.has_group() ? names.Intern(from.group()) : Name());
    }
    case schema::Event::kStaleRoute: {
      std::vector<Cast::NameServerPart*> stale;
      for (Cast::NameServerPart& part : cast.name_servers()) {
        const auto& named = event.stale_route().name_server();
        if (named.empty() ||
            std::find(named.begin(), named.end(), part.host->name().text()) !=
                named.end()) {
          stale.push_back(&part);
        }
      }
      return std::make_unique<StaleRouteAction>(std::move(stale));
    }
    case schema::Event::kResetOffset:
      return std::make_unique<ResetOffsetAction>(
          ResetsOf(event.reset_offset(), cast));
    case schema::Event::kCloneOffsets: {
      const schema::CloneOffsets& from = event.clone_offsets();
      OffsetAdmin::Copying copying;
      copying.from = names.Intern(from.from());
      copying.to = names.Intern(from.to());
      copying.topic = names.Intern(from.topic());
      return std::make_unique<CloneOffsetsAction>(
          BrokersNamed(NoNames(), cast, HasTopic(copying.topic)), copying);
    }
    case schema::Event::kDeleteExpiredFiles:
      return std::make_unique<DeleteExpiredFilesAction>(
          BrokersNamed(event.delete_expired_files().broker(), cast, Any));
    case schema::Event::kWipeLocks:
      return std::make_unique<WipeLocksAction>(
          BrokersNamed(event.wipe_locks().broker(), cast, Any));
    default:
      return nullptr;
  }
}

ChangeTopicAction::ChangeTopicAction(Plan plan) : plan_(std::move(plan)) {}

std::string ChangeTopicAction::Describe() const {
  std::string text;
  if (plan_.add > 0) {
    text = absl::StrCat("add ", plan_.add, " queues to ", plan_.topic.text());
  } else if (plan_.perm >= 0) {
    text = absl::StrCat("change permission of ", plan_.topic.text());
  } else {
    text = absl::StrCat("shrink ", plan_.topic.text());
    if (plan_.write_to >= 0) {
      absl::StrAppend(&text, " to ", plan_.write_to, " queues to write");
    }
    if (plan_.read_to >= 0) {
      absl::StrAppend(&text, plan_.write_to >= 0 ? " and " : " to ",
                      plan_.read_to, " to read");
    }
  }
  return absl::StrCat(text, " on ", NamesOf(plan_.brokers));
}

int64_t ChangeTopicAction::Apply() {
  int64_t hits = 0;
  for (Cast::BrokerPart* part : plan_.brokers) {
    if (!Runs(*part->host)) continue;
    if (Changed(*part).has_value()) ++hits;
    // A frozen one may have heard otherwise by the time it hears this.
    part->host->WhenAwake([this, part] {
      const std::optional<TopicConfig> config = Changed(*part);
      if (Runs(*part->host) && config.has_value()) {
        part->process->UpdateTopic(*config);
      }
    });
  }
  return hits;
}

std::optional<TopicConfig> ChangeTopicAction::Changed(
    const Cast::BrokerPart& part) const {
  const TopicConfigTable::Entry* known = part.disk.topics.Find(plan_.topic);
  CHECK(known != nullptr) << plan_.topic;
  TopicConfig config = known->config;
  config.read_queue_nums += plan_.add;
  config.write_queue_nums += plan_.add;
  if (plan_.read_to >= 0) {
    config.read_queue_nums = std::min(config.read_queue_nums, plan_.read_to);
  }
  if (plan_.write_to >= 0) {
    config.write_queue_nums = std::min(config.write_queue_nums, plan_.write_to);
  }
  if (plan_.perm >= 0) config.perm = plan_.perm;
  if (config == known->config) return std::nullopt;
  return config;
}

ChangeBrokerPermissionAction::ChangeBrokerPermissionAction(
    std::vector<Cast::BrokerPart*> brokers, int32_t perm)
    : brokers_(std::move(brokers)), perm_(perm) {}

std::string ChangeBrokerPermissionAction::Describe() const {
  return absl::StrCat("change permission of ", NamesOf(brokers_));
}

int64_t ChangeBrokerPermissionAction::Apply() {
  int64_t hits = 0;
  for (Cast::BrokerPart* part : brokers_) {
    if (!Runs(*part->host)) continue;
    if (part->process->permission() != perm_) ++hits;
    part->host->WhenAwake([this, part] {
      if (Runs(*part->host)) part->process->UpdatePermission(perm_);
    });
  }
  return hits;
}

SlowBrokerAction::SlowBrokerAction(std::vector<Cast::BrokerPart*> brokers,
                                   Distribution time)
    : brokers_(std::move(brokers)), time_(std::move(time)) {}

std::string SlowBrokerAction::Describe() const {
  return absl::StrCat("slow ", NamesOf(brokers_));
}

int64_t SlowBrokerAction::Apply() {
  for (Cast::BrokerPart* part : brokers_) {
    part->disturbance.SetServiceTime(this);
  }
  return CountRunning(brokers_);
}

void SlowBrokerAction::Undo() {
  for (Cast::BrokerPart* part : brokers_) {
    if (part->disturbance.service_time() == this) {
      part->disturbance.SetServiceTime(nullptr);
    }
  }
}

Duration SlowBrokerAction::Draw(RandomStream& draws) {
  return Duration::Nanos(time_.Sample(draws));
}

WipeLocksAction::WipeLocksAction(std::vector<Cast::BrokerPart*> brokers)
    : brokers_(std::move(brokers)) {}

std::string WipeLocksAction::Describe() const {
  return absl::StrCat("wipe locks of ", NamesOf(brokers_));
}

int64_t WipeLocksAction::Apply() {
  int64_t hits = 0;
  for (Cast::BrokerPart* part : brokers_) {
    if (Runs(*part->host) && part->process->WipeLocks()) ++hits;
  }
  return hits;
}

ResetOffsetAction::ResetOffsetAction(std::vector<Part> parts)
    : parts_(std::move(parts)) {}

std::string ResetOffsetAction::Describe() const {
  if (parts_.empty()) return "reset offsets";
  const OffsetAdmin::Target& target = parts_[0].target;
  return absl::StrCat("reset offsets of ", target.group.text(), " in ",
                      target.topic.text());
}

int64_t ResetOffsetAction::Apply() {
  int64_t hits = 0;
  for (const Part& part : parts_) {
    if (!Runs(*part.broker->host)) continue;
    hits += part.broker->process->ResetOffsets(part.target);
  }
  return hits;
}

CloneOffsetsAction::CloneOffsetsAction(std::vector<Cast::BrokerPart*> brokers,
                                       const OffsetAdmin::Copying& copying)
    : brokers_(std::move(brokers)), copying_(copying) {}

std::string CloneOffsetsAction::Describe() const {
  return absl::StrCat("clone offsets of ", copying_.from.text(), " for ",
                      copying_.to.text());
}

int64_t CloneOffsetsAction::Apply() {
  int64_t hits = 0;
  for (Cast::BrokerPart* broker : brokers_) {
    if (!Runs(*broker->host)) continue;
    hits += broker->process->CloneOffsets(copying_);
  }
  return hits;
}

DeleteExpiredFilesAction::DeleteExpiredFilesAction(
    std::vector<Cast::BrokerPart*> brokers)
    : brokers_(std::move(brokers)) {}

std::string DeleteExpiredFilesAction::Describe() const {
  return absl::StrCat("delete expired files of ", NamesOf(brokers_));
}

int64_t DeleteExpiredFilesAction::Apply() {
  int64_t hits = 0;
  for (Cast::BrokerPart* part : brokers_) {
    if (Runs(*part->host)) hits += part->process->DeleteExpiredFiles();
  }
  return hits;
}

GroupOrderAction::GroupOrderAction(What what,
                                   std::vector<Cast::BrokerPart*> brokers,
                                   Name group)
    : what_(what), brokers_(std::move(brokers)), group_(group) {}

std::string GroupOrderAction::Describe() const {
  const std::string brokers = NamesOf(brokers_);
  if (what_ == What::kLoseNotices) {
    return absl::StrCat(
        "lose change notices of ", brokers,
        group_.empty() ? "" : absl::StrCat(" to group ", group_.text()));
  }
  return absl::StrCat(
      "refuse offset commits on ", brokers,
      group_.empty() ? "" : absl::StrCat(" of group ", group_.text()));
}

GroupOrders& GroupOrderAction::OrdersOf(Cast::BrokerPart& part) const {
  return what_ == What::kLoseNotices ? part.disturbance.lost_notices()
                                     : part.disturbance.refused_commits();
}

int64_t GroupOrderAction::Apply() {
  if (!begun_) {
    for (Cast::BrokerPart* part : brokers_) OrdersOf(*part).Begin(group_);
  }
  begun_ = true;
  return CountRunning(brokers_);
}

void GroupOrderAction::Undo() {
  if (!begun_) return;
  begun_ = false;
  for (Cast::BrokerPart* part : brokers_) OrdersOf(*part).End(group_);
}

StaleRouteAction::StaleRouteAction(
    std::vector<Cast::NameServerPart*> name_servers)
    : name_servers_(std::move(name_servers)) {}

std::string StaleRouteAction::Describe() const {
  return absl::StrCat("stale routes of ", NamesOf(name_servers_));
}

int64_t StaleRouteAction::Apply() {
  int64_t hits = 0;
  for (Cast::NameServerPart* part : name_servers_) {
    if (!Runs(*part->host)) continue;
    ++hits;
    // Again: it stays as it was frozen first.
    const auto known =
        std::find(frozen_.begin(), frozen_.end(), std::pair(part, part->lives));
    if (known != frozen_.end()) continue;
    part->process->FreezeRoutes();
    frozen_.push_back({part, part->lives});
  }
  return hits;
}

void StaleRouteAction::Undo() {
  for (const auto& [part, life] : frozen_) {
    // A process that started since has fresh ones.
    if (part->host->alive() && part->lives == life) {
      part->process->ThawRoutes();
    }
  }
  frozen_.clear();
}

}  // namespace groupsim
