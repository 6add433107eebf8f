// Scenarios for tests, as short as their titles.
//
//   Story story({.brokers = 1, .queues = 8, .consumers = 3, .seed = 7});
//   story.At(10s).Crash("c-1");
//   story.RunFor(60s);
//   EXPECT_EQ(story.lost(), 0);
//
// A story has a name server n-1, brokers b-1, b-2, …, a producer p-1 and
// consumers c-1, c-2, … of one group "group" on one topic "topic". Name server
// and brokers start at once, producer and consumers after one second, traffic
// after three. Without brokers it is an empty world for processes of its own.
#ifndef GROUPSIM_TESTS_SUPPORT_STORY_H_
#define GROUPSIM_TESTS_SUPPORT_STORY_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/broker/broker.h"
#include "model/broker/broker_disk.h"
#include "model/broker/settings.h"
#include "model/client/consumer_disk.h"
#include "model/client/producer.h"
#include "model/client/push_consumer.h"
#include "model/client/settings.h"
#include "model/facts/fact.h"
#include "model/namesrv/settings.h"
#include "model/wire/subscription.h"
#include "sim/host/listener_behaviour.h"
#include "sim/host/world.h"
#include "sim/random/distribution.h"
#include "tests/support/lambda_process.h"
#include "tests/support/story_measures.h"

namespace groupsim {

struct StorySpec {
  int brokers = 0;
  int queues = 4;  // On each broker.
  int consumers = 0;
  int messages_per_second = 100;  // Evenly spaced; 0 for no traffic.
  uint64_t seed = 1;
  bool shuffle_ties = false;
  Duration latency = 250us;     // One way, between any two hosts.
  Duration service_time = 1ms;  // Of each listener call.
  ConsumeFromWhere consume_from_where = ConsumeFromWhere::kFirstOffset;
  PushConsumerSettings consumer = {};
  ClientSettings client = {};
  ProducerSettings producer = {};
  BrokerSettings broker = {};
  NameServerSettings name_server = {};
};

class Story {
 public:
  explicit Story(const StorySpec& spec);
  ~Story();
  Story(const Story&) = delete;
  Story& operator=(const Story&) = delete;

  // What happens at one time, in this order. Processes are given by name.
  class Moment {
   public:
    Moment& Start(absl::string_view process);
    Moment& Stop(absl::string_view process);
    Moment& Crash(absl::string_view process);
    Moment& Vanish(absl::string_view process);
    // Stops the process and starts it again once it is gone.
    Moment& Restart(absl::string_view process);
    Moment& StopTraffic();
    Moment& Do(std::function<void()> action);

   private:
    friend class Story;
    Moment(Story& story, Instant when) : story_(story), when_(when) {}
    Story& story_;
    const Instant when_;
  };
  // `when` counts from the start of the story.
  Moment At(Duration when) { return Moment(*this, Instant::Start() + when); }

  // Adds a process of the test's own, to be started by At or Start, listening
  // at "NAME:1" if it likes.
  Host& Add(const std::string& name,
            std::function<std::unique_ptr<Process>(Env&)> factory);
  Host& Add(const std::string& name, LambdaProcess::Step start) {
    return Add(name, MakeLambdaProcess(std::move(start)));
  }
  // Adds a consumer beyond those of the beginning: c-4 after c-3.
  Host& AddConsumer();
  // Another consumer than the usual one, for those added from now on.
  PushConsumerConfig& consumer_config() { return consumer_config_; }
  // Instead of the plain service time. Asked by every consumer.
  void SetListener(std::function<ListenerPlan(const ListenerCall&)> plan);

  // Runs on; a livelock is a failure of the test.
  void RunFor(Duration length);
  void RunUntil(Duration when);

  // ---- What happened so far ----

  int64_t stored() const { return measures_->stored(); }
  int64_t delivered() const { return measures_->delivered(); }
  int64_t lost() const { return measures_->lost(); }
  int64_t skipped() const { return measures_->skipped(); }
  int64_t duplicates() const { return measures_->duplicates(); }
  // In queue time: two queues without an owner for a second make two seconds.
  Duration unowned() const { return measures_->unowned(world_.now()); }
  Duration owned_twice() const { return measures_->owned_twice(world_.now()); }
  int64_t CountOf(FactKind kind) {
    return static_cast<int64_t>(world_.trace().CountOf(kind));
  }

  // ---- How it stands ----

  // The queues of a consumer, as "b-1#0", in the order of brokers and numbers.
  std::vector<std::string> queues_of(absl::string_view consumer);
  // How many queues have an owner.
  int64_t queues_owned() const { return measures_->queues_owned(); }

  World& world() { return world_; }
  Host& host(absl::string_view name);
  // The process of that name; null while none is alive.
  PushConsumer* consumer(absl::string_view name);
  Broker* broker(absl::string_view name);
  Producer* producer();
  BrokerDisk& disk(absl::string_view broker);
  // Where a consumer of a broadcasting group keeps its offsets.
  OffsetFiles& offset_files(absl::string_view consumer);
  Name name(absl::string_view text);
  MessageQueue queue(absl::string_view broker, int32_t queue_id);

 private:
  class Listener;

  void AddCluster();
  void AddBroker(int number);
  void AddProducer();
  void SendNext();

  static WorldOptions WorldOptionsOf(const StorySpec& spec);

  const StorySpec spec_;
  std::unique_ptr<Listener> listener_;
  std::deque<BrokerDisk> disks_;             // By broker.
  std::deque<ConsumerDisk> consumer_disks_;  // By consumer.
  std::optional<StoryMeasures> measures_;
  // The last process of each name.
  absl::flat_hash_map<std::string, PushConsumer*> consumer_processes_;
  absl::flat_hash_map<std::string, Broker*> broker_processes_;
  Producer* producer_process_ = nullptr;
  World world_;  // Its processes use what stands before.

  const Name topic_;
  const Name group_;
  std::vector<Name> name_servers_;
  PushConsumerConfig consumer_config_;
  int consumers_ = 0;
  bool traffic_ = true;
  uint64_t sent_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SUPPORT_STORY_H_
