#include "scenarios/faults/fact_filter.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "scenarios/reader/values.h"

namespace groupsim {

FactFilter::FactFilter(const schema::FactPattern& pattern, NameTable& names) {
  Read(pattern, names);
}

FactFilter::FactFilter(const schema::AfterFact& pattern, NameTable& names) {
  Read(pattern, names);
}

// The kinds have the same numbers in the schema.
template <class Pattern>
void FactFilter::Read(const Pattern& pattern, NameTable& names) {
  kind_ = static_cast<FactKind>(pattern.fact());
  text_ = std::string(InfoOf(kind_).name);
  const auto id = [&](const std::string& name, const char* word) {
    absl::StrAppend(&text_, word, name);
    return names.Intern(name).id();
  };
  if (pattern.has_process()) host_ = id(pattern.process(), " at ");
  if (pattern.has_consumer()) consumer_ = id(pattern.consumer(), " at ");
  if (pattern.has_group()) group_ = id(pattern.group(), " of group ");
  if (pattern.has_topic()) topic_ = id(pattern.topic(), " of ");
  if (pattern.has_queues()) {
    for (const QueueRange& range : Valid(ParseQueues(pattern.queues()))) {
      queues_.push_back(
          {names.Intern(range.broker).id(), range.first, range.last});
    }
    absl::StrAppend(&text_, " ", pattern.queues());
  }
  const auto number = [&](int64_t n, const char* word) {
    absl::StrAppend(&text_, word, n);
    return n;
  };
  if (pattern.has_offset()) offset_ = number(pattern.offset(), " offset ");
  if (pattern.has_count()) count_ = number(pattern.count(), " count ");
  if (pattern.has_value()) value_ = number(pattern.value(), " value ");
}

bool FactFilter::Matches(const Fact& fact) const {
  if (host_.has_value() && *host_ != fact.host) return false;
  if (consumer_.has_value() && *consumer_ != fact.host) return false;
  if (group_.has_value() && *group_ != fact.group) return false;
  if (topic_.has_value() && *topic_ != fact.topic) return false;
  if (offset_.has_value() && *offset_ != fact.offset) return false;
  if (count_.has_value() && *count_ != fact.count) return false;
  if (value_.has_value() && *value_ != fact.value) return false;
  if (queues_.empty()) return true;
  return std::any_of(
      queues_.begin(), queues_.end(), [&fact](const Queues& range) {
        return range.broker == fact.broker && fact.queue >= range.first &&
               fact.queue <= range.last;
      });
}

}  // namespace groupsim
