#include "scenarios/faults/action.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace groupsim {
namespace {

std::string Words(absl::string_view verb, const std::vector<Host*>& hosts) {
  return absl::StrCat(
      verb, " ", absl::StrJoin(hosts, ", ", [](std::string* out, Host* host) {
        absl::StrAppend(out, host->name().text());
      }));
}

bool Runs(const Host& host) {
  return host.alive() && host.state() != HostState::kStopping;
}

}  // namespace

StartAction::StartAction(std::vector<Host*> hosts) : hosts_(std::move(hosts)) {}

std::string StartAction::Describe() const { return Words("start", hosts_); }

int64_t StartAction::Apply(World& /*world*/) {
  int64_t hits = 0;
  for (Host* host : hosts_) {
    if (host->alive()) continue;
    host->Start();
    ++hits;
  }
  return hits;
}

StopAction::StopAction(std::vector<Host*> hosts) : hosts_(std::move(hosts)) {}

std::string StopAction::Describe() const { return Words("stop", hosts_); }

int64_t StopAction::Apply(World& /*world*/) {
  int64_t hits = 0;
  for (Host* host : hosts_) {
    if (!Runs(*host)) continue;
    host->Stop();
    ++hits;
  }
  return hits;
}

CrashAction::CrashAction(std::vector<Host*> hosts) : hosts_(std::move(hosts)) {}

std::string CrashAction::Describe() const { return Words("crash", hosts_); }

int64_t CrashAction::Apply(World& /*world*/) {
  int64_t hits = 0;
  for (Host* host : hosts_) {
    if (!host->alive()) continue;
    host->Crash();
    ++hits;
  }
  return hits;
}

VanishAction::VanishAction(std::vector<Host*> hosts)
    : hosts_(std::move(hosts)) {}

std::string VanishAction::Describe() const { return Words("vanish", hosts_); }

int64_t VanishAction::Apply(World& /*world*/) {
  int64_t hits = 0;
  for (Host* host : hosts_) {
    if (!host->alive()) continue;
    host->Vanish();
    ++hits;
  }
  return hits;
}

RollingRestartAction::RollingRestartAction(Plan plan)
    : plan_(std::move(plan)) {}

std::string RollingRestartAction::Describe() const {
  return absl::StrCat("rolling restart of ", plan_.group);
}

int64_t RollingRestartAction::Apply(World& world) {
  const auto hits = std::count_if(plan_.hosts.begin(), plan_.hosts.end(),
                                  [](const Host* host) { return Runs(*host); });
  StopBatch(world);
  return hits;
}

void RollingRestartAction::StopBatch(World& world) {
  if (next_ >= plan_.hosts.size()) return;
  const size_t end = std::min(next_ + plan_.at_a_time, plan_.hosts.size());
  stopping_ = end - next_;
  for (size_t i = next_; i < end; ++i) {
    Host* host = plan_.hosts[i];
    if (plan_.crash) {
      host->Crash();
    } else {
      host->Stop();
    }
    host->WhenStopped([this, &world] {
      if (--stopping_ == 0) BatchIsDown(world);
    });
  }
}

void RollingRestartAction::BatchIsDown(World& world) {
  world.After(plan_.down_for, [this, &world] { StartBatch(world); });
}

void RollingRestartAction::StartBatch(World& world) {
  const size_t end = std::min(next_ + plan_.at_a_time, plan_.hosts.size());
  for (; next_ < end; ++next_) plan_.hosts[next_]->Start();
  world.After(plan_.pause, [this, &world] { StopBatch(world); });
}

}  // namespace groupsim
