// A histogram of durations with fixed relative precision.
#ifndef GROUPSIM_SCENARIOS_MEASURE_HISTOGRAM_H_
#define GROUPSIM_SCENARIOS_MEASURE_HISTOGRAM_H_

#include <cstdint>
#include <vector>

#include "model/base/time.h"

namespace groupsim {

// Counts whole nanoseconds in buckets that grow with the value: exact below
// 2,048 ns, above that 1,024 buckets per power of two, so that a percentile is
// at most 0.1 % above the true one. Histograms merge exactly.
class Histogram {
 public:
  // Negative values count as zero.
  void Add(Duration value);
  void Merge(const Histogram& other);

  int64_t count() const { return count_; }
  Duration max() const { return max_; }
  Duration min() const { return count_ == 0 ? Duration() : min_; }
  // Arithmetic mean, rounded down; zero when empty.
  Duration Mean() const;

  // The smallest value that at least `per_mille` of 1,000 samples do not
  // exceed, as the upper end of its bucket, at most max(). Zero when empty.
  // 0 < per_mille <= 1,000.
  Duration Percentile(int per_mille) const;

 private:
  static int BucketOf(int64_t nanos);
  static int64_t UpperEndOf(int bucket);

  std::vector<int64_t> buckets_;
  int64_t count_ = 0;
  __int128 sum_ = 0;
  Duration min_ = Duration::Max();
  Duration max_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_HISTOGRAM_H_
