#include "scenarios/reader/judge.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"

namespace groupsim {

void Judge::Add(const FieldPlaces::Place* place, bool at_value,
                const std::string& path, std::string message,
                std::string hint) {
  std::optional<Span> span;
  if (place != nullptr) span = at_value ? place->value : place->name;
  findings_.Add({.span = span,
                 .message = std::move(message),
                 .path = path,
                 .hint = std::move(hint)});
}

void Judge::Value(const std::string& path, std::string message,
                  std::string hint) {
  const FieldPlaces::Place* exact = places_.Find(path);
  Add(exact != nullptr ? exact : places_.Nearest(path), exact != nullptr, path,
      std::move(message), std::move(hint));
}

void Judge::Name(const std::string& path, std::string message,
                 std::string hint) {
  Add(places_.Nearest(path), false, path, std::move(message), std::move(hint));
}

bool Judge::HasFindingWithin(absl::string_view path) const {
  return std::any_of(findings_.all().begin(), findings_.all().end(),
                     [path](const Finding& finding) {
                       absl::string_view at = finding.path;
                       return absl::StartsWith(at, path) &&
                              (at.size() == path.size() ||
                               at[path.size()] == '.' ||
                               at[path.size()] == '[');
                     });
}

}  // namespace groupsim
