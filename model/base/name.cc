#include "model/base/name.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "model/base/check.h"

namespace groupsim {

const std::string& Name::text() const {
  static const std::string& empty = *new std::string();
  return entry_ == nullptr ? empty : entry_->text;
}

std::strong_ordering operator<=>(Name a, Name b) {
  if (a.entry_ == b.entry_) return std::strong_ordering::equal;
  return CompareAsJavaStrings(a.text(), b.text());
}

std::ostream& operator<<(std::ostream& out, Name name) {
  return out << name.text();
}

std::strong_ordering CompareAsJavaStrings(absl::string_view a,
                                          absl::string_view b) {
  const size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i) {
    const auto x = static_cast<unsigned char>(a[i]);
    const auto y = static_cast<unsigned char>(b[i]);
    if (x == y) continue;
    // The first differing bytes decide as in UTF-8, but a character above
    // U+FFFF is a surrogate pair in UTF-16 (D800..DFFF) and so comes before
    // U+E000..U+FFFF, whose first bytes are EE and EF.
    const bool x_pair = x >= 0xF0;
    const bool y_pair = y >= 0xF0;
    if (x_pair != y_pair) {
      if (x_pair && y >= 0xEE) return std::strong_ordering::less;
      if (y_pair && x >= 0xEE) return std::strong_ordering::greater;
    }
    return x <=> y;
  }
  return a.size() <=> b.size();
}

Name NameTable::Intern(absl::string_view text) {
  if (text.empty()) return Name();
  if (const auto found = ids_.find(text); found != ids_.end()) {
    return FromId(found->second);
  }
  CHECK_LT(entries_.size(), size_t{UINT32_MAX});
  const auto id = static_cast<uint32_t>(entries_.size() + 1);
  entries_.push_back(Name::Entry{std::string(text), id});
  ids_.emplace(entries_.back().text, id);
  const Name name(&entries_.back());
  if (on_new_name_) on_new_name_(name);
  return name;
}

Name NameTable::FromId(uint32_t id) const {
  if (id == 0) return Name();
  CHECK_LE(id, entries_.size());
  return Name(&entries_[id - 1]);
}

}  // namespace groupsim
