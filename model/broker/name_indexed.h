// A table by name that is looked up by the name's number.
#ifndef GROUPSIM_MODEL_BROKER_NAME_INDEXED_H_
#define GROUPSIM_MODEL_BROKER_NAME_INDEXED_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"

namespace groupsim {

// Entries are never removed and never move. Looking one up reads two array
// elements; walking goes in order of creation.
template <class T>
class NameIndexed {
 public:
  // Null where there is no entry.
  T* Find(Name name) {
    const uint32_t id = name.id();
    if (id >= places_.size() || places_[id] == 0) return nullptr;
    return &entries_[places_[id] - 1];
  }
  const T* Find(Name name) const {
    return const_cast<NameIndexed*>(this)->Find(name);
  }

  // Adds an entry; `name` is not empty and has none yet.
  template <class... Args>
  T& Add(Name name, Args&&... args) {
    CHECK(!name.empty() && Find(name) == nullptr) << name;
    if (name.id() >= places_.size()) places_.resize(name.id() + 1);
    T& entry = entries_.emplace_back(std::forward<Args>(args)...);
    places_[name.id()] = static_cast<uint32_t>(entries_.size());
    return entry;
  }

  size_t size() const { return entries_.size(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::deque<T> entries_;
  std::vector<uint32_t> places_;  // By name id; position + 1, 0 for none.
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_NAME_INDEXED_H_
