// A runtime that breaks one promise is caught by exactly the test named for it.
#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/faulty.h"
#include "tests/conformance/runtime_under_test.h"
#include "tests/conformance/stage.h"

namespace groupsim::conformance {
namespace {

using Parameter = std::tuple<NamedRuntime, Fault>;

class FaultsTest : public testing::TestWithParam<Parameter> {};

TEST_P(FaultsTest, IsCaughtByItsTestAlone) {
  const auto& [runtime, fault] = GetParam();
  std::vector<std::string> failed;
  for (const Promise& promise : AllPromises()) {
    const std::unique_ptr<RuntimeUnderTest> broken =
        Break(runtime.make(), fault);
    Stage stage(*broken);
    promise.check(stage);
    if (!stage.violations().empty()) failed.push_back(promise.name);
  }
  EXPECT_EQ(failed, std::vector<std::string>{fault.breaks});
}

INSTANTIATE_TEST_SUITE_P(All, FaultsTest,
                         testing::Combine(testing::Values(SimulatedRuntime(),
                                                          JumpingRuntime()),
                                          testing::ValuesIn(AllFaults())),
                         [](const testing::TestParamInfo<Parameter>& info) {
                           return std::get<0>(info.param).name + "_" +
                                  std::get<1>(info.param).name;
                         });

TEST(FaultsListTest, EveryPromiseHasARuntimeThatBreaksIt) {
  const std::vector<Fault> faults = AllFaults();
  for (const Promise& promise : AllPromises()) {
    EXPECT_TRUE(std::any_of(
        faults.begin(), faults.end(),
        [&](const Fault& fault) { return fault.breaks == promise.name; }))
        << promise.name;
  }
}

TEST(FaultsListTest, WithoutAFaultNothingIsCaught) {
  for (const Promise& promise : AllPromises()) {
    Fault none;
    none.seams = Seams<Faulty>();
    const std::unique_ptr<RuntimeUnderTest> whole =
        Break(JumpingRuntime().make(), none);
    Stage stage(*whole);
    promise.check(stage);
    EXPECT_EQ(stage.violations(), std::vector<std::string>()) << promise.name;
  }
}

}  // namespace
}  // namespace groupsim::conformance
