#include "model/base/check.h"

#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <thread>

namespace groupsim {
namespace {

using ::testing::ExitedWithCode;

// A context that writes one line.
class Line : public FailureContext {
 public:
  explicit Line(std::string line) : line_(std::move(line)) {}
  void Describe(std::ostream& out) const override { out << line_ << "\n"; }

 private:
  const std::string line_;
};

// A context whose description has a bug of its own.
class BrokenDescription : public FailureContext {
 public:
  void Describe(std::ostream&) const override { CHECK(false) << "the second"; }
};

TEST(CheckTest, AConditionThatHoldsDoesNothing) {
  int evaluations = 0;
  CHECK(++evaluations == 1) << "never seen";
  CHECK_EQ(evaluations, 1);
  CHECK_NE(evaluations, 2);
  CHECK_LT(evaluations, 2);
  CHECK_LE(evaluations, 1);
  CHECK_GT(evaluations, 0);
  CHECK_GE(evaluations, 1) << "never seen";
  EXPECT_EQ(evaluations, 1);
}

TEST(CheckTest, TheMessageIsNotEvaluatedWhileTheConditionHolds) {
  int evaluations = 0;
  CHECK(true) << ++evaluations;
  EXPECT_EQ(evaluations, 0);
}

TEST(CheckTest, IsOneStatementAfterAnIf) {
  bool reached_else = false;
  if (false)
    CHECK(false);
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

TEST(CheckDeathTest, LeavesWithCode70AndNamesConditionPlaceAndMessage) {
  EXPECT_EXIT(CHECK(1 + 1 == 3) << "offset " << 7,
              ExitedWithCode(kInternalErrorExitCode),
              "internal error: 1 \\+ 1 == 3 does not hold at "
              ".*check_test\\.cc:[0-9]+\n *offset 7");
  EXPECT_EQ(kInternalErrorExitCode, 70);
}

TEST(CheckDeathTest, HoldsInOptimisedBuildsToo) {
  EXPECT_EXIT(CHECK(false), ExitedWithCode(70), "false does not hold");
}

TEST(CheckDeathTest, AComparisonNamesBothValues) {
  EXPECT_EXIT(CHECK_EQ(2 * 3, 7), ExitedWithCode(70), "6 against 7");
  EXPECT_EXIT(CHECK_NE(7, 7), ExitedWithCode(70), "7 against 7");
  EXPECT_EXIT(CHECK_LT(7, 7), ExitedWithCode(70), "7 against 7");
  EXPECT_EXIT(CHECK_LE(8, 7), ExitedWithCode(70), "8 against 7");
  EXPECT_EXIT(CHECK_GT(7, 7), ExitedWithCode(70), "7 against 7");
  EXPECT_EXIT(CHECK_GE(6, 7) << "of nine", ExitedWithCode(70),
              "6 against 7 of nine");
}

TEST(CheckDeathTest, DescribesTheInnermostContext) {
  const Line outer("seed 1");
  const Line inner("seed 2");
  EXPECT_EXIT(CHECK(false) << "oops", ExitedWithCode(70), "oops\nseed 2");
}

TEST(CheckDeathTest, ABrokenDescriptionHidesNeitherFailure) {
  const BrokenDescription context;
  EXPECT_EXIT(CHECK(false) << "the first", ExitedWithCode(70),
              "the first[^$]*the second");
}

TEST(FailureContextTest, ContextsNest) {
  EXPECT_EQ(FailureContext::Current(), nullptr);
  const Line outer("outer");
  {
    const Line inner("inner");
    EXPECT_EQ(FailureContext::Current(), &inner);
  }
  EXPECT_EQ(FailureContext::Current(), &outer);
}

TEST(FailureContextTest, ContextsAreOfTheirThread) {
  const Line here("here");
  const FailureContext* there = &here;
  std::thread([&] { there = FailureContext::Current(); }).join();
  EXPECT_EQ(there, nullptr);
}

}  // namespace
}  // namespace groupsim
