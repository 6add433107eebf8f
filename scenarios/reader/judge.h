// Says what is wrong with a message, at the place where it was written.
#ifndef GROUPSIM_SCENARIOS_READER_JUDGE_H_
#define GROUPSIM_SCENARIOS_READER_JUDGE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "scenarios/reader/finding.h"
#include "scenarios/reader/places.h"

namespace groupsim {

// Both arguments must outlive the judge.
class Judge {
 public:
  Judge(const FieldPlaces& places, Findings& findings)
      : places_(places), findings_(findings) {}

  // An error in the value of the field at `path`. Where that was not written,
  // the place shown is that of the nearest message around it.
  void Value(const std::string& path, std::string message,
             std::string hint = "");

  // The same, shown at the name of the field: something is missing in it.
  void Name(const std::string& path, std::string message,
            std::string hint = "");

  // Whether there is a finding about the field at `path` or within it.
  bool HasFindingWithin(absl::string_view path) const;

  // Whether a field was written, though perhaps wrongly.
  bool WasWritten(const std::string& path) const {
    return places_.Find(path) != nullptr;
  }

  bool has_errors() const { return findings_.has_errors(); }
  bool full() const { return findings_.full(); }

 private:
  void Add(const FieldPlaces::Place* place, bool at_value,
           const std::string& path, std::string message, std::string hint);

  const FieldPlaces& places_;
  Findings& findings_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_JUDGE_H_
