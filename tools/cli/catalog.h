// The scenarios that come with groupsim.
#ifndef GROUPSIM_TOOLS_CLI_CATALOG_H_
#define GROUPSIM_TOOLS_CLI_CATALOG_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace groupsim {

struct CatalogEntry {
  absl::string_view name;  // Without ".textproto".
  absl::string_view text;
};

// By name.
absl::Span<const CatalogEntry> Catalog();

// The question that the scenario answers: the first paragraph of its first
// comment, in one line.
std::string QuestionOf(const CatalogEntry& entry);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_CATALOG_H_
