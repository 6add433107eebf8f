// The flags of one command.
//
//   Flags flags({{.name = "seed", .value = "N", .help = "..."},
//                {.name = "quiet", .help = "..."}});
//   absl::StatusOr<std::vector<std::string>> rest = flags.Parse(arguments);
//   if (flags.Has("seed")) ... flags.Value("seed")
#ifndef GROUPSIM_TOOLS_CLI_FLAGS_H_
#define GROUPSIM_TOOLS_CLI_FLAGS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace groupsim {

struct FlagInfo {
  std::string name;   // Without dashes.
  std::string value;  // What stands behind "="; empty: it takes no value.
  std::string help;   // One line, not capitalised, without a full stop.
  // The values allowed; none: any.
  std::vector<std::string> choices = {};
  bool repeats = false;  // May be given more than once.
};

// Every command also knows --help.
class Flags {
 public:
  explicit Flags(std::vector<FlagInfo> known);

  // Takes the flags out of `arguments`; returns what is left. Everything
  // behind "--" is left. InvalidArgument, in words, for a flag that is unknown,
  // given twice (unless it repeats), or has a wrong value.
  absl::StatusOr<std::vector<std::string>> Parse(
      absl::Span<const std::string> arguments);

  const std::vector<FlagInfo>& known() const { return known_; }
  bool Has(absl::string_view name) const { return values_.contains(name); }
  // "" if it was not given, or takes no value.
  std::string Value(absl::string_view name) const;
  // All of them, in their order.
  std::vector<std::string> Values(absl::string_view name) const;

 private:
  std::vector<FlagInfo> known_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// "7": a seed. InvalidArgument, in words, naming `flag`.
absl::StatusOr<uint64_t> ParseSeed(absl::string_view flag,
                                   absl::string_view text);

// "A..B", both included, A <= B, at most kMostSeeds of them.
struct SeedRange {
  uint64_t first = 1;
  uint64_t last = 1;
};
inline constexpr uint64_t kMostSeeds = 100'000;
absl::StatusOr<SeedRange> ParseSeedRange(absl::string_view text);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_FLAGS_H_
