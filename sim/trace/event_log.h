// Facts as lines of JSON.
#ifndef GROUPSIM_SIM_TRACE_EVENT_LOG_H_
#define GROUPSIM_SIM_TRACE_EVENT_LOG_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/facts/fact.h"
#include "sim/trace/trace.h"

namespace groupsim {

// Writes one JSON object a line for each fact it is shown:
//
//   {"time":20000000,"kind":"QUEUE_ADDED","host":"c-1","group":"orders",
//    "topic":"paid","broker":"b-0","queue":3,"offset":117}
//
// (on one line). `time` is in nanoseconds and always there, as is `kind`; a
// field that is zero is left out, but for the `queue` of a fact with topic and
// broker. Where the table of facts says that `offset`, `count` or `value` is a
// name id, the name is written.
class EventLog final : public FactObserver {
 public:
  // Both must outlive the log. Whether writing worked is to be asked of `out`.
  EventLog(const NameTable& names, std::ostream& out);

  void OnFact(const Fact& fact) override;

 private:
  // What the table of facts says about one kind.
  struct Kind {
    absl::string_view name;  // Empty for a number that is not in use.
    bool offset_is_name = false;
    bool count_is_name = false;
    bool value_is_name = false;
  };

  void AppendName(absl::string_view key, uint64_t id);
  void AppendNumber(absl::string_view key, int64_t number, bool is_name);

  const NameTable& names_;
  std::ostream& out_;
  std::vector<Kind> kinds_;  // By number.
  std::string line_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_TRACE_EVENT_LOG_H_
