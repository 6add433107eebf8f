// Answers that come when the queue has moved on.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "tests/model/client/one_queue_test.h"
#include "tests/model/client/scripted_cluster.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using StaleAnswersTest = OneQueueTest;

// The queue is another's since 3 s, when its offset was sent. The pull that was
// held all the while is answered that its offset is illegal: the former owner
// stores the broker's, as if the queue were still its own.
TEST_F(StaleAnswersTest, AnIllegalOffsetOfALostQueueOverwritesTheHeirsOffset) {
  Begin();
  cluster_.At(3s, [&] {
    // Two members and one queue: it goes to the first.
    cluster_.extra_members = {"a@1"};
    cluster_.Notify("b1");
  });
  AnswerAt(6s, ScriptedCluster::NotFound(50, ResponseCode::kPullOffsetMoved));
  cluster_.RunUntil(5s);
  ASSERT_TRUE(cluster_.consumer->owned().all().empty());
  cluster_.RunUntil(9s);
  EXPECT_THAT(cluster_.RequestsWith({"UPDATE_CONSUMER_OFFSET"}),
              ElementsAre("3002 b1 UPDATE_CONSUMER_OFFSET b1#0 = 0",
                          "6001 b1 UPDATE_CONSUMER_OFFSET b1#0 = 50"));
}

// Messages that come too late are neither cached nor consumed.
TEST_F(StaleAnswersTest, MessagesOfALostQueueAreLeftAlone) {
  Begin();
  cluster_.At(3s, [&] {
    cluster_.extra_members = {"a@1"};
    cluster_.Notify("b1");
  });
  FoundAt(6s, 0, 5);
  cluster_.RunUntil(9s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::DELIVERED}), IsEmpty());
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}), IsEmpty());
}

}  // namespace
}  // namespace groupsim
