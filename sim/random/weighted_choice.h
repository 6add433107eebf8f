// One of several things, each with its weight.
//
//   absl::StatusOr<WeightedChoice> tags = WeightedChoice::Of({5, 3, 2});
//   const size_t tag = tags->Pick(stream);  // 0 in half of all picks.
#ifndef GROUPSIM_SIM_RANDOM_WEIGHTED_CHOICE_H_
#define GROUPSIM_SIM_RANDOM_WEIGHTED_CHOICE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "model/base/ratio.h"
#include "model/runtime/random.h"

namespace groupsim {

// Picks in constant time, from a table of 16 bytes per choice (Walker's alias
// method), which copies share. One draw per pick.
class WeightedChoice {
 public:
  // At most this many choices.
  static constexpr size_t kMaxChoices = 1'000'000;

  // An error if there is no weight or there are too many, if one is negative,
  // if all are zero, or if their sum exceeds 2^63 - 1.
  static absl::StatusOr<WeightedChoice> Of(absl::Span<const int64_t> weights);

  // A number below size(). Its chance is its share of the sum of all weights,
  // off by less than 2^-64 * size(); a choice of weight zero is never picked.
  size_t Pick(RandomStream& stream) const;

  size_t size() const { return table_->size(); }

 private:
  // The numbers are spread over as many columns of equal chance. A column holds
  // its own number and, from `limit` of 2^64 upwards, one other.
  struct Column {
    uint64_t limit;
    uint32_t other;
  };

  explicit WeightedChoice(std::shared_ptr<const std::vector<Column>> table);

  std::shared_ptr<const std::vector<Column>> table_;
};

// True in `chance` of all cases; the ratio is at most 1. One draw.
bool Happens(Ratio chance, RandomStream& stream);

}  // namespace groupsim

#endif  // GROUPSIM_SIM_RANDOM_WEIGHTED_CHOICE_H_
