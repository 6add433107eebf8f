// The reader under libFuzzer:
//
//   bazel run --config=fuzz //tests/fuzz:reader_fuzzer --
//     -runs=1000000 $PWD/tests/fuzz/corpus $PWD/scenarios/catalog
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/reader_entry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  groupsim::ReadAnything({reinterpret_cast<const char*>(data), size});
  return 0;
}
