// Facts as lines of JSON.
#ifndef GROUPSIM_SIM_TRACE_EVENT_LOG_H_
#define GROUPSIM_SIM_TRACE_EVENT_LOG_H_

#include <cstdint>
#include <ostream>
#include <string>

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
  void AppendName(absl::string_view key, uint64_t id);
  // `field` is the word that the table of facts uses for the number.
  void AppendNumber(absl::string_view field, int64_t number,
                    absl::string_view fields);

  const NameTable& names_;
  std::ostream& out_;
  std::string line_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_TRACE_EVENT_LOG_H_
