// The reader as something that arbitrary bytes are thrown at.
#ifndef GROUPSIM_TESTS_FUZZ_READER_ENTRY_H_
#define GROUPSIM_TESTS_FUZZ_READER_ENTRY_H_

#include "absl/strings/string_view.h"

namespace groupsim {

// Reads `data` as a scenario, says what is wrong with it in both forms and, if
// nothing is, makes sure that it reads back as itself. Stops the program where
// that fails. What `data` begins with selects the form:
//
//   "binpb:"  the rest is in binary form
//   "--set "  the first line is a setting, the rest is in text form
//   "{"       JSON
//   else      text form
void ReadAnything(absl::string_view data);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FUZZ_READER_ENTRY_H_
