#include "scenarios/measure/producing.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"

namespace groupsim {
namespace {

class ProducingTest : public testing::Test {
 protected:
  ProducingTest() { measure_.AddProducer(producer_); }
  Fact At(Duration time, FactKind kind) {
    Fact fact;
    fact.time = Instant::Start() + time;
    fact.kind = kind;
    fact.host = producer_.id();
    return fact;
  }
  void Isolate(Duration time, const char* broker, Duration length) {
    Fact fact = At(time, FactKind::BROKER_ISOLATED);
    fact.broker = static_cast<uint16_t>(names_.Intern(broker).id());
    fact.value = length.nanos();
    measure_.OnFact(fact);
  }
  void Fail(int64_t attempts, int64_t why) {
    Fact fact = At(1s, FactKind::SEND_FAILED);
    fact.count = attempts;
    fact.offset = why;
    measure_.OnFact(fact);
  }

  NameTable names_;
  const Name producer_ = names_.Intern("p");
  ProducingMeasure measure_;
};

TEST_F(ProducingTest, AttemptsAfterTheFirstAreRetries) {
  Fact sent = At(3s, FactKind::SENT);
  sent.count = 3;
  sent.value = Duration(1s).nanos();
  measure_.OnFact(sent);
  Fail(3, 2);
  Fail(1, -1);
  Fail(0, 13);
  const ProducingMeasure::Result& result = measure_.producer(0);
  EXPECT_EQ(result.sent, 1);
  EXPECT_EQ(result.failed, 3);
  EXPECT_EQ(result.retries, 4);
  EXPECT_EQ(result.latency.max(), Duration(2s));
  EXPECT_EQ(result.failures.at(2), 1);
  EXPECT_EQ(result.failures.at(-1), 1);
  EXPECT_EQ(result.failures.at(13), 1);
}

TEST_F(ProducingTest, WhatIsSentOneWayIsNotAcknowledged) {
  measure_.OnFact(At(1s, FactKind::SENT_ONEWAY));
  EXPECT_EQ(measure_.producer(0).sent_oneway, 1);
  EXPECT_EQ(measure_.producer(0).sent, 0);
}

// b is avoided from 10 to 25 s and from 40 s on, c from 15 to 17 s.
TEST_F(ProducingTest, IsolationsThatOverlapCountOnce) {
  Isolate(10s, "b", 10s);
  Isolate(15s, "b", 10s);
  Isolate(15s, "c", 2s);
  Isolate(40s, "b", 10s);
  measure_.Close(Instant::Start() + 45s);
  EXPECT_EQ(measure_.producer(0).isolated, Duration(15s + 2s + 5s));
}

}  // namespace
}  // namespace groupsim
