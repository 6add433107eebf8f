// Which name was meant.
#ifndef GROUPSIM_SCENARIOS_READER_NEAREST_H_
#define GROUPSIM_SCENARIOS_READER_NEAREST_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace groupsim {

// The one of `names` that `wrong` looks most like, or "" if none is close.
absl::string_view NearestName(absl::string_view wrong,
                              const std::vector<absl::string_view>& names);

// `names`, those that `wrong` looks most like first; equally like ones keep
// their order.
std::vector<absl::string_view> NearestFirst(
    absl::string_view wrong, std::vector<absl::string_view> names);

// `did you mean "NAME"?`, or "" for no name.
std::string DidYouMean(absl::string_view name);

// `"a", "b" and "c"`; of more than `most`, `"a", "b" and 7 more`. "or" may
// stand for "and". "" of no names.
std::string ListNames(const std::vector<absl::string_view>& names,
                      size_t most = 8, absl::string_view last = "and");

// The same without quotes, for names of the language: `a, b or c`.
std::string ListPlainNames(const std::vector<absl::string_view>& names,
                           absl::string_view last, size_t most = 12);

// A text in quotes for a message: escaped, and cut where it is long.
std::string Quote(absl::string_view text);

// "consumeThreadMax", "consume-thread-max" and "CONSUME_THREAD_MAX" as the
// schema writes names: "consume_thread_max".
std::string SnakeCase(absl::string_view name);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_NEAREST_H_
