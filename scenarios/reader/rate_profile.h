// A rate that changes over time, in straight lines.
#ifndef GROUPSIM_SCENARIOS_READER_RATE_PROFILE_H_
#define GROUPSIM_SCENARIOS_READER_RATE_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/time.h"

namespace groupsim {

// Whole numbers throughout: messages are counted in units small enough for the
// area below every line to be whole.
class RateProfile {
 public:
  static constexpr int64_t kUnitsPerMessage = 2'000'000'000;

  // Messages a second at the begin and at the end of a time, at most a million;
  // at most 30 days long. Between them a straight line.
  struct Piece {
    Duration length;
    int64_t from = 0;
    int64_t to = 0;
  };

  // First the pieces of `once`, then those of `again` over and over. Pieces of
  // no length are left out; `again` must have one that is not.
  RateProfile(const std::vector<Piece>& once, const std::vector<Piece>& again);

  // Units that come before a time since the begin, rounded up; at most 30 days
  // long.
  __int128 UnitsBefore(Duration time) const;
  // The highest rate at any time, in messages a second.
  int64_t highest() const { return highest_; }

  // Goes along a profile.
  class Walk {
   public:
    explicit Walk(std::shared_ptr<const RateProfile> profile)
        : profile_(std::move(profile)) {}

    // The last nanosecond up to which no more than so many units came since the
    // begin; nothing if that is not before `end`. `units` must not fall.
    std::optional<Duration> Reach(__int128 units, Duration end);

   private:
    std::shared_ptr<const RateProfile> profile_;
    size_t piece_ = 0;     // Among once_, then again_.
    Duration start_;       // Of the piece.
    __int128 before_ = 0;  // Units that came before it.
  };

 private:
  const Piece& At(size_t place) const {
    return place < once_.size()
               ? once_[place]
               : again_[(place - once_.size()) % again_.size()];
  }

  // What comes before a piece; one more for what all of them have.
  struct Sum {
    Duration time;
    __int128 units = 0;
  };
  static std::vector<Sum> SumsOf(const std::vector<Piece>& pieces);
  static __int128 Within(const std::vector<Piece>& pieces,
                         const std::vector<Sum>& sums, Duration time);

  std::vector<Piece> once_;
  std::vector<Piece> again_;
  std::vector<Sum> once_sums_;
  std::vector<Sum> again_sums_;
  int64_t highest_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_RATE_PROFILE_H_
