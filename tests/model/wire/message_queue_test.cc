#include "model/wire/message_queue.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "gtest/gtest.h"
#include "model/base/name.h"

namespace groupsim {
namespace {

class MessageQueueTest : public testing::Test {
 protected:
  MessageQueue Queue(const char* topic, const char* broker, int32_t id) {
    MessageQueue queue;
    queue.topic = names_.Intern(topic);
    queue.broker = names_.Intern(broker);
    queue.queue_id = id;
    return queue;
  }
  NameTable names_;
};

TEST_F(MessageQueueTest, OrderIsByTopicThenBrokerThenNumber) {
  // Interned in another order than they sort in.
  const std::vector<MessageQueue> in_order = {
      Queue("a", "broker-a", 0),  Queue("a", "broker-a", 2),
      Queue("a", "broker-a", 10), Queue("a", "broker-b", 0),
      Queue("b", "broker-a", 0),  Queue("b", "broker-a-1", 0)};
  std::vector<MessageQueue> shuffled(in_order.rbegin(), in_order.rend());
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, in_order);
}

TEST_F(MessageQueueTest, NumbersFarApartWrapAsUpstreamsDifferenceDoes) {
  const int32_t max = std::numeric_limits<int32_t>::max();
  EXPECT_LT(Queue("a", "b", max), Queue("a", "b", -2));
  EXPECT_LT(Queue("a", "b", -1), Queue("a", "b", 0));
}

TEST_F(MessageQueueTest, EqualityIsOfAllThreeFields) {
  EXPECT_EQ(Queue("a", "b", 1), Queue("a", "b", 1));
  EXPECT_NE(Queue("a", "b", 1), Queue("x", "b", 1));
  EXPECT_NE(Queue("a", "b", 1), Queue("a", "x", 1));
  EXPECT_NE(Queue("a", "b", 1), Queue("a", "b", 2));
}

TEST_F(MessageQueueTest, TheHashSeesAllThreeFields) {
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {Queue("a", "b", 1), Queue("x", "b", 1), Queue("a", "x", 1),
       Queue("a", "b", 2), MessageQueue()}));
}

TEST_F(MessageQueueTest, ItsTextIsUpstreams) {
  EXPECT_EQ(ToString(Queue("orders", "broker-a", 3)),
            "MessageQueue [topic=orders, brokerName=broker-a, queueId=3]");
}

}  // namespace
}  // namespace groupsim
