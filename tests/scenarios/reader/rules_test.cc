// The rules that the schema states, and that it states them well.
#include <set>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/reader.h"
#include "scenarios/schema/rule.pb.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// All fields of the schema.
std::vector<const FieldDescriptor*> AllFields() {
  std::vector<const FieldDescriptor*> fields;
  std::vector<const Descriptor*> types = {Scenario::descriptor()};
  std::set<const Descriptor*> seen(types.begin(), types.end());
  for (size_t next = 0; next < types.size(); ++next) {
    const Descriptor* type = types[next];
    for (int i = 0; i < type->field_count(); ++i) {
      fields.push_back(type->field(i));
      const Descriptor* within = type->field(i)->message_type();
      if (within != nullptr && seen.insert(within).second) {
        types.push_back(within);
      }
    }
  }
  return fields;
}

const FieldRule& RuleOf(const FieldDescriptor& field) {
  return field.options().GetExtension(rule);
}

TEST(RulesTest, EveryLimitIsInTheNotationOfItsField) {
  for (const FieldDescriptor* field : AllFields()) {
    const FieldRule& limits = RuleOf(*field);
    for (const std::string& limit : {limits.min(), limits.max()}) {
      if (limit.empty()) continue;
      double number = 0;
      if (limits.kind() == FieldRule::DURATION ||
          limits.kind() == FieldRule::SIZE) {
        EXPECT_TRUE(ParseAmount(limit, limits.kind()).ok())
            << field->full_name();
      } else {
        EXPECT_TRUE(absl::SimpleAtod(limit, &number)) << field->full_name();
      }
    }
  }
}

TEST(RulesTest, EveryFieldThatMayBeLeftOutSaysWhatHoldsThen) {
  for (const FieldDescriptor* field : AllFields()) {
    const FieldRule& limits = RuleOf(*field);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE ||
        field->is_repeated() || field->real_containing_oneof() != nullptr ||
        limits.required()) {
      continue;
    }
    // Bounds have no default, nor has a title; a metric's are of any size.
    if (field->containing_type()->name().find("Bound") != std::string::npos ||
        field->name() == "title") {
      continue;
    }
    EXPECT_FALSE(limits.otherwise().empty()) << field->full_name();
  }
}

TEST(RulesTest, EveryRepeatedFieldAndEveryNumberHasALimit) {
  for (const FieldDescriptor* field : AllFields()) {
    const FieldRule& limits = RuleOf(*field);
    if (field->is_repeated()) {
      EXPECT_GT(limits.max_count(), 0) << field->full_name();
    }
    const bool number = field->cpp_type() == FieldDescriptor::CPPTYPE_INT32 ||
                        field->cpp_type() == FieldDescriptor::CPPTYPE_INT64 ||
                        limits.kind() == FieldRule::DURATION ||
                        limits.kind() == FieldRule::SIZE;
    if (!number || field->name() == "equals" ||
        field->name().rfind("at_", 0) == 0) {
      continue;
    }
    EXPECT_FALSE(limits.min().empty()) << field->full_name();
    EXPECT_FALSE(limits.max().empty()) << field->full_name();
  }
}

TEST(RulesTest, EveryReferenceIsToAKindThatThereIs) {
  const std::set<std::string> kinds = {
      "topic", "broker", "group",   "consumer", "producer", "name server",
      "room",  "event",  "process", "place",    "tag"};
  for (const FieldDescriptor* field : AllFields()) {
    const std::string& kind = RuleOf(*field).refers_to();
    EXPECT_TRUE(kind.empty() || kinds.count(kind) == 1) << field->full_name();
  }
}

// For each numeric or timed setting of a group's clients: what lies on the
// limit is taken, what lies beyond is refused. Some settings are for orderly
// consumers only, some for the others.
TEST(RulesTest, LimitsAreInclusiveAndEnforced) {
  int tried = 0;
  for (const auto& [field_name, type] :
       std::vector<std::pair<std::string, const Descriptor*>>{
           {"consume", schema::ConsumeSettings::descriptor()},
           {"client", schema::ClientSettings::descriptor()}}) {
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor& field = *type->field(i);
      const FieldRule& limits = RuleOf(field);
      if (limits.max().empty() || limits.has_not_yet()) continue;
      const auto ok = [&, name = field_name](const std::string& value) {
        const std::string text = absl::StrCat(
            "group { name: 'g' consumer { name: 'c' } consumer { "
            "name: 'd' consume { mode: ORDERLY } } ",
            name, " { ", field.name(), ": ", value, " } }");
        return ReadScenario({.name = "", .text = text}, ScenarioForm::kText)
            .ok();
      };
      ++tried;
      if (limits.kind() == FieldRule::DURATION) {
        const int64_t max = *ParseAmount(limits.max(), FieldRule::DURATION);
        EXPECT_TRUE(ok(absl::StrCat("'", max, "ns'"))) << field.name();
        EXPECT_FALSE(ok(absl::StrCat("'", max + 1, "ns'"))) << field.name();
        const int64_t min = *ParseAmount(limits.min(), FieldRule::DURATION);
        EXPECT_TRUE(ok(absl::StrCat("'", min, "ns'"))) << field.name();
        EXPECT_FALSE(ok(absl::StrCat("'", min - 1, "ns'"))) << field.name();
      } else {
        const int64_t max = std::stoll(limits.max());
        const int64_t min = std::stoll(limits.min());
        EXPECT_TRUE(ok(absl::StrCat(max))) << field.name();
        EXPECT_FALSE(ok(absl::StrCat(max + 1))) << field.name();
        EXPECT_TRUE(ok(absl::StrCat(min))) << field.name();
        EXPECT_FALSE(ok(absl::StrCat(min - 1))) << field.name();
      }
    }
  }
  EXPECT_GT(tried, 15);
}

}  // namespace
}  // namespace groupsim
