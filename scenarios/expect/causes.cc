#include "scenarios/expect/causes.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"

namespace groupsim {
namespace {

// Its name, or the word for what it does.
std::string EventInWords(const schema::Event& event) {
  if (event.has_name()) return absl::StrCat("event \"", event.name(), "\"");
  const auto* field = event.GetReflection()->GetOneofFieldDescriptor(
      event, event.GetDescriptor()->FindOneofByName("action"));
  return field == nullptr ? std::string("an event") : field->name();
}

}  // namespace

void Causes::OnFact(const Fact& fact) {
  if (fact.value > 0) events_.push_back(fact);
}

std::string Causes::Before(GroupIndex group, Instant time) const {
  const Subjects& subjects = whole_.subjects();
  const OwnershipMeasure::Event* change = nullptr;
  for (size_t g = 0; g < subjects.groups().size(); ++g) {
    if (group != kNoSubject && static_cast<GroupIndex>(g) != group) continue;
    for (const OwnershipMeasure::Event& event :
         whole_.ownership(static_cast<GroupIndex>(g)).events()) {
      if (event.time > time) break;
      if (change == nullptr || event.time >= change->time) change = &event;
    }
  }
  const Fact* last = nullptr;
  for (const Fact& event : events_) {
    if (event.time <= time) last = &event;
  }
  if (last != nullptr && (change == nullptr || change->time < last->time) &&
      last->count < scenario_.at_size()) {
    return absl::StrCat(
        "after ", EventInWords(scenario_.at(static_cast<int>(last->count))),
        " at ", ToString(last->time));
  }
  if (change == nullptr) return "";
  return absl::StrCat(
      "after ",
      subjects.consumers()[static_cast<size_t>(change->consumer)]
          .process.text(),
      " ", DescribeChange(change->cause), " at ", ToString(change->time));
}

}  // namespace groupsim
