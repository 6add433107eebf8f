#include "scenarios/faults/process_actions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

absl::string_view Verb(schema::Stop manner) {
  switch (manner) {
    case schema::CRASH:
      return "crash";
    case schema::VANISH:
      return "vanish";
    default:
      return "stop";
  }
}

int64_t CountRunning(const std::vector<ProcessSet::Member>& members) {
  return std::count_if(
      members.begin(), members.end(),
      [](const ProcessSet::Member& member) { return Runs(*member.host); });
}

}  // namespace

bool Runs(const Host& host) {
  return host.alive() && host.state() != HostState::kStopping;
}

void End(Host& host, schema::Stop manner) {
  switch (manner) {
    case schema::CRASH:
      host.Crash();
      return;
    case schema::VANISH:
      if (host.alive()) host.Vanish();
      return;
    default:
      host.Stop();
      return;
  }
}

void StartOnceDown(const Cast::ConsumerPart& consumer) {
  const auto start = [&consumer] {
    if (consumer.wanted) consumer.host->Start();
  };
  if (consumer.host->state() == HostState::kStopping) {
    consumer.host->WhenStopped(start);
  } else {
    start();
  }
}

std::unique_ptr<TimelineAction> MakeProcessAction(const schema::Event& event,
                                                  Cast& cast) {
  switch (event.action_case()) {
    case schema::Event::kStart:
      return std::make_unique<StartAction>(ProcessSet(event.start(), cast));
    case schema::Event::kStop:
      return std::make_unique<EndAction>(ProcessSet(event.stop(), cast),
                                         schema::GRACEFUL);
    case schema::Event::kCrash:
      return std::make_unique<EndAction>(ProcessSet(event.crash(), cast),
                                         schema::CRASH);
    case schema::Event::kVanish:
      return std::make_unique<EndAction>(ProcessSet(event.vanish(), cast),
                                         schema::VANISH);
    case schema::Event::kRestart: {
      const schema::Restart& from = event.restart();
      return std::make_unique<RestartAction>(
          cast.world(), ProcessSet(from.processes(), cast), from.stop(),
          DurationOr(from.down_for(), 15s));
    }
    case schema::Event::kRollingRestart: {
      const schema::RollingRestart& from = event.rolling_restart();
      RollingRestartAction::Plan plan;
      plan.manner = from.stop();
      plan.down_for = DurationOr(from.down_for(), 15s);
      plan.pause = DurationOr(from.pause(), 30s);
      if (from.has_at_a_time()) {
        plan.at_a_time = static_cast<size_t>(from.at_a_time());
      }
      return std::make_unique<RollingRestartAction>(
          cast.world(), ProcessSet::OfGroup(from.group(), cast), plan);
    }
    case schema::Event::kScale: {
      const schema::Scale& from = event.scale();
      ScaleAction::Plan plan;
      plan.block = from.consumer();
      plan.to = static_cast<size_t>(from.to());
      plan.manner = from.stop();
      plan.stagger = DurationOr(from.stagger(), Duration());
      return std::make_unique<ScaleAction>(cast, std::move(plan));
    }
    default:
      return nullptr;
  }
}

StartAction::StartAction(ProcessSet processes)
    : processes_(std::move(processes)) {}

std::string StartAction::Describe() const {
  return absl::StrCat("start ", processes_.text());
}

int64_t StartAction::Apply() {
  int64_t hits = 0;
  for (const ProcessSet::Member& member : processes_.wanted()) {
    if (member.host->alive()) continue;
    member.host->Start();
    ++hits;
  }
  return hits;
}

EndAction::EndAction(ProcessSet processes, schema::Stop manner)
    : processes_(std::move(processes)), manner_(manner) {}

std::string EndAction::Describe() const {
  return absl::StrCat(Verb(manner_), " ", processes_.text());
}

int64_t EndAction::Apply() {
  int64_t hits = 0;
  for (Host* host : processes_.all()) {
    // A process in its shutdown can still die.
    if (manner_ == schema::GRACEFUL ? !Runs(*host) : !host->alive()) continue;
    End(*host, manner_);
    ++hits;
  }
  return hits;
}

RestartAction::RestartAction(World& world, ProcessSet processes,
                             schema::Stop manner, Duration down_for)
    : world_(world),
      processes_(std::move(processes)),
      manner_(manner),
      down_for_(down_for) {}

std::string RestartAction::Describe() const {
  return absl::StrCat("restart ", processes_.text(),
                      manner_ == schema::GRACEFUL
                          ? ""
                          : absl::StrCat(" (", Verb(manner_), ")"));
}

int64_t RestartAction::Apply() {
  const std::vector<ProcessSet::Member> members = processes_.wanted();
  const int64_t hits = CountRunning(members);
  for (const ProcessSet::Member& member : members) {
    // One by name may be asked for although its block is too small for it.
    const bool wanted = member.wanted();
    const auto start = [member, wanted] {
      if (!wanted || member.wanted()) member.host->Start();
    };
    End(*member.host, manner_);
    member.host->WhenStopped([this, start] { world_.After(down_for_, start); });
  }
  return hits;
}

RollingRestartAction::RollingRestartAction(World& world, ProcessSet processes,
                                           const Plan& plan)
    : world_(world), processes_(std::move(processes)), plan_(plan) {
  CHECK(plan_.at_a_time >= 1);
}

std::string RollingRestartAction::Describe() const {
  return absl::StrCat("rolling restart of ", processes_.text());
}

int64_t RollingRestartAction::Apply() {
  if (under_way()) return 0;
  members_ = processes_.wanted();
  next_ = 0;
  const int64_t hits = CountRunning(members_);
  StopBatch();
  return hits;
}

void RollingRestartAction::StopBatch() {
  batch_.clear();
  for (; next_ < members_.size() && batch_.size() < plan_.at_a_time; ++next_) {
    if (members_[next_].wanted()) batch_.push_back(members_[next_]);
  }
  stopping_ = batch_.size();
  for (const ProcessSet::Member& member : batch_) {
    End(*member.host, plan_.manner);
    member.host->WhenStopped([this] {
      if (--stopping_ > 0) return;
      world_.After(plan_.down_for, [this] { StartBatch(); });
    });
  }
}

void RollingRestartAction::StartBatch() {
  for (const ProcessSet::Member& member : batch_) {
    if (member.wanted()) member.host->Start();
  }
  world_.After(plan_.pause, [this] { StopBatch(); });
}

ScaleAction::ScaleAction(Cast& cast, Plan plan)
    : world_(cast.world()),
      block_(cast.Block(plan.block)),
      plan_(std::move(plan)) {
  CHECK(plan_.to <= block_.size()) << plan_.block;
}

std::string ScaleAction::Describe() const {
  return absl::StrCat("scale ", plan_.block, " to ", plan_.to);
}

int64_t ScaleAction::Apply() {
  int64_t hits = 0;
  const auto next_time = [this, &hits] { return plan_.stagger * hits++; };
  for (size_t i = 0; i < block_.size(); ++i) {
    block_[i]->wanted = i < plan_.to;
  }
  for (size_t i = 0; i < plan_.to; ++i) {
    const Cast::ConsumerPart* part = block_[i];
    if (Runs(*part->host)) continue;
    world_.After(next_time(), [part] { StartOnceDown(*part); });
  }
  for (size_t i = block_.size(); i > plan_.to; --i) {
    Cast::ConsumerPart* part = block_[i - 1];
    if (!Runs(*part->host)) continue;
    world_.After(next_time(), [this, part] {
      if (!part->wanted) End(*part->host, plan_.manner);
    });
  }
  return hits;
}

}  // namespace groupsim
