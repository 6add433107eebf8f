// Counts the memory that a benchmark has on the heap.
#ifndef GROUPSIM_TESTS_BENCH_LIVE_BYTES_H_
#define GROUPSIM_TESTS_BENCH_LIVE_BYTES_H_

#include <cstdint>

namespace groupsim {

// Bytes on the heap now, as the allocator rounds them. A binary that links this
// counts every new and delete of its threads; what C code takes by malloc is
// not counted.
int64_t LiveBytes();

// The most there have been since the last ResetPeak.
int64_t PeakBytes();
void ResetPeak();

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_BENCH_LIVE_BYTES_H_
