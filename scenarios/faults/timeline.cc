#include "scenarios/faults/timeline.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "model/facts/fact.h"
#include "scenarios/reader/values.h"

namespace groupsim {

void Timeline::WhenFirst(absl::string_view name,
                         absl::AnyInvocable<void(Instant)> call) {
  CHECK(!name.empty());
  listeners_.emplace_back(std::string(name), std::move(call));
}

void Timeline::Add(Plan plan) {
  const size_t number = entries_.size();
  const Entry& entry = entries_.emplace_back(std::move(plan));
  const When& when = entry.plan.when;
  if (const auto* once = std::get_if<Once>(&when)) {
    world_.At(once->time, [this, number] { Run(number); });
  } else if (const auto* periodic = std::get_if<Periodic>(&when)) {
    CHECK(periodic->every > Duration::Zero());
    Next(number, *periodic, periodic->from);
  } else {
    lookouts_.push_back(std::make_unique<Lookout>(*this, number));
    world_.trace().Observe(std::get<AfterFact>(when).filter.kind(),
                           lookouts_.back().get());
  }
}

void Timeline::OnFact(size_t number, const Fact& fact) {
  Entry& entry = entries_[number];
  const AfterFact& when = std::get<AfterFact>(entry.plan.when);
  if (entry.facts_seen >= when.times || fact.time < when.from) return;
  if (!when.filter.Matches(fact)) return;
  if (++entry.facts_seen < when.times) return;
  world_.After(when.plus, [this, number] { Run(number); });
}

void Timeline::Next(size_t number, const Periodic& when, Instant time) {
  if (time > when.until) return;
  world_.At(time, [this, number, &when, time] {
    Next(number, when, time + when.every);
    Run(number);
  });
}

void Timeline::Run(size_t number) {
  Entry& entry = entries_[number];
  ++entry.times;
  if (!entry.first.has_value()) {
    entry.first = world_.now();
    for (auto& [name, call] : listeners_) {
      if (name == entry.plan.name) call(world_.now());
    }
  }
  const int64_t hits = entry.plan.action->Apply();
  entry.subjects += hits;
  Fact fact;
  fact.kind = FactKind::TIMELINE_EVENT;
  fact.count = static_cast<int64_t>(number);
  fact.value = hits;
  world_.trace().Emit(fact);
  if (!entry.plan.lasts.has_value()) return;
  // Done again meanwhile, it lasts from then.
  world_.After(*entry.plan.lasts, [&entry, time = entry.times] {
    if (entry.times == time) entry.plan.action->Undo();
  });
}

std::optional<Instant> Timeline::FirstTimeOf(absl::string_view name) const {
  for (const Entry& entry : entries_) {
    if (!name.empty() && entry.plan.name == name) return entry.first;
  }
  return std::nullopt;
}

std::string DescribeWhen(const Timeline::When& when) {
  if (const auto* once = std::get_if<Timeline::Once>(&when)) {
    return absl::StrCat("at ", ToString(once->time));
  }
  if (const auto* periodic = std::get_if<Timeline::Periodic>(&when)) {
    return absl::StrCat("every ", FormatDuration(periodic->every), " from ",
                        ToString(periodic->from));
  }
  const auto& after = std::get<Timeline::AfterFact>(when);
  std::string text;
  if (after.plus > Duration::Zero()) {
    absl::StrAppend(&text, FormatDuration(after.plus), " ");
  }
  absl::StrAppend(&text, "after ");
  if (after.times > 1) absl::StrAppend(&text, after.times, " times ");
  absl::StrAppend(&text, after.filter.text());
  return text;
}

std::string WhyVacuous(const Timeline::Entry& entry) {
  if (entry.subjects > 0) return "";
  if (entry.times > 0) {
    return "hit nothing in a state that it concerns";
  }
  if (const auto* after = std::get_if<Timeline::AfterFact>(&entry.plan.when)) {
    if (entry.facts_seen >= after->times) {
      return "would have come after the end of the run";
    }
    return absl::StrCat("never came: the fact was seen ", entry.facts_seen,
                        " of ", after->times, " times");
  }
  return "lies after the end of the run";
}

}  // namespace groupsim
