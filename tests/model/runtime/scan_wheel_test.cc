#include "model/runtime/scan_wheel.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace groupsim::internal {
namespace {

class Entry final : public ScanWheel::Node {};

TEST(ScanWheelTest, GivesTheNodesOfAScanInTheOrderAdded) {
  ScanWheel wheel;
  Entry a, b, c;
  EXPECT_EQ(wheel.Add(a, 5, -1), 5);
  EXPECT_EQ(wheel.Add(b, 3, -1), 3);
  EXPECT_EQ(wheel.Add(c, 5, -1), 5);
  EXPECT_EQ(wheel.FirstAfter(-1), 3);
  EXPECT_EQ(wheel.Take(3), &b);
  EXPECT_EQ(wheel.Take(3), nullptr);
  EXPECT_EQ(wheel.FirstAfter(3), 5);
  EXPECT_EQ(wheel.Take(5), &a);
  EXPECT_EQ(wheel.Take(5), &c);
  EXPECT_EQ(wheel.FirstAfter(5), ScanWheel::kNone);
  EXPECT_FALSE(a.on_wheel());
}

TEST(ScanWheelTest, RemovedNodesAreGone) {
  ScanWheel wheel;
  Entry a, b;
  wheel.Add(a, 1, 0);
  wheel.Add(b, 1, 0);
  ScanWheel::Remove(a);
  ScanWheel::Remove(a);
  EXPECT_EQ(wheel.Take(1), &b);
  EXPECT_EQ(wheel.Take(1), nullptr);
}

TEST(ScanWheelTest, NothingExpiresAtAScanThatIsOver) {
  ScanWheel wheel;
  Entry a;
  EXPECT_EQ(wheel.Add(a, 2, 7), 8);
  EXPECT_EQ(a.scan(), 8);
  EXPECT_EQ(wheel.Take(8), &a);
}

TEST(ScanWheelTest, WhatIsFarAwayIsLookedAtOnTheWay) {
  ScanWheel wheel;
  Entry a;
  int64_t past = 10;
  int64_t looks = 0;
  for (int64_t place = wheel.Add(a, 1'000, past);; ++looks) {
    EXPECT_EQ(wheel.FirstAfter(past), place);
    EXPECT_EQ(wheel.Take(place), &a);
    past = place;
    if (a.scan() <= past) break;
    place = wheel.Add(a, a.scan(), past);
    ASSERT_LT(looks, 100);
  }
  EXPECT_EQ(past, 1'000);
  EXPECT_EQ(looks, (1'000 - 10) / ScanWheel::kSlots);
}

}  // namespace
}  // namespace groupsim::internal
