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

int64_t CountRunning(const std::vector<Host*>& hosts) {
  return std::count_if(hosts.begin(), hosts.end(),
                       [](const Host* host) { return Runs(*host); });
}

Duration Or(bool given, const std::string& text, Duration otherwise) {
  return given ? *ParseDuration(text) : otherwise;
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

void StartOnceDown(Host& host) {
  if (host.state() == HostState::kStopping) {
    host.WhenStopped([&host] { host.Start(); });
  } else {
    host.Start();
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
          Or(from.has_down_for(), from.down_for(), 15s));
    }
    case schema::Event::kRollingRestart: {
      const schema::RollingRestart& from = event.rolling_restart();
      RollingRestartAction::Plan plan;
      plan.manner = from.stop();
      plan.down_for = Or(from.has_down_for(), from.down_for(), 15s);
      plan.pause = Or(from.has_pause(), from.pause(), 30s);
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
      plan.stagger = Or(from.has_stagger(), from.stagger(), Duration());
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
  for (Host* host : processes_.wanted()) {
    if (host->alive()) continue;
    host->Start();
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
  const std::vector<Host*> hosts = processes_.wanted();
  const int64_t hits = CountRunning(hosts);
  for (Host* host : hosts) {
    End(*host, manner_);
    host->WhenStopped(
        [this, host] { world_.After(down_for_, [host] { host->Start(); }); });
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
  if (next_ < hosts_.size()) return 0;
  hosts_ = processes_.wanted();
  next_ = 0;
  const int64_t hits = CountRunning(hosts_);
  StopBatch();
  return hits;
}

void RollingRestartAction::StopBatch() {
  if (next_ >= hosts_.size()) return;
  const size_t end = std::min(next_ + plan_.at_a_time, hosts_.size());
  stopping_ = end - next_;
  for (size_t i = next_; i < end; ++i) {
    Host* host = hosts_[i];
    End(*host, plan_.manner);
    host->WhenStopped([this] {
      if (--stopping_ > 0) return;
      world_.After(plan_.down_for, [this] { StartBatch(); });
    });
  }
}

void RollingRestartAction::StartBatch() {
  const size_t end = std::min(next_ + plan_.at_a_time, hosts_.size());
  for (size_t i = next_; i < end; ++i) hosts_[i]->Start();
  world_.After(plan_.pause, [this, end] {
    next_ = end;
    StopBatch();
  });
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
    Host* host = block_[i]->host;
    if (Runs(*host)) continue;
    world_.After(next_time(), [host] { StartOnceDown(*host); });
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
