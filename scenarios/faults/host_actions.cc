#include "scenarios/faults/host_actions.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

// As the client names its threads (model/client).
template <class Message>
absl::string_view LaneOf(const Message& message) {
  if (!message.has_lane()) return "";
  switch (message.lane()) {
    case schema::Pause::INSTANCE:
      return "instance";
    case schema::Pause::REBALANCE:
      return "rebalance";
    case schema::Pause::PULL:
      return "pull";
    default:
      CHECK(false) << "a thread that clients do not have";
      return "";
  }
}

std::string Subject(absl::string_view lane, const ProcessSet& processes) {
  return lane.empty() ? processes.text()
                      : absl::StrCat(lane, " thread of ", processes.text());
}

}  // namespace

std::unique_ptr<TimelineAction> MakeHostAction(const schema::Event& event,
                                               Cast& cast) {
  switch (event.action_case()) {
    case schema::Event::kPause: {
      const schema::Pause& from = event.pause();
      return std::make_unique<PauseAction>(ProcessSet(from.processes(), cast),
                                           LaneOf(from));
    }
    case schema::Event::kResume: {
      const schema::Resume& from = event.resume();
      return std::make_unique<ResumeAction>(ProcessSet(from.processes(), cast),
                                            LaneOf(from));
    }
    case schema::Event::kClockSkew: {
      const schema::ClockSkew& from = event.clock_skew();
      const Duration ahead = from.has_behind()
                                 ? Duration() - Parsed(from.behind())
                                 : DurationOr(from.ahead(), Duration());
      return std::make_unique<ClockSkewAction>(
          ProcessSet(from.processes(), cast), ahead);
    }
    case schema::Event::kClockJump: {
      const schema::ClockJump& from = event.clock_jump();
      const Duration by = from.has_back()
                              ? Duration() - Parsed(from.back())
                              : DurationOr(from.forward(), Duration());
      return std::make_unique<ClockJumpAction>(
          ProcessSet(from.processes(), cast), by);
    }
    default:
      return nullptr;
  }
}

PauseAction::PauseAction(ProcessSet processes, absl::string_view lane)
    : processes_(std::move(processes)), lane_(lane) {}

std::string PauseAction::Describe() const {
  return absl::StrCat("pause ", Subject(lane_, processes_));
}

int64_t PauseAction::Apply() {
  int64_t hits = 0;
  for (Host* host : processes_.all()) {
    const bool hit = lane_.empty() ? host->Pause() : host->PauseLane(lane_) > 0;
    if (!hit) continue;
    paused_[host] = host->incarnation();
    ++hits;
  }
  return hits;
}

void PauseAction::Undo() {
  for (Host* host : processes_.all()) {
    const auto paused = paused_.find(host);
    if (paused == paused_.end() || paused->second != host->incarnation()) {
      continue;
    }
    if (lane_.empty()) {
      host->Resume();
    } else {
      host->ResumeLane(lane_);
    }
  }
  paused_.clear();
}

ResumeAction::ResumeAction(ProcessSet processes, absl::string_view lane)
    : processes_(std::move(processes)), lane_(lane) {}

std::string ResumeAction::Describe() const {
  return absl::StrCat("resume ", Subject(lane_, processes_));
}

int64_t ResumeAction::Apply() {
  int64_t hits = 0;
  for (Host* host : processes_.all()) {
    const bool hit =
        lane_.empty() ? host->Resume() : host->ResumeLane(lane_) > 0;
    if (hit) ++hits;
  }
  return hits;
}

ClockSkewAction::ClockSkewAction(ProcessSet processes, Duration ahead)
    : processes_(std::move(processes)), ahead_(ahead) {}

std::string ClockSkewAction::Describe() const {
  return absl::StrCat(
      "set the clock of ", processes_.text(), " ",
      ahead_ < Duration()
          ? absl::StrCat(ToString(Duration() - ahead_), " behind")
          : absl::StrCat(ToString(ahead_), " ahead"));
}

int64_t ClockSkewAction::Apply() {
  int64_t hits = 0;
  for (Host* host : processes_.all()) {
    const Duration by = ahead_ - host->clock_ahead();
    if (by == Duration()) continue;
    host->SetClockSkew(ahead_);
    moved_[host] = moved_[host] + by;
    ++hits;
  }
  return hits;
}

void ClockSkewAction::Undo() {
  for (Host* host : processes_.all()) {
    const auto moved = moved_.find(host);
    if (moved == moved_.end()) continue;
    host->JumpClock(Duration() - moved->second);
    moved_.erase(moved);
  }
}

ClockJumpAction::ClockJumpAction(ProcessSet processes, Duration by)
    : processes_(std::move(processes)), by_(by) {}

std::string ClockJumpAction::Describe() const {
  return absl::StrCat("let the clock of ", processes_.text(), " leap ",
                      by_ < Duration()
                          ? absl::StrCat(ToString(Duration() - by_), " back")
                          : absl::StrCat(ToString(by_), " forward"));
}

int64_t ClockJumpAction::Apply() {
  int64_t hits = 0;
  for (Host* host : processes_.all()) {
    if (by_ == Duration()) break;
    host->JumpClock(by_);
    ++hits;
  }
  return hits;
}

}  // namespace groupsim
