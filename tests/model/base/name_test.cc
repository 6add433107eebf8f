#include "model/base/name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"

namespace groupsim {
namespace {

TEST(NameTableTest, TheSameTextGivesTheSameName) {
  NameTable names;
  const Name a = names.Intern("orders");
  std::string text = "ord";
  text += "ers";
  EXPECT_EQ(names.Intern(text), a);
  EXPECT_NE(names.Intern("orders2"), a);
  EXPECT_EQ(names.size(), 2u);
}

TEST(NameTableTest, NumbersNamesInTheOrderOfTheirFirstIntern) {
  NameTable names;
  EXPECT_EQ(names.Intern("z").id(), 1u);
  EXPECT_EQ(names.Intern("a").id(), 2u);
  EXPECT_EQ(names.Intern("z").id(), 1u);
  EXPECT_EQ(names.Intern("m").id(), 3u);
  EXPECT_EQ(names.FromId(2).text(), "a");
  EXPECT_EQ(names.FromId(3), names.Intern("m"));
}

TEST(NameTableTest, TheEmptyTextIsTheEmptyNameAndTakesNoNumber) {
  NameTable names;
  const Name empty = names.Intern("");
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty, Name());
  EXPECT_EQ(empty.id(), 0u);
  EXPECT_EQ(empty.text(), "");
  EXPECT_EQ(names.FromId(0), Name());
  EXPECT_EQ(names.size(), 0u);
}

TEST(NameTableTest, NamesStayValidWhileTheTableGrows) {
  NameTable names;
  const Name first = names.Intern("name 0");
  const std::string* address = &first.text();
  for (int i = 1; i < 10'000; ++i) {
    names.Intern("name " + std::to_string(i));
  }
  EXPECT_EQ(&first.text(), address);
  EXPECT_EQ(names.Intern("name 0"), first);
  EXPECT_EQ(names.Intern("name 9999").id(), 10'000u);
}

TEST(NameTableTest, TellsOfEachNewNameOnceInOrder) {
  NameTable names;
  names.Intern("before");
  std::vector<std::string> seen;
  names.OnNewName([&](Name name) { seen.push_back(name.text()); });
  names.Intern("b");
  names.Intern("a");
  names.Intern("b");
  names.Intern("");
  names.Intern("before");
  EXPECT_EQ(seen, (std::vector<std::string>{"b", "a"}));
}

TEST(NameTableTest, ATextMayContainZeroBytes) {
  NameTable names;
  const std::string text("a\0b", 3);
  EXPECT_NE(names.Intern(text), names.Intern("a"));
  EXPECT_EQ(names.Intern(text).text(), text);
}

TEST(NameTableDeathTest, ANumberThatIsNotInUseIsABug) {
  NameTable names;
  names.Intern("only");
  EXPECT_EXIT(names.FromId(2), ::testing::ExitedWithCode(70), "2 against 1");
}

TEST(NameTest, OrdersByTextNotByNumber) {
  NameTable names;
  const Name b = names.Intern("b");
  const Name a = names.Intern("a");
  EXPECT_LT(a, b);
  EXPECT_LT(Name(), a);
  EXPECT_EQ(a <=> a, std::strong_ordering::equal);
}

TEST(NameTest, EqualNamesHashEqual) {
  NameTable names;
  const Name a = names.Intern("a");
  EXPECT_EQ(absl::HashOf(a), absl::HashOf(names.Intern("a")));
  absl::flat_hash_set<Name> set = {a, names.Intern("b"), names.Intern("a")};
  EXPECT_EQ(set.size(), 2u);
}

TEST(NameTest, PrintsItsText) {
  NameTable names;
  std::ostringstream out;
  out << names.Intern("orders") << Name();
  EXPECT_EQ(out.str(), "orders");
}

// Texts in the order of java.lang.String.compareTo. UTF-8 bytes would put the
// two characters beyond U+FFFF last.
const char* const kInJavaOrder[] = {
    "",           "%RETRY%g",   "A",          "a",
    "a-10",       "a-2",        "aa",         "\x7F",
    "\u0080",     "\u00E9",     "\u07FF",     "\u0800",
    "\u4E2D",     "\uD7FF",     "\U00010000", "\U00010000a",
    "\U0001F600", "\U0010FFFF", "\uE000",     "\uFB01",
    "\uFFFD",     "\uFFFF",
};

TEST(CompareAsJavaStringsTest, OrdersByUtf16Units) {
  const int count = std::size(kInJavaOrder);
  for (const std::string prefix : {"", "x", "\u00E9", "\U0001F600"}) {
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < count; ++k) {
        EXPECT_EQ(CompareAsJavaStrings(prefix + kInJavaOrder[i],
                                       prefix + kInJavaOrder[k]),
                  i <=> k)
            << i << " and " << k << " after '" << prefix << "'";
      }
    }
  }
}

TEST(CompareAsJavaStringsTest, APrefixComesFirst) {
  EXPECT_EQ(CompareAsJavaStrings("broker", "broker-a"),
            std::strong_ordering::less);
  EXPECT_EQ(CompareAsJavaStrings("broker-a", "broker"),
            std::strong_ordering::greater);
}

TEST(CompareAsJavaStringsTest, BytesThatAreNoUtf8StillHaveAnOrder) {
  const std::string bytes[] = {"\x80", "\xC3", "\xED\xA0\x80", "\xEE",
                               "\xF0", "\xFF", "\xFF\xFF"};
  for (const std::string& a : bytes) {
    for (const std::string& b : bytes) {
      EXPECT_EQ(CompareAsJavaStrings(a, b) < 0, CompareAsJavaStrings(b, a) > 0);
      EXPECT_EQ(CompareAsJavaStrings(a, b) == 0, a == b);
    }
  }
}

}  // namespace
}  // namespace groupsim
