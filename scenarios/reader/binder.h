// From a syntax tree to a message.
#ifndef GROUPSIM_SCENARIOS_READER_BINDER_H_
#define GROUPSIM_SCENARIOS_READER_BINDER_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "scenarios/reader/finding.h"
#include "scenarios/reader/syntax.h"

namespace groupsim {

// Where the fields of a message were written, by path ("group[0].consumer[1]").
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

// Fills `message` from `tree`, a message. A field that is unknown, not yet
// supported, given twice or of the wrong type is a finding and stays empty.
// `json` allows JSON's camel-case names beside the schema's.
void Bind(const SyntaxValue& tree, bool json,
          google::protobuf::Message& message, FieldPlaces& places,
          Findings& findings);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_BINDER_H_
