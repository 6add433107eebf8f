#include "model/facts/fact.h"

#include <algorithm>

#include "absl/types/span.h"
#include "model/base/check.h"

namespace groupsim {
namespace {

constexpr FactKindInfo kFactKinds[] = {
#define GROUPSIM_FACT(number, name, fields, meaning) \
  {FactKind::name, #name, fields, meaning},
#include "model/facts/fact_table.inc"
#undef GROUPSIM_FACT
};

}  // namespace

absl::Span<const FactKindInfo> AllFactKinds() { return kFactKinds; }

const FactKindInfo& InfoOf(FactKind kind) {
  const auto* found = std::find_if(
      std::begin(kFactKinds), std::end(kFactKinds),
      [kind](const FactKindInfo& row) { return row.kind == kind; });
  CHECK(found != std::end(kFactKinds))
      << "no fact has the number " << static_cast<int>(kind);
  return *found;
}

}  // namespace groupsim
