// The page about the scenario language.
#include "tools/docs/scenario_page.h"

#include <fstream>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace groupsim {
namespace {

using google::protobuf::FileDescriptorSet;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string ReadFile(const std::string& path) {
  std::ostringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  return contents.str();
}

Schema RealSchema() {
  FileDescriptorSet set;
  EXPECT_TRUE(
      set.ParseFromString(ReadFile("tools/docs/scenario_descriptors.binpb")));
  return Schema(set);
}

TEST(ScenarioPageTest, TheSchemaSaysWhatAReaderNeeds) {
  EXPECT_THAT(GapsOf(RealSchema()), IsEmpty())
      << "each message and field in scenarios/schema needs a comment, each "
         "single value a default (otherwise) or required";
}

TEST(ScenarioPageTest, TheScenarioPageIsCurrent) {
  EXPECT_EQ(ReadFile("docs/scenario.md"), ScenarioPage(RealSchema()))
      << "docs/scenario.md is not what the schema says; renew it with\n"
         "  bazel run -c opt //tools/docs:scenario";
}

// One message with two fields, the second of them as given.
Schema SmallSchema(const std::string& second_field, bool comment) {
  FileDescriptorSet set;
  const std::string text = R"(
    file {
      name: "small.proto"
      syntax: "proto3"
      message_type {
        name: "Thing"
        field {
          name: "size" number: 1 type: TYPE_INT32 label: LABEL_REPEATED
        }
        field { name: "other" number: 2 )" +
                           second_field + R"( }
      }
      source_code_info {
        location { path: [4, 0] span: [1, 0, 5] leading_comments: " A thing\n" }
        location {
          path: [4, 0, 2, 0] span: [2, 0, 5] leading_comments: " In *all*.\n"
        }
)" +
                           (comment ? R"(
        location {
          path: [4, 0, 2, 1] span: [3, 0, 5] leading_comments: " The\n rest.\n"
        })"
                                    : "") +
                           "} }";
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &set));
  return Schema(set);
}

TEST(ScenarioPageTest, AGapIsNamed) {
  EXPECT_THAT(GapsOf(SmallSchema("type: TYPE_INT32", true)),
              ElementsAre("Thing.other is not required and its rule has no "
                          "`otherwise`"));
  EXPECT_THAT(GapsOf(SmallSchema("type: TYPE_INT32 options { [groupsim.rule] { "
                                 "required: true } }",
                                 false)),
              ElementsAre("Thing.other has no comment"));
}

TEST(ScenarioPageTest, AFieldIsARowOfItsRuleAndComment) {
  const std::string page = ScenarioPage(SmallSchema(
      "type: TYPE_STRING options { [groupsim.rule] { kind: DURATION "
      "min: '1ms' max: '1h' otherwise: '3s' not_yet: 'so' } }",
      true));
  EXPECT_THAT(page, HasSubstr("\n### Thing\n\nA thing\n"));
  EXPECT_THAT(page, HasSubstr("| `size` | whole number, repeated |  |  | In "
                              "\\*all\\*. |\n"));
  EXPECT_THAT(page, HasSubstr("| `other` | duration | 3s | 1ms to 1h | **Not "
                              "yet:** so. The rest. |\n"));
  EXPECT_THAT(page, HasSubstr("[Thing](#thing)"));
}

}  // namespace
}  // namespace groupsim
