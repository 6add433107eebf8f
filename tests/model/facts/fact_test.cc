#include "model/facts/fact.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/facts/causes.h"

namespace groupsim {
namespace {

TEST(FactTableTest, NumbersGoUpAndNamesAreUnique) {
  int last = 0;
  std::set<absl::string_view> names;
  for (const FactKindInfo& info : AllFactKinds()) {
    EXPECT_GT(static_cast<int>(info.kind), last) << info.name;
    last = static_cast<int>(info.kind);
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
  }
  EXPECT_GE(names.size(), 40u);
}

TEST(FactTableTest, EveryKindSaysWhatItMeansInASentence) {
  for (const FactKindInfo& info : AllFactKinds()) {
    for (const char c : info.name) {
      EXPECT_TRUE(absl::ascii_isupper(c) || c == '_') << info.name;
    }
    ASSERT_GT(info.meaning.size(), 10u) << info.name;
    EXPECT_TRUE(absl::ascii_isupper(info.meaning.front())) << info.name;
    EXPECT_EQ(info.meaning.back(), '.') << info.name;
    EXPECT_FALSE(absl::EndsWith(info.fields, ".")) << info.name;
  }
}

TEST(FactTableTest, AKindIsFoundByItsNumber) {
  for (const FactKindInfo& info : AllFactKinds()) {
    EXPECT_EQ(&InfoOf(info.kind), &info);
  }
  EXPECT_EQ(InfoOf(FactKind::NAMED).name, "NAMED");
  EXPECT_EXIT(InfoOf(FactKind{}), testing::ExitedWithCode(70),
              "no fact has the number 0");
}

// Numbers are part of every fingerprint ever published.
TEST(FactTableTest, NumbersInUseDoNotChange) {
  EXPECT_EQ(static_cast<int>(FactKind::NAMED), 1);
  EXPECT_EQ(static_cast<int>(FactKind::PROCESS_CRASHED), 6);
  EXPECT_EQ(static_cast<int>(FactKind::CONNECTION_CLOSED), 11);
  EXPECT_EQ(static_cast<int>(FactKind::ROUTE_CHANGED), 22);
  EXPECT_EQ(static_cast<int>(FactKind::MEMBERS_NOTIFIED), 32);
  EXPECT_EQ(static_cast<int>(FactKind::QUEUE_ADDED), 43);
  EXPECT_EQ(static_cast<int>(FactKind::PULLED), 51);
  EXPECT_EQ(static_cast<int>(FactKind::STORED), 60);
  EXPECT_EQ(static_cast<int>(FactKind::COMMITTED), 65);
  EXPECT_EQ(static_cast<int>(FactKind::TIMELINE_EVENT), 80);
}

// Every enumerator from the first on has words of its own.
template <class Enum>
void ExpectNamed(int first, int last) {
  std::set<absl::string_view> names;
  for (int i = first; i <= last; ++i) {
    const absl::string_view name = NameOf(static_cast<Enum>(i));
    EXPECT_NE(name, "unknown") << i;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(NameOf(static_cast<Enum>(first - 1)), "unknown");
  EXPECT_EQ(NameOf(static_cast<Enum>(last + 1)), "unknown");
}

TEST(CausesTest, EveryCauseHasWordsOfItsOwn) {
  ExpectNamed<ProcessRole>(1, 4);
  ExpectNamed<CloseReason>(1, 7);
  ExpectNamed<BrokerRemovalCause>(1, 3);
  ExpectNamed<MemberRemovalCause>(1, 4);
  ExpectNamed<DropCause>(1, 6);
  ExpectNamed<PostponeReason>(1, 9);
  ExpectNamed<LockLossCause>(1, 2);
  ExpectNamed<ConsumeStatus>(0, 5);
}

}  // namespace
}  // namespace groupsim
