// The scenarios of the catalog, as tests read them.
#ifndef GROUPSIM_TESTS_GOLDEN_CATALOG_H_
#define GROUPSIM_TESTS_GOLDEN_CATALOG_H_

#include <string>
#include <vector>

#include "scenarios/reader/reader.h"

namespace groupsim {

// Names without their ending, sorted.
std::vector<std::string> CatalogNames();

// The file of a scenario.
std::string CatalogPath(const std::string& name);

// The text of a file; a failure of the test if it cannot be read.
std::string ContentsOf(const std::string& path);

// A scenario as a source named by its path.
Source CatalogSource(const std::string& name);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_GOLDEN_CATALOG_H_
