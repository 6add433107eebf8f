// Stories of consumers whose applications pull, with brokers and a producer.
#ifndef GROUPSIM_TESTS_MODEL_CLIENT_APPLICATION_STORY_H_
#define GROUPSIM_TESTS_MODEL_CLIENT_APPLICATION_STORY_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "model/client/producer.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/wire/subscription.h"
#include "sim/host/host.h"
#include "sim/trace/trace.h"
#include "tests/support/story.h"

namespace groupsim {

// Seconds since the start of the story.
inline double At(const Fact& fact) {
  return static_cast<double>(fact.time.since_start().nanos()) / 1e9;
}

// Has the producer of a story send one message now.
inline void SendTagged(Story& story, absl::string_view tag) {
  OutgoingMessage message;
  message.topic = story.name("topic");
  message.body_size = 100;
  message.scheduled = story.world().now();
  if (!tag.empty()) message.tag = story.name(tag);
  story.producer()->Send(message);
}

// `Consumer` is made of an Env and a `Config`.
template <class Consumer, class Config>
class ApplicationStory final : private FactObserver {
 public:
  explicit ApplicationStory(const StorySpec& spec) : story(spec) {
    config.group = story.name("group");
    config.name_servers = {story.name("n-1:9876")};
    config.topics = {{story.name("topic")}};
    if constexpr (requires { config.consume_from_where; }) {
      config.consume_from_where = ConsumeFromWhere::kFirstOffset;
    }
    story.world().trace().ObserveAll(this);
  }

  // Adds one that is configured as `config` says now.
  Host& Add(const std::string& name) {
    return story.Add(name, [this, name, config = config](Env& env) {
      auto made = std::make_unique<Consumer>(env, config);
      processes_[name] = made.get();
      if (scope_ == nullptr) scope_ = std::make_unique<TaskScope>(env.ready());
      return made;
    });
  }
  // The last one made.
  Consumer& consumer(const std::string& name) { return *processes_.at(name); }
  // Runs a task of the test's in a story.
  void Spawn(Task<void> task) { scope_->Spawn(std::move(task)); }

  std::vector<Fact> Of(FactKind kind, absl::string_view host = "") {
    std::vector<Fact> result;
    const uint32_t topic = story.name("topic").id();
    for (const Fact& fact : facts_) {
      if (fact.kind == kind && (fact.topic == 0 || fact.topic == topic) &&
          (host.empty() || fact.host == story.name(host).id())) {
        result.push_back(fact);
      }
    }
    return result;
  }
  // How often each message that was given away was so.
  std::vector<int> Deliveries() {
    std::map<std::tuple<uint32_t, uint32_t, int64_t>, int> given;
    for (const Fact& fact : Of(FactKind::DELIVERED)) {
      ++given[{fact.broker, fact.queue, fact.offset}];
    }
    std::vector<int> times;
    for (const auto& [message, count] : given) times.push_back(count);
    return times;
  }
  int64_t Distinct() { return static_cast<int64_t>(Deliveries().size()); }
  int64_t Again() {
    const std::vector<int> times = Deliveries();
    return std::count_if(times.begin(), times.end(),
                         [](int count) { return count > 1; });
  }

  Story story;
  Config config;

 private:
  void OnFact(const Fact& fact) override { facts_.push_back(fact); }

  std::vector<Fact> facts_;
  std::map<std::string, Consumer*> processes_;
  std::unique_ptr<TaskScope> scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_MODEL_CLIENT_APPLICATION_STORY_H_
