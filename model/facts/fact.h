// What happened, as plain values.
//
// The model tells its runtime every step that somebody outside could care
// about as one Fact. Measures, expectations, the event log and the fact
// fingerprint see facts and nothing else. The table of all kinds is in
// fact_table.inc.
#ifndef GROUPSIM_MODEL_FACTS_FACT_H_
#define GROUPSIM_MODEL_FACTS_FACT_H_

#include <cstdint>
#include <type_traits>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/base/time.h"

namespace groupsim {

// The kinds of fact, in the order of fact_table.inc. Numbers are explicit
// there and never reused, since fingerprints depend on them.
enum class FactKind : uint16_t {
#define GROUPSIM_FACT(number, name, fields, meaning) name = number,
#include "model/facts/fact_table.inc"
#undef GROUPSIM_FACT
};

// One thing that happened. 48 bytes, no padding, trivially copyable: the fact
// fingerprint hashes its bytes. Fields that a kind does not use are zero.
struct Fact {
  Instant time;         // Filled in by the sink.
  FactKind kind{};      // What happened.
  uint16_t group = 0;   // Name id of the consumer group.
  uint32_t host = 0;    // Name id of the process that it happened to.
  uint32_t topic = 0;   // Name id of the topic.
  uint16_t broker = 0;  // Name id of the broker that holds the queue.
  uint16_t queue = 0;   // Number of the queue within topic and broker.
  int64_t offset = 0;   // A queue offset; else see the table.
  int64_t count = 0;    // See the table.
  int64_t value = 0;    // See the table.
};
static_assert(sizeof(Fact) == 48);
static_assert(std::is_trivially_copyable_v<Fact>);
static_assert(std::has_unique_object_representations_v<Fact>);

// One row of the table of kinds, for people and for `list facts`.
struct FactKindInfo {
  FactKind kind;
  absl::string_view name;     // As in the enumeration, e.g. "QUEUE_ADDED".
  absl::string_view fields;   // The fields used besides time and host.
  absl::string_view meaning;  // One sentence.
};

// All kinds, by number.
absl::Span<const FactKindInfo> AllFactKinds();

// The row of one kind; `kind` must be in the table.
const FactKindInfo& InfoOf(FactKind kind);

// Where facts go. A runtime implements it: it sets `time`, folds the fact into
// its fingerprint and calls whoever registered for the kind, in that order,
// before Emit returns.
class FactSink {
 public:
  virtual ~FactSink() = default;
  virtual void Emit(const Fact& fact) = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_FACTS_FACT_H_
