// A number over time, condensed to a fixed number of columns.
#ifndef GROUPSIM_SCENARIOS_MEASURE_COLUMNS_H_
#define GROUPSIM_SCENARIOS_MEASURE_COLUMNS_H_

#include <cstdint>
#include <vector>

#include "model/base/time.h"

namespace groupsim {

// Smallest, largest and last value of a step function in each column. A column
// is `width` long; the last one may be shorter.
class Columns {
 public:
  struct Column {
    int64_t min = 0;
    int64_t max = 0;
    int64_t last = 0;
  };

  // `total` > 0 is cut into `count` >= 1 columns.
  Columns(Duration total, int count);

  // The number is `value` from `now` on; times never go back. Values that hold
  // for no time at all do not count.
  void Set(Instant now, int64_t value);
  // Fills up to the end. Nothing may be set afterwards.
  void Finish();

  Duration width() const { return width_; }
  const std::vector<Column>& columns() const { return columns_; }

 private:
  // The present value held until `now`.
  void HoldUntil(Instant now);

  Instant end_;
  Duration width_;
  std::vector<Column> columns_;
  int64_t value_ = 0;
  Instant since_;
  bool touched_ = false;  // Whether the present column has a value yet.
  size_t column_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_COLUMNS_H_
