// Where the fields of a scenario were written.
#ifndef GROUPSIM_SCENARIOS_READER_PLACES_H_
#define GROUPSIM_SCENARIOS_READER_PLACES_H_

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "scenarios/reader/finding.h"

namespace groupsim {

// By path ("group[0].consumer[1]").
class FieldPlaces {
 public:
  struct Place {
    Span name;
    Span value;
  };

  void Set(std::string path, const Place& place) {
    places_.insert_or_assign(std::move(path), place);
  }

  // Null for a field that was not written.
  const Place* Find(absl::string_view path) const {
    const auto found = places_.find(path);
    return found == places_.end() ? nullptr : &found->second;
  }

  // The place of the field at `path` or, where that was not written, of the
  // nearest message around it; null if there is none.
  const Place* Nearest(absl::string_view path) const {
    while (!path.empty()) {
      const Place* place = Find(path);
      if (place != nullptr) return place;
      const size_t dot = path.rfind('.');
      path = path.substr(0, dot == absl::string_view::npos ? 0 : dot);
    }
    return nullptr;
  }

  // Forgets the field at `path`, its elements and what is in it.
  void EraseWithin(absl::string_view path) {
    absl::erase_if(places_, [path](const auto& entry) {
      return absl::StartsWith(entry.first, path) &&
             (entry.first.size() == path.size() ||
              entry.first[path.size()] == '.' ||
              entry.first[path.size()] == '[');
    });
  }

 private:
  absl::flat_hash_map<std::string, Place> places_;
};

// The path of a field of the message at `path`, or of one of its elements.
std::string FieldPath(absl::string_view path, absl::string_view field);
std::string FieldPath(absl::string_view path, absl::string_view field,
                      int index);

// Stands in a path for any field that the message there does not have; found
// in FieldPlaces if one was written.
inline constexpr absl::string_view kUnknownField = "?";

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_PLACES_H_
