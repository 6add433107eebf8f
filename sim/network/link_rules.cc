#include "sim/network/link_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace groupsim {
namespace {

bool SameProperty(const LinkRules::Rule& a, const LinkRules::Rule& b) {
  return a.cut.has_value() == b.cut.has_value() &&
         a.loss.has_value() == b.loss.has_value() &&
         a.latency.has_value() == b.latency.has_value();
}

}  // namespace

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

LinkRules::Id LinkRules::Add(Rule rule) {
  rules_.erase(std::remove_if(rules_.begin(), rules_.end(),
                              [&rule](const Rule& other) {
                                return SameProperty(rule, other) &&
                                       rule.scope == other.scope;
                              }),
               rules_.end());
  rule.id = ++last_id_;
  rules_.push_back(std::move(rule));
  return last_id_;
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
    if (rule.cut.has_value()) ids.push_back(rule.id);
  }
  return ids;
}

LinkState LinkRules::StateOf(size_t from, size_t to) const {
  LinkState state;
  for (const Rule& rule : rules_) {
    if (!rule.scope.Contains(from, to)) continue;
    if (rule.cut.has_value()) state.cut = *rule.cut;
    if (rule.loss.has_value()) state.loss = *rule.loss;
    if (rule.latency.has_value()) state.latency = &*rule.latency;
  }
  return state;
}

}  // namespace groupsim
