// Facts as short lines, for tests to compare.
#ifndef GROUPSIM_TESTS_SUPPORT_FACT_LINES_H_
#define GROUPSIM_TESTS_SUPPORT_FACT_LINES_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "sim/trace/trace.h"

namespace groupsim {

// Writes down each fact it is shown as "TIME HOST KIND", the time in whole
// milliseconds: "1500 c-1 PROCESS_CRASHED".
class FactLines final : public FactObserver {
 public:
  explicit FactLines(const NameTable& names) : names_(names) {}

  void OnFact(const Fact& fact) override {
    lines.push_back(absl::StrCat(fact.time.since_start().millis(), " ",
                                 names_.FromId(fact.host).text(), " ",
                                 InfoOf(fact.kind).name));
  }

  std::vector<std::string> lines;

 private:
  const NameTable& names_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SUPPORT_FACT_LINES_H_
