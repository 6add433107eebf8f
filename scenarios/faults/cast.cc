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
auto& PartOf(Parts& parts, const Host& host) {
  const auto found =
      std::find_if(parts.begin(), parts.end(),
                   [&host](const auto& part) { return part.host == &host; });
  CHECK(found != parts.end()) << host.name() << " is of another kind";
  return *found;
}

}  // namespace

Host& Cast::HostNamed(absl::string_view name) const {
  Host* host = world_.FindHost(world_.names().Intern(name));
  CHECK(host != nullptr) << "no process " << std::string(name);
  return *host;
}

Cast::BrokerPart& Cast::BrokerNamed(absl::string_view name) {
  return PartOf(brokers_, HostNamed(name));
}

Cast::ProducerPart& Cast::ProducerNamed(absl::string_view name) {
  return PartOf(producers_, HostNamed(name));
}

Cast::ConsumerPart& Cast::ConsumerNamed(absl::string_view name) {
  return PartOf(consumers_, HostNamed(name));
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
  for (const ProducerPart& part : producers_) {
    if (part.block == place) hosts.push_back(part.host);
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
  for (const std::string& name : processes.consumer()) {
    const Cast::ConsumerPart& part = cast.ConsumerNamed(name);
    named_.push_back({part.host, &part});
    words.push_back(name);
  }
  for (const auto* names :
       {&processes.broker(), &processes.name_server(), &processes.producer()}) {
    for (const std::string& name : *names) {
      named_.push_back({.host = &cast.HostNamed(name)});
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
  std::vector<Host*> hosts;
  hosts.reserve(named_.size() + of_groups_.size());
  for (const Member& member : named_) hosts.push_back(member.host);
  for (const Cast::ConsumerPart* part : of_groups_) hosts.push_back(part->host);
  return hosts;
}

std::vector<ProcessSet::Member> ProcessSet::wanted() const {
  std::vector<Member> members = named_;
  for (const Cast::ConsumerPart* part : of_groups_) {
    if (part->wanted) members.push_back({part->host, part});
  }
  return members;
}

}  // namespace groupsim
