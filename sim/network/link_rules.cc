#include "sim/network/link_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/ratio.h"
#include "sim/random/distribution.h"

namespace groupsim {

bool LinkScope::Contains(size_t from_host, size_t to_host) const {
  return from_host != to_host &&
         std::binary_search(from.begin(), from.end(), from_host) &&
         std::binary_search(to.begin(), to.end(), to_host);
}

int64_t LinkScope::size() const {
  int64_t to_themselves = 0;
  for (const size_t host : from) {
    if (std::binary_search(to.begin(), to.end(), host)) ++to_themselves;
  }
  return static_cast<int64_t>(from.size() * to.size()) - to_themselves;
}

bool operator==(const LinkState& a, const LinkState& b) {
  const auto across = [](const Ratio& one, const Ratio& other) {
    return static_cast<__int128>(one.numerator) * other.denominator;
  };
  return a.cut == b.cut && across(a.loss, b.loss) == across(b.loss, a.loss) &&
         a.latency_rule == b.latency_rule;
}

LinkRules::Id LinkRules::Add(Rule rule) {
  rule.id = ++last_id_;
  rules_.push_back(std::move(rule));
  return last_id_;
}

void LinkRules::Replace(Rule rule) {
  rules_.erase(std::remove_if(rules_.begin(), rules_.end(),
                              [&rule](const Rule& other) {
                                return other.says.index() ==
                                           rule.says.index() &&
                                       other.scope == rule.scope;
                              }),
               rules_.end());
  Add(std::move(rule));
}

const LinkRules::Rule* LinkRules::Find(Id id) const {
  for (const Rule& rule : rules_) {
    if (rule.id == id) return &rule;
  }
  return nullptr;
}

void LinkRules::Remove(Id id) {
  rules_.erase(std::remove_if(rules_.begin(), rules_.end(),
                              [id](const Rule& rule) { return rule.id == id; }),
               rules_.end());
}

std::vector<LinkRules::Id> LinkRules::Cuts() const {
  std::vector<Id> ids;
  for (const Rule& rule : rules_) {
    if (std::holds_alternative<LinkCut>(rule.says)) ids.push_back(rule.id);
  }
  return ids;
}

LinkState LinkRules::StateOf(size_t from, size_t to) const {
  LinkState state;
  for (const Rule& rule : rules_) {
    if (!rule.scope.Contains(from, to)) continue;
    if (const auto* cut = std::get_if<LinkCut>(&rule.says)) {
      state.cut = cut->cut;
    } else if (const auto* loss = std::get_if<Ratio>(&rule.says)) {
      state.loss = *loss;
    } else {
      state.latency = &std::get<Distribution>(rule.says);
      state.latency_rule = rule.id;
    }
  }
  return state;
}

}  // namespace groupsim
