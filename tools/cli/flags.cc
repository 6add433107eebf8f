#include "tools/cli/flags.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "scenarios/reader/finding.h"

namespace groupsim {
namespace {

absl::Status Wrong(std::string message) {
  return absl::InvalidArgumentError(std::move(message));
}

bool ParseDigits(absl::string_view text, uint64_t& number) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return absl::ascii_isdigit(c); }) &&
         absl::SimpleAtoi(text, &number);
}

}  // namespace

Flags::Flags(std::vector<FlagInfo> known) : known_(std::move(known)) {
  known_.push_back(
      {.name = "help", .value = "", .help = "print this help and exit"});
}

absl::StatusOr<std::vector<std::string>> Flags::Parse(
    absl::Span<const std::string> arguments) {
  std::vector<std::string> rest;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const absl::string_view argument = arguments[i];
    if (argument == "--") {
      rest.insert(rest.end(), arguments.begin() + static_cast<long>(i) + 1,
                  arguments.end());
      break;
    }
    if (argument == "-h") {
      values_["help"];
      continue;
    }
    if (!absl::StartsWith(argument, "-") || argument == "-") {
      rest.emplace_back(argument);
      continue;
    }
    const size_t dashes = absl::StartsWith(argument, "--") ? 2 : 1;
    const size_t equals = argument.find('=');
    const absl::string_view name = argument.substr(
        dashes, equals == absl::string_view::npos ? equals : equals - dashes);
    const auto flag = std::find_if(
        known_.begin(), known_.end(),
        [name](const FlagInfo& info) { return info.name == name; });
    if (flag == known_.end() || dashes == 1) {
      std::vector<absl::string_view> names;
      for (const FlagInfo& info : known_) names.push_back(info.name);
      const absl::string_view nearest = NearestName(name, names);
      return Wrong(absl::StrCat(
          "no flag ", Quote(argument.substr(0, equals)),
          nearest.empty()
              ? ""
              : absl::StrCat("; did you mean \"--", nearest, "\"?")));
    }
    const bool has_value = equals != absl::string_view::npos;
    if (has_value != !flag->value.empty()) {
      return Wrong(has_value ? absl::StrCat("--", name, " takes no value")
                             : absl::StrCat("--", name, " needs a value: --",
                                            name, "=", flag->value));
    }
    const std::string value(has_value ? argument.substr(equals + 1) : "");
    if (!flag->choices.empty() &&
        std::find(flag->choices.begin(), flag->choices.end(), value) ==
            flag->choices.end()) {
      return Wrong(absl::StrCat("--", name, " must be ",
                                absl::StrJoin(flag->choices, " or "), ", not ",
                                Quote(value)));
    }
    if (has_value && value.empty()) {
      return Wrong(absl::StrCat("--", name, " needs a value: --", name, "=",
                                flag->value));
    }
    std::vector<std::string>& values = values_[std::string(name)];
    if (has_value && !values.empty() && !flag->repeats) {
      return Wrong(absl::StrCat("--", name, " is given twice"));
    }
    values.push_back(value);
  }
  return rest;
}

std::string Flags::Value(absl::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() || found->second.empty()
             ? ""
             : found->second.front();
}

std::vector<std::string> Flags::Values(absl::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

absl::StatusOr<uint64_t> ParseSeed(absl::string_view flag,
                                   absl::string_view text) {
  uint64_t seed = 0;
  if (!ParseDigits(text, seed)) {
    return Wrong(absl::StrCat("--", flag, " must be a whole number from 0 to ",
                              UINT64_MAX, ", not ", Quote(text)));
  }
  return seed;
}

absl::StatusOr<SeedRange> ParseSeedRange(absl::string_view text) {
  SeedRange range;
  const size_t dots = text.find("..");
  if (dots == absl::string_view::npos ||
      !ParseDigits(text.substr(0, dots), range.first) ||
      !ParseDigits(text.substr(dots + 2), range.last)) {
    return Wrong(absl::StrCat("--seeds must be A..B, such as 1..100, not ",
                              Quote(text)));
  }
  if (range.first > range.last) {
    return Wrong(
        absl::StrCat("--seeds goes from the lower to the higher seed, "
                     "not ",
                     text));
  }
  if (range.last - range.first >= kMostSeeds) {
    return Wrong(absl::StrCat("--seeds may name at most ", kMostSeeds,
                              " seeds, not ", text));
  }
  return range;
}

}  // namespace groupsim
