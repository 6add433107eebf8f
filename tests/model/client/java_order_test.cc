#include "model/client/java_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;

class JavaOrderTest : public ::testing::Test {
 protected:
  Name N(const std::string& text) { return names_.Intern(text); }

  // Queues of brokers "broker-a" and so on as "a0", in the order walked.
  std::vector<std::string> Walked(const std::string& topic,
                                  const std::string& brokers, int queues) {
    std::vector<MessageQueue> keys;
    for (const char broker : brokers) {
      for (int id = 0; id < queues; ++id) {
        keys.push_back(
            {N(topic), N(absl::StrCat("broker-", std::string(1, broker))), id});
      }
    }
    SortAsWalked(JavaTable::kHashMap, keys);
    std::vector<std::string> walked;
    for (const MessageQueue& queue : keys) {
      walked.push_back(
          absl::StrCat(queue.broker.text().substr(7), queue.queue_id));
    }
    return walked;
  }

  NameTable names_;
};

TEST_F(JavaOrderTest, TextsHaveTheHashCodesOfJava) {
  EXPECT_EQ(JavaHash(""), 0u);
  EXPECT_EQ(JavaHash("a"), 97u);
  EXPECT_EQ(JavaHash("hello"), 99'162'322u);
  EXPECT_EQ(JavaHash("polygenelubricants"), 0x80000000u);
}

constexpr char kEAcute[] = "\xC3\xA9";        // U+00E9
constexpr char kSun[] = "\xE6\x97\xA5";       // U+65E5
constexpr char kGrin[] = "\xF0\x9F\x98\x80";  // U+1F600, D83D DE00

TEST_F(JavaOrderTest, TextsBeyondAsciiAreHashedByTheirUnitsOfUtf16) {
  EXPECT_EQ(JavaHash(kEAcute), 0xE9u);
  EXPECT_EQ(JavaHash(kSun), 0x65E5u);
  EXPECT_EQ(JavaHash(kGrin), 31u * 0xD83D + 0xDE00);
  EXPECT_EQ(JavaHash(absl::StrCat("a", kSun, kGrin)),
            ((97u * 31 + 0x65E5) * 31 + 0xD83D) * 31 + 0xDE00);
}

// Buckets 5, 8 and 9 of 16. The hash of the second is 1B0D63, whose upper half
// is folded in.
TEST_F(JavaOrderTest, NamesBeyondAsciiAreWalkedByTheirBuckets) {
  std::vector<Name> names = {N(kEAcute), N(kGrin), N(kSun)};
  SortAsWalked(JavaTable::kHashMap, names);
  EXPECT_THAT(names, ElementsAre(N(kSun), N(kGrin), N(kEAcute)));
}

// The orders in which clients of a 5.3.3 cluster asked for the offsets of their
// first queues.
TEST_F(JavaOrderTest, QueuesAreWalkedAsARealClientDid) {
  EXPECT_THAT(Walked("L01r1_T", "a", 8),
              ElementsAre("a6", "a7", "a2", "a3", "a4", "a5", "a0", "a1"));
  EXPECT_THAT(Walked("L01r2_T", "a", 8),
              ElementsAre("a7", "a3", "a4", "a5", "a6", "a0", "a1", "a2"));
  EXPECT_THAT(Walked("L05r1_T", "ab", 6),
              ElementsAre("a2", "b3", "a3", "b4", "a4", "b5", "a5", "b0", "a0",
                          "b1", "a1", "b2"));
  EXPECT_THAT(Walked("L05r3_T", "ab", 6),
              ElementsAre("a4", "b5", "a5", "a0", "b1", "a1", "b2", "a2", "b3",
                          "a3", "b4", "b0"));
  EXPECT_THAT(Walked("L05r4_T", "ab", 6),
              ElementsAre("a5", "a1", "b2", "a2", "b3", "a3", "b4", "a4", "b5",
                          "b0", "a0", "b1"));
}

// As observed there, too: heartbeats went to broker-b first, and the topic was
// rebalanced before the retry topic.
TEST_F(JavaOrderTest, NamesAreWalkedAsARealClientDid) {
  std::vector<Name> brokers = {N("broker-a"), N("broker-b")};
  SortAsWalked(JavaTable::kConcurrentHashMap, brokers);
  EXPECT_THAT(brokers, ElementsAre(N("broker-b"), N("broker-a")));
  for (const std::string scenario : {"L01r1", "L05r1", "L05r3"}) {
    std::vector<Name> topics = {N(absl::StrCat("%RETRY%", scenario, "_g")),
                                N(absl::StrCat(scenario, "_T"))};
    SortAsWalked(JavaTable::kConcurrentHashMap, topics);
    EXPECT_EQ(topics.front(), N(absl::StrCat(scenario, "_T")));
  }
}

TEST_F(JavaOrderTest, KeysOfOneBucketAreWalkedInTheOrderInWhichTheyCame) {
  const Name retry = N("%RETRY%L01r2_g");
  const Name topic = N("L01r2_T");
  std::vector<Name> topics = {topic, retry};
  SortAsWalked(JavaTable::kConcurrentHashMap, topics);
  EXPECT_THAT(topics, ElementsAre(topic, retry));
  topics = {retry, topic};
  SortAsWalked(JavaTable::kConcurrentHashMap, topics);
  EXPECT_THAT(topics, ElementsAre(retry, topic));
}

// One-letter names have their character as hash: 'A' is 65, 1 modulo 16 and 32;
// 'P' is 80, 0 modulo 16, but 16 modulo 32.
TEST_F(JavaOrderTest, ATableGrowsAtThreeQuarters) {
  const auto walked = [this](JavaTable table, size_t keys) {
    std::vector<Name> names = {N("A"), N("P")};
    for (char c = 'a'; names.size() < keys; ++c) {
      names.push_back(N(std::string(1, c)));
    }
    SortAsWalked(table, names);
    for (const Name name : names) {
      if (name == N("P")) return std::string("P before A");
      if (name == N("A")) return std::string("A before P");
    }
    return std::string();
  };
  EXPECT_EQ(walked(JavaTable::kHashMap, 12), "P before A");
  EXPECT_EQ(walked(JavaTable::kHashMap, 13), "A before P");
  EXPECT_EQ(walked(JavaTable::kConcurrentHashMap, 11), "P before A");
  EXPECT_EQ(walked(JavaTable::kConcurrentHashMap, 12), "A before P");
}

}  // namespace
}  // namespace groupsim
