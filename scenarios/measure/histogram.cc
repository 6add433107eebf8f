#include "scenarios/measure/histogram.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "model/base/check.h"

namespace groupsim {
namespace {

// Buckets per power of two.
constexpr int kPrecisionBits = 10;
constexpr int64_t kExact = int64_t{2} << kPrecisionBits;

}  // namespace

int Histogram::BucketOf(int64_t nanos) {
  if (nanos < kExact) return static_cast<int>(nanos);
  const int shift =
      std::bit_width(static_cast<uint64_t>(nanos)) - (kPrecisionBits + 1);
  // nanos >> shift lies in [2^bits, 2^(bits+1)).
  return (shift << kPrecisionBits) + static_cast<int>(nanos >> shift);
}

int64_t Histogram::UpperEndOf(int bucket) {
  if (bucket < kExact) return bucket;
  const int shift = (bucket >> kPrecisionBits) - 1;
  const int64_t mantissa = bucket - (int64_t{shift} << kPrecisionBits);
  return static_cast<int64_t>(((static_cast<uint64_t>(mantissa) + 1) << shift) -
                              1);
}

void Histogram::Add(Duration value) {
  value = std::max(value, Duration::Zero());
  const auto bucket = static_cast<size_t>(BucketOf(value.nanos()));
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  ++buckets_[bucket];
  ++count_;
  sum_ += value.nanos();
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void Histogram::Merge(const Histogram& other) {
  if (other.buckets_.size() > buckets_.size()) {
    buckets_.resize(other.buckets_.size());
  }
  for (size_t i = 0; i < other.buckets_.size(); ++i) {
    buckets_[i] += other.buckets_[i];
  }
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

Duration Histogram::Mean() const {
  if (count_ == 0) return Duration();
  return Duration::Nanos(static_cast<int64_t>(sum_ / count_));
}

Duration Histogram::Percentile(int per_mille) const {
  CHECK(per_mille > 0 && per_mille <= 1'000);
  if (count_ == 0) return Duration();
  const auto rank = static_cast<int64_t>(
      (static_cast<__int128>(count_) * per_mille + 999) / 1'000);
  int64_t seen = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= rank) {
      return std::min(max_, Duration::Nanos(UpperEndOf(static_cast<int>(i))));
    }
  }
  return max_;
}

}  // namespace groupsim
