// One consumer and one queue, against brokers that answer as they are told.
#ifndef GROUPSIM_TESTS_MODEL_CLIENT_ONE_QUEUE_TEST_H_
#define GROUPSIM_TESTS_MODEL_CLIENT_ONE_QUEUE_TEST_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/runtime/listener_executor.h"
#include "model/wire/command.h"
#include "tests/model/client/scripted_cluster.h"

namespace groupsim {

class OneQueueTest : public ::testing::Test {
 protected:
  // The queue "b1#0", from offset 0, whose pull is held since about 1.5 s;
  // nothing is written down so far.
  void Begin() {
    cluster_.stored_offsets["b1#0"] = 0;
    cluster_.AddConsumer().Start();
    cluster_.RunUntil(1900ms);
    cluster_.requests.clear();
    cluster_.facts.clear();
  }
  // Answers the pull that is held at that time.
  void AnswerAt(Duration when, Reply reply) {
    cluster_.At(when, [this, reply] {
      EXPECT_TRUE(cluster_.AnswerPull("b1#0", reply));
    });
  }
  void FoundAt(Duration when, int64_t first, int64_t count) {
    cluster_.At(when, [this, first, count] {
      EXPECT_TRUE(cluster_.AnswerPull("b1#0", cluster_.Found(first, count)));
    });
  }
  // The listener answers these one after the other, then success; each call
  // takes a millisecond.
  void Listen(std::vector<ListenerResult> results) {
    cluster_.listener = [results = std::move(results),
                         next = size_t{0}](const ListenerCall&) mutable {
      ListenerPlan plan;
      plan.service_time = 1ms;
      if (next < results.size()) plan.result = results[next++];
      return plan;
    };
  }
  static ListenerResult Plain(ConsumeStatus status) {
    ListenerResult result;
    result.status = status;
    return result;
  }
  // What the consumer would commit; -1 for nothing.
  int64_t Offset() {
    return cluster_.consumer->offsets().Find(cluster_.Queue("b1#0"));
  }

  ScriptedCluster cluster_{1, 1};
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_MODEL_CLIENT_ONE_QUEUE_TEST_H_
