// The distributions of a scenario as ones that can be sampled.
#ifndef GROUPSIM_SCENARIOS_READER_DISTRIBUTIONS_H_
#define GROUPSIM_SCENARIOS_READER_DISTRIBUTIONS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "scenarios/schema/rule.pb.h"
#include "scenarios/schema/scenario.pb.h"
#include "sim/random/distribution.h"

namespace groupsim {

// Samples are nanoseconds if `kind` is DURATION, bytes if it is SIZE.
// InvalidArgument, in words, for parameters that make no sense.
absl::StatusOr<Distribution> MakeDistribution(const schema::Distribution& law,
                                              FieldRule::Kind kind);

// A number in the notation of `kind`, DURATION or SIZE, in nanoseconds or
// bytes.
absl::StatusOr<int64_t> ParseAmount(absl::string_view text,
                                    FieldRule::Kind kind);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_DISTRIBUTIONS_H_
