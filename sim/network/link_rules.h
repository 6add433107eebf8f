// What disturbs the links of a network at present.
#ifndef GROUPSIM_SIM_NETWORK_LINK_RULES_H_
#define GROUPSIM_SIM_NETWORK_LINK_RULES_H_

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "model/base/ratio.h"
#include "sim/random/distribution.h"

namespace groupsim {

// The directions from each host of one set to each of another, but not from a
// host to itself. Hosts are numbered; each set is sorted, without doubles.
struct LinkScope {
  std::vector<size_t> from;
  std::vector<size_t> to;

  bool Contains(size_t from_host, size_t to_host) const;
  // How many directions there are.
  int64_t size() const;

  friend bool operator==(const LinkScope&, const LinkScope&) = default;
};

// Whether directions are cut.
struct LinkCut {
  bool cut = false;
};

// How a direction is at present, where it is not as it was built.
struct LinkState {
  bool cut = false;
  Ratio loss;                             // Of all segments.
  const Distribution* latency = nullptr;  // Null for that of the network.
  uint64_t latency_rule = 0;              // Which says so; 0 for none.

  // Latencies are equal if they are by the same rule.
  friend bool operator==(const LinkState& a, const LinkState& b);
};

// Rules in the order in which they were given. For each property of a direction
// the last rule about it holds; when that is taken back, the one before it
// holds again.
class LinkRules {
 public:
  using Id = uint64_t;  // Of one rule; 0 is none.

  // One of the three properties: cut, the share of segments that are lost, or
  // the latency.
  struct Rule {
    LinkScope scope;
    std::variant<LinkCut, Ratio, Distribution> says;
    Id id = 0;
  };

  // A rule that will be taken back.
  Id Add(Rule rule);
  // One that will not be: rules so far about the same property of the same
  // directions could never hold again, and go.
  void Replace(Rule rule);

  // Null if there is no such rule, or none any more. Valid until the
  // next change.
  const Rule* Find(Id id) const;
  void Remove(Id id);

  // Those that say whether directions are cut.
  std::vector<Id> Cuts() const;

  bool empty() const { return rules_.empty(); }
  size_t size() const { return rules_.size(); }

  // The latency stays valid until the next change.
  LinkState StateOf(size_t from, size_t to) const;

 private:
  std::vector<Rule> rules_;
  Id last_id_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_NETWORK_LINK_RULES_H_
