#include "scenarios/faults/cast.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/base/check.h"

namespace groupsim {
namespace {

template <class Parts>
auto& PartNamed(Parts& parts, absl::string_view name) {
  const auto found = std::find_if(
      parts.begin(), parts.end(),
      [name](const auto& part) { return part.host->name().text() == name; });
  CHECK(found != parts.end()) << "no process " << std::string(name);
  return *found;
}

}  // namespace

Host& Cast::HostNamed(absl::string_view name) const {
  Host* host = world_.FindHost(world_.names().Intern(name));
  CHECK(host != nullptr) << "no process " << std::string(name);
  return *host;
}

Cast::BrokerPart& Cast::BrokerNamed(absl::string_view name) {
  return PartNamed(brokers_, name);
}

Cast::ProducerPart& Cast::ProducerNamed(absl::string_view name) {
  return PartNamed(producers_, name);
}

Cast::ConsumerPart& Cast::ConsumerNamed(absl::string_view name) {
  return PartNamed(consumers_, name);
}

std::vector<Cast::ConsumerPart*> Cast::ConsumersOf(absl::string_view group) {
  std::vector<ConsumerPart*> found;
  for (ConsumerPart& part : consumers_) {
    if (part.group.text() == group) found.push_back(&part);
  }
  return found;
}

std::vector<Cast::ConsumerPart*> Cast::Block(absl::string_view name) {
  std::vector<ConsumerPart*> found;
  for (ConsumerPart& part : consumers_) {
    if (part.block == name) found.push_back(&part);
  }
  return found;
}

std::vector<Host*> Cast::HostsAt(absl::string_view place) const {
  std::vector<Host*> hosts;
  for (Host& host : world_.hosts()) {
    if (host.name().text() == place) hosts.push_back(&host);
  }
  if (!hosts.empty()) return hosts;
  for (const ConsumerPart& part : consumers_) {
    if (part.group.text() == place || part.block == place) {
      hosts.push_back(part.host);
    }
  }
  if (!hosts.empty()) return hosts;
  for (Host& host : world_.hosts()) {
    if (!place.empty() && host.spec().room.text() == place) {
      hosts.push_back(&host);
    }
  }
  return hosts;
}

ProcessSet::ProcessSet(const schema::Processes& processes, Cast& cast) {
  std::vector<std::string> words;
  for (const auto* names : {&processes.consumer(), &processes.broker(),
                            &processes.name_server(), &processes.producer()}) {
    for (const std::string& name : *names) {
      named_.push_back(&cast.HostNamed(name));
      words.push_back(name);
    }
  }
  for (const std::string& group : processes.group()) {
    for (Cast::ConsumerPart* part : cast.ConsumersOf(group)) {
      of_groups_.push_back(part);
    }
    words.push_back(absl::StrCat("group ", group));
  }
  text_ = absl::StrJoin(words, ", ");
}

ProcessSet ProcessSet::OfGroup(absl::string_view group, Cast& cast) {
  ProcessSet set;
  set.of_groups_ = cast.ConsumersOf(group);
  set.text_ = std::string(group);
  return set;
}

std::vector<Host*> ProcessSet::all() const {
  std::vector<Host*> hosts = named_;
  for (const Cast::ConsumerPart* part : of_groups_) hosts.push_back(part->host);
  return hosts;
}

std::vector<Host*> ProcessSet::wanted() const {
  std::vector<Host*> hosts = named_;
  for (const Cast::ConsumerPart* part : of_groups_) {
    if (part->wanted) hosts.push_back(part->host);
  }
  return hosts;
}

}  // namespace groupsim
