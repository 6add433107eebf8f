// Facts as a scenario describes them.
#ifndef GROUPSIM_SCENARIOS_FAULTS_FACT_FILTER_H_
#define GROUPSIM_SCENARIOS_FAULTS_FACT_FILTER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/name.h"
#include "model/facts/fact.h"
#include "scenarios/schema/facts.pb.h"

namespace groupsim {

// Says of a fact whether it is of one kind and about certain things.
class FactFilter {
 public:
  // The pattern is valid, and `names` knows all names that it uses.
  FactFilter(const schema::FactPattern& pattern, NameTable& names);
  FactFilter(const schema::AfterFact& pattern, NameTable& names);

  // The one kind to observe.
  FactKind kind() const { return kind_; }

  // `fact` is of that kind.
  bool Matches(const Fact& fact) const;

  // "DELIVERED at pod-2 of orders".
  const std::string& text() const { return text_; }

 private:
  struct Queues {
    uint32_t broker = 0;
    int32_t first = 0;
    int32_t last = 0;
  };

  template <class Pattern>
  void Read(const Pattern& pattern, NameTable& names);

  FactKind kind_{};
  std::optional<uint32_t> host_;
  std::optional<uint32_t> consumer_;
  std::optional<uint32_t> group_;
  std::optional<uint32_t> topic_;
  std::vector<Queues> queues_;  // Empty for any.
  std::optional<int64_t> offset_;
  std::optional<int64_t> count_;
  std::optional<int64_t> value_;
  std::string text_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_FACT_FILTER_H_
