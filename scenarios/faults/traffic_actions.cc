#include "scenarios/faults/traffic_actions.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "scenarios/faults/process_actions.h"
#include "scenarios/reader/rates.h"
#include "scenarios/workload/from_schema.h"

namespace groupsim {
namespace {

template <class Part>
std::string NamesOf(const std::vector<Part*>& parts) {
  return absl::StrJoin(parts, ", ", [](std::string* out, const Part* part) {
    absl::StrAppend(out, part->host->name().text());
  });
}

template <class Names>
std::vector<Cast::ConsumerPart*> ConsumersNamed(const Names& names,
                                                Cast& cast) {
  std::vector<Cast::ConsumerPart*> consumers;
  for (const std::string& name : names) {
    consumers.push_back(&cast.ConsumerNamed(name));
  }
  return consumers;
}

}  // namespace

std::unique_ptr<TimelineAction> MakeTrafficAction(const schema::Event& event,
                                                  Cast& cast) {
  switch (event.action_case()) {
    case schema::Event::kChangeRate:
      return std::make_unique<ChangeRateAction>(event.change_rate(), cast);
    case schema::Event::kChangeListener:
      return std::make_unique<ChangeListenerAction>(event.change_listener(),
                                                    cast);
    case schema::Event::kChangeSubscription:
      return std::make_unique<ChangeSubscriptionAction>(
          event.change_subscription(), cast);
    case schema::Event::kSuspendConsumer:
      return std::make_unique<SuspendAction>(
          SuspendAction::Kind::kSuspend,
          ConsumersNamed(event.suspend_consumer().consumer(), cast));
    case schema::Event::kResumeConsumer:
      return std::make_unique<SuspendAction>(
          SuspendAction::Kind::kResume,
          ConsumersNamed(event.resume_consumer().consumer(), cast));
    default:
      return nullptr;
  }
}

ChangeRateAction::ChangeRateAction(const schema::ChangeRate& change, Cast& cast)
    : rate_(change.rate()) {
  for (const std::string& name : change.producer()) {
    producers_.push_back(&cast.ProducerNamed(name));
  }
  if (producers_.empty()) {
    for (Cast::ProducerPart& part : cast.producers()) {
      producers_.push_back(&part);
    }
  }
}

std::string ChangeRateAction::Describe() const {
  return absl::StrCat("change rate of ", NamesOf(producers_));
}

int64_t ChangeRateAction::Apply() {
  int64_t hits = 0;
  for (Cast::ProducerPart* part : producers_) {
    if (!part->workload->has_next()) continue;
    ArrivalPlan plan = part->workload->Rest();
    ApplyRate(rate_, plan);
    part->workload->ChangeRate(plan);
    ++hits;
  }
  return hits;
}

ChangeListenerAction::ChangeListenerAction(const schema::ChangeListener& change,
                                           Cast& cast)
    : consumers_(ConsumersNamed(change.consumer(), cast)) {
  ListenerDraws draws{change.group(), cast.world().seed()};
  if (!consumers_.empty()) draws.drawer = consumers_[0]->group.text();
  listener_ = MakeListener(change.listener(), draws, cast.world().names());
  text_ = NamesOf(consumers_);
  if (!consumers_.empty()) return;
  for (Cast::ConsumerPart& part : cast.consumers()) {
    if (!change.has_group() || part.group.text() == change.group()) {
      consumers_.push_back(&part);
    }
  }
  text_ = change.has_group() ? absl::StrCat("group ", change.group())
                             : "all consumers";
}

std::string ChangeListenerAction::Describe() const {
  return absl::StrCat("change listener of ", text_);
}

int64_t ChangeListenerAction::Apply() {
  int64_t hits = 0;
  for (Cast::ConsumerPart* part : consumers_) {
    part->listener.Replace(listener_.get());
    if (part->host->alive()) ++hits;
  }
  return hits;
}

void ChangeListenerAction::Undo() {
  for (Cast::ConsumerPart* part : consumers_) {
    part->listener.Restore(listener_.get());
  }
}

ChangeSubscriptionAction::ChangeSubscriptionAction(
    const schema::ChangeSubscription& change, Cast& cast)
    : consumers_(ConsumersNamed(change.consumer(), cast)) {
  NameTable& names = cast.world().names();
  for (const schema::Subscription& subscription : change.subscribe()) {
    const std::string& expression = subscription.expression();
    subscribe_.push_back({names.Intern(subscription.topic()),
                          expression.empty() ? "*" : expression});
  }
  for (const std::string& topic : change.unsubscribe()) {
    unsubscribe_.push_back(names.Intern(topic));
  }
}

std::string ChangeSubscriptionAction::Describe() const {
  return absl::StrCat("change subscription of ", NamesOf(consumers_));
}

bool ChangeSubscriptionAction::Changes(const PushConsumer& consumer) const {
  return std::any_of(subscribe_.begin(), subscribe_.end(),
                     [&consumer](const Subscription& wanted) {
                       const SubscriptionData* const now =
                           consumer.FindSubscription(wanted.topic);
                       return now == nullptr ||
                              now->expression != wanted.expression;
                     }) ||
         std::any_of(unsubscribe_.begin(), unsubscribe_.end(),
                     [&consumer](Name topic) {
                       return consumer.FindSubscription(topic) != nullptr;
                     });
}

int64_t ChangeSubscriptionAction::Apply() {
  int64_t hits = 0;
  for (Cast::ConsumerPart* part : consumers_) {
    if (!Runs(*part->host)) continue;
    CHECK(part->process != nullptr) << "no push consumer";
    if (Changes(*part->process)) ++hits;
    part->host->WhenAwake([this, part] {
      if (!Runs(*part->host)) return;
      for (const Name topic : unsubscribe_) part->process->Unsubscribe(topic);
      for (const Subscription& wanted : subscribe_) {
        part->process->Subscribe(wanted.topic, wanted.expression);
      }
    });
  }
  return hits;
}

SuspendAction::SuspendAction(Kind kind,
                             std::vector<Cast::ConsumerPart*> consumers)
    : kind_(kind), consumers_(std::move(consumers)) {}

std::string SuspendAction::Describe() const {
  return absl::StrCat(kind_ == Kind::kSuspend ? "suspend " : "resume ",
                      NamesOf(consumers_));
}

int64_t SuspendAction::Apply() { return Set(kind_ == Kind::kSuspend); }

void SuspendAction::Undo() { Set(kind_ != Kind::kSuspend); }

int64_t SuspendAction::Set(bool suspended) {
  int64_t hits = 0;
  for (Cast::ConsumerPart* part : consumers_) {
    if (!Runs(*part->host)) continue;
    CHECK(part->process != nullptr) << "no push consumer";
    if (part->process->suspended() != suspended) ++hits;
    // A frozen one may have heard otherwise by the time it hears this.
    part->host->WhenAwake([part, suspended] {
      PushConsumer& consumer = *part->process;
      if (!Runs(*part->host) || consumer.suspended() == suspended) return;
      if (suspended) {
        consumer.Suspend();
      } else {
        consumer.Resume();
      }
    });
  }
  return hits;
}

}  // namespace groupsim
