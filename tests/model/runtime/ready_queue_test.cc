#include "model/runtime/ready_queue.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace groupsim {
namespace {

class Node final : public ReadyNode {
 public:
  explicit Node(std::function<void()> run) : run_(std::move(run)) {}
  void RunReady() override { run_(); }

 private:
  std::function<void()> run_;
};

TEST(ReadyQueueTest, RunsNodesInTheOrderPostedAlsoThosePostedMeanwhile) {
  ReadyQueue queue;
  std::vector<int> order;
  Node third([&] { order.push_back(3); });
  Node first([&] {
    order.push_back(1);
    queue.Post(third);
  });
  Node second([&] { order.push_back(2); });
  queue.Post(first);
  queue.Post(second);
  EXPECT_TRUE(order.empty());
  queue.Drain();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(queue.empty());
}

TEST(ReadyQueueTest, ANodeMayPostItselfAgain) {
  ReadyQueue queue;
  int runs = 0;
  Node node([&] {
    if (++runs < 5) queue.Post(node);
  });
  queue.Post(node);
  queue.Drain();
  EXPECT_EQ(runs, 5);
}

TEST(ReadyQueueTest, ANodeThatDiesDoesNotRun) {
  ReadyQueue queue;
  int runs = 0;
  auto doomed = std::make_unique<Node>([&] { ++runs; });
  Node killer([&] { doomed = nullptr; });
  queue.Post(killer);
  queue.Post(*doomed);
  EXPECT_TRUE(doomed->queued());
  queue.Drain();
  EXPECT_EQ(runs, 0);
}

TEST(ReadyQueueTest, AQueueThatDiesLetsItsNodesGo) {
  Node node([] {});
  {
    ReadyQueue queue;
    queue.Post(node);
  }
  EXPECT_FALSE(node.queued());
}

}  // namespace
}  // namespace groupsim
