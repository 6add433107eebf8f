#include "scenarios/reader/judge.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"

namespace groupsim {

const FieldPlaces::Place* Judge::NearestPlace(absl::string_view path) const {
  while (!path.empty()) {
    const FieldPlaces::Place* place = places_.Find(path);
    if (place != nullptr) return place;
    const size_t dot = path.rfind('.');
    path = path.substr(0, dot == absl::string_view::npos ? 0 : dot);
  }
  return nullptr;
}

void Judge::Add(Finding::Severity severity, const FieldPlaces::Place* place,
                bool at_value, const std::string& path, std::string message,
                std::string hint) {
  std::optional<Span> span;
  if (place != nullptr) span = at_value ? place->value : place->name;
  findings_.Add({.severity = severity,
                 .span = span,
                 .message = std::move(message),
                 .path = path,
                 .hint = std::move(hint)});
}

void Judge::Value(const std::string& path, std::string message,
                  std::string hint) {
  const FieldPlaces::Place* exact = places_.Find(path);
  Add(Finding::Severity::kError, exact != nullptr ? exact : NearestPlace(path),
      exact != nullptr, path, std::move(message), std::move(hint));
}

void Judge::Name(const std::string& path, std::string message,
                 std::string hint) {
  Add(Finding::Severity::kError, NearestPlace(path), false, path,
      std::move(message), std::move(hint));
}

void Judge::Warning(const std::string& path, std::string message) {
  Add(Finding::Severity::kWarning, NearestPlace(path), true, path,
      std::move(message), "");
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
