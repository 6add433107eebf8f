#include "tests/golden/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace groupsim {
namespace {

constexpr char kCatalog[] = "scenarios/catalog";

}  // namespace

std::vector<std::string> CatalogNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kCatalog)) {
    if (entry.path().extension() == ".textproto") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string CatalogPath(const std::string& name) {
  return absl::StrCat(kCatalog, "/", name, ".textproto");
}

std::string ContentsOf(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Source CatalogSource(const std::string& name) {
  Source source;
  source.name = CatalogPath(name);
  source.text = ContentsOf(source.name);
  return source;
}

}  // namespace groupsim
