// Every promise of the seams, on every runtime.
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/runtime_under_test.h"
#include "tests/conformance/stage.h"

namespace groupsim::conformance {
namespace {

using Parameter = std::tuple<NamedRuntime, Promise>;

class ConformanceTest : public testing::TestWithParam<Parameter> {};

TEST_P(ConformanceTest, Holds) {
  const auto& [runtime, promise] = GetParam();
  const std::unique_ptr<RuntimeUnderTest> under_test = runtime.make();
  Stage stage(*under_test);
  promise.check(stage);
  EXPECT_EQ(stage.violations(), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(All, ConformanceTest,
                         testing::Combine(testing::Values(SimulatedRuntime(),
                                                          RealRuntime(),
                                                          JumpingRuntime()),
                                          testing::ValuesIn(AllPromises())),
                         [](const testing::TestParamInfo<Parameter>& info) {
                           return std::get<0>(info.param).name + "_" +
                                  std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace groupsim::conformance
