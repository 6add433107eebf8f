// What a timeline can do to the processes of a world.
#ifndef GROUPSIM_SCENARIOS_FAULTS_ACTION_H_
#define GROUPSIM_SCENARIOS_FAULTS_ACTION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "sim/host/host.h"
#include "sim/host/world.h"

namespace groupsim {

// One action of the timeline.
class TimelineAction {
 public:
  virtual ~TimelineAction() = default;

  // In the scenario's words: "crash pod-3".
  virtual std::string Describe() const = 0;

  // Does it, or begins it. Returns how many processes it hits: those that are
  // in a state in which the action means something.
  virtual int64_t Apply(World& world) = 0;
};

// Starts the processes that do not run.
class StartAction final : public TimelineAction {
 public:
  explicit StartAction(std::vector<Host*> hosts);
  std::string Describe() const override;
  int64_t Apply(World& world) override;

 private:
  const std::vector<Host*> hosts_;
};

// Shuts processes that run down gracefully.
class StopAction final : public TimelineAction {
 public:
  explicit StopAction(std::vector<Host*> hosts);
  std::string Describe() const override;
  int64_t Apply(World& world) override;

 private:
  const std::vector<Host*> hosts_;
};

// Kills processes; their sockets close.
class CrashAction final : public TimelineAction {
 public:
  explicit CrashAction(std::vector<Host*> hosts);
  std::string Describe() const override;
  int64_t Apply(World& world) override;

 private:
  const std::vector<Host*> hosts_;
};

// Makes hosts vanish; nobody is told.
class VanishAction final : public TimelineAction {
 public:
  explicit VanishAction(std::vector<Host*> hosts);
  std::string Describe() const override;
  int64_t Apply(World& world) override;

 private:
  const std::vector<Host*> hosts_;
};

// Stops processes and starts them again, some at a time, until all had their
// turn. A process that does not run when its turn comes is only started.
class RollingRestartAction final : public TimelineAction {
 public:
  struct Plan {
    std::string group;  // Its name, for people.
    std::vector<Host*> hosts;
    bool crash = false;  // Instead of a graceful shutdown.
    Duration down_for;   // From the end of a process to its next start.
    Duration pause;      // From that start to the stop of the next.
    size_t at_a_time = 1;
  };
  explicit RollingRestartAction(Plan plan);
  std::string Describe() const override;
  // The world must end before this does.
  int64_t Apply(World& world) override;

 private:
  void StopBatch(World& world);
  void BatchIsDown(World& world);
  void StartBatch(World& world);

  const Plan plan_;
  size_t next_ = 0;      // First host of the present batch.
  size_t stopping_ = 0;  // Processes of the batch that still live.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_ACTION_H_
