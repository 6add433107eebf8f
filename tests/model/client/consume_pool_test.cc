#include "model/client/consume_pool.h"

#include "gtest/gtest.h"

namespace groupsim {
namespace {

TEST(ConsumePoolTest, JobsBeyondTheWorkersWaitInTheirOrder) {
  ConsumePool pool(2);
  ConsumePoolJob a, b, c, d;
  EXPECT_TRUE(pool.BeginOrQueue(a));
  EXPECT_TRUE(pool.BeginOrQueue(b));
  EXPECT_FALSE(pool.BeginOrQueue(c));
  EXPECT_FALSE(pool.BeginOrQueue(d));
  EXPECT_EQ(pool.busy(), 2);
  EXPECT_EQ(pool.waiting(), 2);
  EXPECT_EQ(pool.Next(), &c);
  EXPECT_EQ(pool.Next(), &d);
  EXPECT_EQ(pool.busy(), 2);
  EXPECT_EQ(pool.Next(), nullptr);
  EXPECT_EQ(pool.busy(), 1);
  EXPECT_TRUE(pool.BeginOrQueue(a));
}

TEST(ConsumePoolTest, WhatWaitsCanBeTakenBack) {
  ConsumePool pool(1);
  ConsumePoolJob a, b, c;
  pool.BeginOrQueue(a);
  pool.BeginOrQueue(b);
  pool.BeginOrQueue(c);
  EXPECT_EQ(pool.PopWaiting(), &b);
  EXPECT_EQ(pool.PopWaiting(), &c);
  EXPECT_EQ(pool.PopWaiting(), nullptr);
  EXPECT_EQ(pool.waiting(), 0);
  EXPECT_EQ(pool.busy(), 1);
  // A job can wait again.
  EXPECT_FALSE(pool.BeginOrQueue(b));
  EXPECT_EQ(pool.Next(), &b);
}

}  // namespace
}  // namespace groupsim
