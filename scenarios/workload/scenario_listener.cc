#include "scenarios/workload/scenario_listener.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/wire/message.h"
#include "sim/random/philox.h"
#include "sim/random/stream.h"

namespace groupsim {

namespace {

// Of one call: longer than any run.
constexpr Duration kLongest = Duration::Seconds(int64_t{100} * 365 * 86'400);

}  // namespace

bool ScenarioListener::Selection::Has(const MessageOrigin& first_copy) const {
  if (!topic.empty() && topic != first_copy.topic) return false;
  if (!offsets.empty() && !offsets.contains(first_copy.offset)) return false;
  return queues.empty() ||
         std::any_of(queues.begin(), queues.end(), [&](const Queues& range) {
           return range.broker.id() == first_copy.broker &&
                  first_copy.queue >= range.first &&
                  first_copy.queue <= range.last;
         });
}

void ScenarioListener::ApplyHangs(const ListenerCall& call,
                                  ListenerPlan& plan) {
  std::optional<Duration> longest;
  for (size_t i = 0; i < description_.hangs.size(); ++i) {
    const Hang& hang = description_.hangs[i];
    for (const Message& message : call.messages) {
      const MessageOrigin first = FirstCopyOf(message, call.queue);
      if (!hang.messages.Has(first)) continue;
      if (hang.times.has_value()) {
        int64_t& times = hung_[i][first];
        if (times >= *hang.times) continue;
        ++times;
      }
      if (!hang.lasts.has_value()) plan.hangs = true;
      if (hang.lasts.has_value()) {
        longest = std::max(longest.value_or(*hang.lasts), *hang.lasts);
      }
    }
  }
  if (longest.has_value()) plan.service_time = *longest;
}

bool ScenarioListener::Draw(const Chance& chance,
                            const MessageOrigin& message) {
  if (chance.per_mille >= 1'000) return true;
  const std::tuple place{chance.failure, message.topic, message.broker};
  auto key = keys_.find(place);
  if (key == keys_.end()) {
    CHECK(description_.names != nullptr);
    const std::string purpose = absl::StrCat(
        "listener failure ", chance.failure, " ", message.topic.text(), " ",
        description_.names->FromId(message.broker).text());
    key = keys_
              .emplace(place, StreamKey::For(description_.seed,
                                             description_.drawer, purpose))
              .first;
  }
  const uint64_t low = key->second.low;
  const PhiloxCounter drawn = Philox4x32(
      {message.offset, message.queue, chance.attempt, 0},
      {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32)});
  return static_cast<int64_t>(uint64_t{drawn[0]} * 1'000 >> 32) <
         chance.per_mille;
}

int64_t ScenarioListener::AttemptsOf(const Message& message,
                                     const MessageOrigin& first) const {
  const auto rolled_back = rolled_back_.find(first);
  return message.reconsume_times +
         (rolled_back == rolled_back_.end() ? 0 : rolled_back->second);
}

bool ScenarioListener::Fails(size_t number, const Message& message,
                             const MessageQueue& queue) {
  const Failure& failure = description_.failures[number];
  if (failure.tag.has_value() && *failure.tag != message.tag) return false;
  if (!failure.keys.empty() && !failure.keys.contains(message.key)) {
    return false;
  }
  const MessageOrigin first = FirstCopyOf(message, queue);
  if (!failure.messages.Has(first)) return false;
  const int64_t attempts = AttemptsOf(message, first);
  if (attempts >= failure.times) return false;
  // An attempt that no message reaches, for what all attempts have in common.
  constexpr uint32_t kAllAttempts = UINT32_MAX;
  const bool chosen =
      Draw({number, failure.per_mille_of_messages, kAllAttempts}, first);
  if (!chosen) return false;
  const auto attempt = static_cast<uint32_t>(attempts);
  return Draw({number, failure.per_mille, attempt}, first);
}

void ScenarioListener::ApplyFailures(const ListenerCall& call,
                                     ListenerPlan& plan) {
  for (size_t i = 0; i < description_.failures.size(); ++i) {
    const Failure& failure = description_.failures[i];
    const bool fails = std::any_of(
        call.messages.begin(), call.messages.end(),
        [&](const Message& message) { return Fails(i, message, call.queue); });
    if (!fails) continue;
    plan.result = failure.result;
    if (failure.hangs) plan.hangs = true;
    if (failure.result.status == ConsumeStatus::kRollback) {
      for (const Message& message : call.messages) {
        ++rolled_back_[FirstCopyOf(message, call.queue)];
      }
    }
    if (failure.lasts.has_value()) plan.service_time = *failure.lasts;
    return;
  }
}

ListenerPlan ScenarioListener::Plan(const ListenerCall& call,
                                    RandomStream& draws) {
  ListenerPlan plan;
  // Drawn in any case, so that a hang moves no other call's time.
  __int128 nanos = description_.service_time.Sample(draws);
  if (description_.time_per_message.has_value()) {
    for (size_t i = 0; i < call.messages.size(); ++i) {
      nanos += description_.time_per_message->Sample(draws);
    }
  }
  nanos = nanos * description_.time_per_cent / 100;
  plan.service_time = Duration::Nanos(
      static_cast<int64_t>(std::min<__int128>(nanos, kLongest.nanos())));
  if (!description_.failures.empty()) ApplyFailures(call, plan);
  plan.result.auto_commit = description_.auto_commit;
  plan.result.body_size = description_.leaves_body_size;
  if (description_.fails_when_interrupted) {
    plan.when_interrupted.emplace();
    plan.when_interrupted->status = ConsumeStatus::kException;
    plan.when_interrupted->auto_commit = description_.auto_commit;
  }
  if (!description_.hangs.empty()) ApplyHangs(call, plan);
  return plan;
}

}  // namespace groupsim
