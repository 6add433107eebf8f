#include "scenarios/reader/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace groupsim {
namespace {

// Longer names are nobody's neighbours.
constexpr size_t kLongest = 128;

int EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<int> before;
  std::vector<int> above(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  std::iota(above.begin(), above.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int cost = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + cost});
      // Two neighbours that changed places are one mistake.
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = above;
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

absl::string_view NearestName(absl::string_view wrong,
                              const std::vector<absl::string_view>& names) {
  if (wrong.empty() || wrong.size() > kLongest) return "";
  // A third of the letters may be wrong.
  int best_distance = static_cast<int>(wrong.size()) / 3 + 1;
  absl::string_view best;
  for (const absl::string_view name : names) {
    if (name.size() > kLongest) continue;
    const int distance = EditDistance(wrong, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::vector<absl::string_view> NearestFirst(
    absl::string_view wrong, std::vector<absl::string_view> names) {
  std::vector<std::pair<int, absl::string_view>> ranked;
  ranked.reserve(names.size());
  const absl::string_view compared = wrong.substr(0, kLongest);
  for (const absl::string_view name : names) {
    ranked.emplace_back(EditDistance(compared, name.substr(0, kLongest)), name);
  }
  std::stable_sort(
      ranked.begin(), ranked.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < names.size(); ++i) names[i] = ranked[i].second;
  return names;
}

std::string DidYouMean(absl::string_view name) {
  return name.empty() ? "" : absl::StrCat("did you mean \"", name, "\"?");
}

namespace {

template <class Show>
std::string List(const std::vector<absl::string_view>& names, size_t most,
                 absl::string_view last, Show show) {
  std::string list;
  const size_t shown = names.size() > most ? most : names.size();
  for (size_t i = 0; i < shown; ++i) {
    if (i > 0) {
      absl::StrAppend(
          &list, i + 1 == names.size() ? absl::StrCat(" ", last, " ") : ", ");
    }
    absl::StrAppend(&list, show(names[i]));
  }
  if (shown < names.size()) {
    absl::StrAppend(&list, " ", last, " ", names.size() - shown, " more");
  }
  return list;
}

}  // namespace

std::string ListNames(const std::vector<absl::string_view>& names, size_t most,
                      absl::string_view last) {
  return List(names, most, last, Quote);
}

std::string ListPlainNames(const std::vector<absl::string_view>& names,
                           absl::string_view last, size_t most) {
  return List(names, most, last,
              [](absl::string_view name) { return std::string(name); });
}

std::string Quote(absl::string_view text) {
  constexpr size_t kShown = 60;
  size_t shown = text.size();
  if (shown > kShown) {
    shown = kShown;
    while (shown > 0 && (text[shown] & 0xC0) == 0x80) --shown;
  }
  return absl::StrCat("\"", absl::Utf8SafeCEscape(text.substr(0, shown)),
                      shown < text.size() ? "...\"" : "\"");
}

std::string SnakeCase(absl::string_view name) {
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '-' || c == ' ') {
      snake += '_';
      continue;
    }
    // A capital begins a word, unless it is one of several ("MQClient").
    const bool begins =
        absl::ascii_isupper(c) && i > 0 &&
        (absl::ascii_islower(name[i - 1]) || absl::ascii_isdigit(name[i - 1]) ||
         (absl::ascii_isupper(name[i - 1]) && i + 1 < name.size() &&
          absl::ascii_islower(name[i + 1])));
    if (begins) snake += '_';
    snake += absl::ascii_tolower(c);
  }
  return snake;
}

}  // namespace groupsim
