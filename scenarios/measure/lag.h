// How far a group is behind: messages stored and not below its committed
// offsets, summed over queues.
#ifndef GROUPSIM_SCENARIOS_MEASURE_LAG_H_
#define GROUPSIM_SCENARIOS_MEASURE_LAG_H_

#include <array>
#include <cstdint>
#include <optional>

#include "model/base/time.h"
#include "scenarios/measure/columns.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/window.h"

namespace groupsim {

// How long it takes until a lag is back at a level: from the beginning to the
// first moment, after its highest value so far, at which it is not above.
class LagRecovery {
 public:
  void Begin(Instant now, int64_t level);
  // The lag is this from now on.
  void Update(Instant now, int64_t lag);

  // Zero where the lag never rose above the level, nothing while it has not
  // come back.
  std::optional<Duration> took() const;
  int64_t level() const { return level_; }

 private:
  Instant begin_;
  int64_t level_ = 0;
  int64_t peak_ = 0;
  std::optional<Instant> back_;
};

class LagMeasure {
 public:
  LagMeasure(Duration total, int columns) : columns_(total, columns) {}

  void Add(int64_t change, Instant now, const Window& window);
  // The members changed: recovery is measured from here.
  void OnMembersChanged(Instant now, const Window& window);
  void Finish(Instant end, const Window& window);

  int64_t lag() const { return lag_; }
  int64_t peak() const { return peak_; }
  // Integrated over time, in message-nanoseconds.
  __int128 area() const { return area_; }
  const Columns& columns() const { return columns_; }
  // The highest of the ten seconds before `now`.
  int64_t Before(Instant now);
  // From each change of the members in the window to the recovery, if that came
  // before the next change; to the lag of the ten seconds before the change.
  const Histogram& recovery() const { return recovery_times_; }
  // Changes after which the lag never came back, though none followed.
  int64_t unrecovered() const { return unrecovered_; }

 private:
  static constexpr int kSeconds = 10;

  void RollSeconds(Instant now);
  void CloseRecovery();

  int64_t lag_ = 0;
  int64_t peak_ = 0;
  Instant since_;
  __int128 area_ = 0;
  Columns columns_;
  // The highest lag of each of the last seconds, the present one last.
  std::array<int64_t, kSeconds + 1> seconds_{};
  Instant next_second_ = Instant::Start();
  LagRecovery recovery_;
  bool recovering_ = false;
  Histogram recovery_times_;
  int64_t unrecovered_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_LAG_H_
