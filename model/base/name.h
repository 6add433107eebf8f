// Interned names: of topics, groups, brokers, clients, addresses.
//
// A NameTable hands out one Name per text. Names compare equal by identity,
// order by text (as Java orders strings, see operator<), and carry a small
// number that is the order of interning; a world interns its names in the order
// of its scenario, so that these numbers are the same in every run.
#ifndef GROUPSIM_MODEL_BASE_NAME_H_
#define GROUPSIM_MODEL_BASE_NAME_H_

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace groupsim {

// A handle to an interned text; as cheap to copy as a pointer. Valid as long as
// its table. The default one is the empty name with number 0, of no table.
class Name {
 public:
  Name() = default;

  // The text in UTF-8.
  const std::string& text() const;
  // Order of interning in its table, from 1; 0 only for the empty name.
  uint32_t id() const { return entry_ == nullptr ? 0 : entry_->id; }
  bool empty() const { return entry_ == nullptr; }

  friend bool operator==(Name a, Name b) { return a.entry_ == b.entry_; }

  // The order of java.lang.String.compareTo: by UTF-16 code units. Agrees with
  // the order of UTF-8 bytes except where a character lies above U+FFFF.
  friend std::strong_ordering operator<=>(Name a, Name b);

  template <class H>
  friend H AbslHashValue(H state, Name name) {
    return H::combine(std::move(state), name.id());
  }

 private:
  friend class NameTable;
  struct Entry {
    std::string text;
    uint32_t id;
  };
  explicit Name(const Entry* entry) : entry_(entry) {}

  const Entry* entry_ = nullptr;
};

std::ostream& operator<<(std::ostream& out, Name name);

// Sign of comparing two UTF-8 texts as java.lang.String.compareTo does.
std::strong_ordering CompareAsJavaStrings(absl::string_view a,
                                          absl::string_view b);

// The names of one world.
class NameTable {
 public:
  NameTable() = default;
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  // The name with this text, made at the first call. The empty text gives the
  // empty name.
  Name Intern(absl::string_view text);

  // The name numbered `id`; the empty name for 0. `id` must be in use.
  Name FromId(uint32_t id) const;

  // How many names there are; ids run from 1 to this number.
  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }

  // Called once for each new name, in order of id.
  void OnNewName(std::function<void(Name)> observer) {
    on_new_name_ = std::move(observer);
  }

 private:
  std::deque<Name::Entry> entries_;  // Addresses stay valid as it grows.
  absl::flat_hash_map<absl::string_view, uint32_t> ids_;
  std::function<void(Name)> on_new_name_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BASE_NAME_H_
