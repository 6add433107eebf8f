// Consumers of a broadcasting group, brokers and a producer together.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/client/consumer_disk.h"
#include "model/facts/fact.h"
#include "model/wire/subscription.h"
#include "sim/trace/trace.h"
#include "tests/support/story.h"

namespace groupsim {
namespace {

using ::testing::SizeIs;

// A story of broadcasting consumers, and what each of them was given.
class BroadcastingStory final : private FactObserver {
 public:
  BroadcastingStory(StorySpec spec, int consumers) : story(spec) {
    story.consumer_config().message_model = MessageModel::kBroadcasting;
    for (int i = 0; i < consumers; ++i) story.AddConsumer();
    story.world().trace().Observe(FactKind::DELIVERED, this);
  }

  // Different messages that a consumer was given.
  int64_t Distinct(absl::string_view consumer) {
    return static_cast<int64_t>(given_[story.name(consumer).id()].size());
  }
  // Those that it was given more than once.
  int64_t Again(absl::string_view consumer) {
    const auto& all = given_[story.name(consumer).id()];
    return std::count_if(all.begin(), all.end(), [](const auto& message) {
      return message.second > 1;
    });
  }

  Story story;

 private:
  void OnFact(const Fact& fact) override {
    ++given_[fact.host][{fact.broker, fact.queue, fact.offset}];
  }

  using Message = std::tuple<uint32_t, uint32_t, int64_t>;
  std::map<uint32_t, std::map<Message, int>> given_;  // By process.
};

TEST(BroadcastingStory, EveryMemberIsGivenEverything) {
  BroadcastingStory told({.brokers = 2, .queues = 4}, 3);
  for (const char* name : {"c-1", "c-2", "c-3"}) told.story.At(1s).Start(name);
  told.story.At(30s).StopTraffic();
  told.story.RunFor(40s);
  for (const char* name : {"c-1", "c-2", "c-3"}) {
    EXPECT_EQ(told.Distinct(name), told.story.stored()) << name;
    EXPECT_EQ(told.Again(name), 0) << name;
    EXPECT_THAT(told.story.queues_of(name), SizeIs(8)) << name;
  }
  // Nobody is told of the others, and nobody asks.
  EXPECT_EQ(told.story.CountOf(FactKind::NOTICE_RECEIVED), 0);
  EXPECT_EQ(told.story.CountOf(FactKind::ALLOCATED), 0);
}

TEST(BroadcastingStory, ACrashRepeatsWhatWasNotInTheFile) {
  BroadcastingStory told({.brokers = 1, .queues = 4}, 2);
  told.story.At(1s).Start("c-1").Start("c-2");
  // Offsets are written 10 s, 15 s, 20 s after the start.
  told.story.At(24s).Crash("c-1");
  told.story.At(30s).Start("c-1");
  told.story.At(40s).StopTraffic();
  told.story.RunFor(50s);
  EXPECT_EQ(told.Distinct("c-1"), told.story.stored());
  EXPECT_GE(told.Again("c-1"), 295);
  EXPECT_LE(told.Again("c-1"), 305);
  EXPECT_EQ(told.Again("c-2"), 0);
}

TEST(BroadcastingStory, AGracefulStopRepeatsNothing) {
  BroadcastingStory told({.brokers = 1, .queues = 4}, 1);
  told.story.At(1s).Start("c-1");
  told.story.At(24s).Stop("c-1");
  told.story.At(30s).Start("c-1");
  told.story.At(40s).StopTraffic();
  told.story.RunFor(50s);
  EXPECT_EQ(told.Distinct("c-1"), told.story.stored());
  EXPECT_LE(told.Again("c-1"), 4);  // In listeners at that moment.
}

TEST(BroadcastingStory, WhoCrashesBeforeItFirstWritesMissesWhatCameMeanwhile) {
  BroadcastingStory told({.brokers = 1,
                          .queues = 4,
                          .consume_from_where = ConsumeFromWhere::kLastOffset},
                         1);
  told.story.At(1s).Start("c-1");
  told.story.At(8s).Crash("c-1");
  told.story.At(12s).Start("c-1");
  told.story.At(30s).StopTraffic();
  told.story.RunFor(40s);
  // From the crash to the first rebalance of the next process, five seconds.
  const int64_t missed = told.story.stored() - told.Distinct("c-1");
  EXPECT_GE(missed, 495);
  EXPECT_LE(missed, 510);
  EXPECT_EQ(told.Again("c-1"), 0);
}

TEST(BroadcastingStory, OrderlyMembersDoNotWaitForEachOther) {
  BroadcastingStory told({.brokers = 1, .queues = 2}, 3);
  told.story.consumer_config().orderly = true;
  told.story.AddConsumer();
  told.story.AddConsumer();
  told.story.At(1s).Start("c-4").Start("c-5");
  told.story.At(90s).StopTraffic();
  told.story.RunFor(100s);
  EXPECT_EQ(told.Distinct("c-4"), told.story.stored());
  EXPECT_EQ(told.Distinct("c-5"), told.story.stored());
  EXPECT_EQ(told.story.CountOf(FactKind::LOCK_GRANTED), 0);
  EXPECT_EQ(told.story.CountOf(FactKind::LOCK_LOST), 0);
}

// The fault of releases before 5.2.0 was that they left it.
TEST(BroadcastingStory, OffsetsOfABrokerThatIsOutOfSightStayInTheFile) {
  BroadcastingStory told({.brokers = 2,
                          .queues = 1,
                          .consume_from_where = ConsumeFromWhere::kLastOffset},
                         1);
  told.story.At(1s).Start("c-1");
  told.story.At(30s).Stop("b-2");
  // Without it the route has one queue, and the other one is given up.
  told.story.RunUntil(100s);
  ASSERT_THAT(told.story.queues_of("c-1"), SizeIs(1));
  const OffsetFiles& files = told.story.offset_files("c-1");
  EXPECT_THAT(files.file->offsets, SizeIs(2));
  told.story.At(100s).Start("b-2");
  told.story.At(200s).StopTraffic();
  told.story.RunFor(110s);
  EXPECT_EQ(told.Again("c-1"), 0);
  EXPECT_THAT(told.story.queues_of("c-1"), SizeIs(2));
}

}  // namespace
}  // namespace groupsim
