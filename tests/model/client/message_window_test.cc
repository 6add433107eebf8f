#include "model/client/message_window.h"

#include <cstddef>
#include <cstdint>
#include <map>

#include "gtest/gtest.h"
#include "model/wire/message.h"

namespace groupsim {
namespace {

Message At(int64_t offset, int32_t body_size = 1) {
  Message message;
  message.queue_offset = offset;
  message.body_size = body_size;
  return message;
}

TEST(MessageWindowTest, IsEmptyAtFirst) {
  MessageWindow window;
  EXPECT_TRUE(window.empty());
  EXPECT_EQ(window.size(), 0u);
  EXPECT_EQ(window.Find(0), nullptr);
  EXPECT_FALSE(window.Erase(0));
}

TEST(MessageWindowTest, APutWithAKnownOffsetReplacesTheMessage) {
  MessageWindow window;
  EXPECT_TRUE(window.Put(At(7, 10)));
  EXPECT_FALSE(window.Put(At(7, 20)));
  EXPECT_EQ(window.size(), 1u);
  EXPECT_EQ(window.Find(7)->body_size, 20);
}

TEST(MessageWindowTest, KeepsAMessageThatIsLeftFarBehind) {
  MessageWindow window;
  window.Put(At(0));
  for (int64_t offset = 1; offset < 20'000; ++offset) {
    window.Put(At(offset));
    if (offset > 10) {
      EXPECT_TRUE(window.Erase(offset - 10));
    }
  }
  EXPECT_EQ(window.FirstOffset(), 0);
  EXPECT_EQ(window.LastOffset(), 19'999);
  EXPECT_EQ(window.size(), 11u);
  EXPECT_FALSE(window.Put(At(0)));
  EXPECT_TRUE(window.Erase(0));
  EXPECT_EQ(window.FirstOffset(), 19'990);
}

TEST(MessageWindowTest, TakesMessagesFarBelowAndFarAbove) {
  MessageWindow window;
  window.Put(At(1'000'000));
  window.Put(At(5));
  window.Put(At(INT64_MAX / 2));
  EXPECT_EQ(window.FirstOffset(), 5);
  EXPECT_EQ(window.LastOffset(), INT64_MAX / 2);
  EXPECT_EQ(window.TakeFirst().queue_offset, 5);
  EXPECT_EQ(window.TakeFirst().queue_offset, 1'000'000);
  EXPECT_EQ(window.TakeFirst().queue_offset, INT64_MAX / 2);
  EXPECT_TRUE(window.empty());
}

TEST(MessageWindowTest, CanBeUsedAgainAfterClear) {
  MessageWindow window;
  for (int64_t offset = 100; offset < 200; ++offset) window.Put(At(offset));
  window.Put(At(90'000));
  window.Clear();
  EXPECT_TRUE(window.empty());
  EXPECT_EQ(window.Find(150), nullptr);
  EXPECT_TRUE(window.Put(At(150)));
  EXPECT_EQ(window.FirstOffset(), 150);
  EXPECT_EQ(window.LastOffset(), 150);
}

TEST(MessageWindowTest, BehavesAsAnOrderedMap) {
  MessageWindow window;
  std::map<int64_t, int32_t> model;
  uint64_t state = 12345;
  const auto draw = [&](uint64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((state >> 33) % n);
  };
  int64_t front = 0;
  for (int step = 0; step < 200'000; ++step) {
    const int64_t kind = draw(100);
    if (kind < 45) {
      const int64_t offset = front++;
      const auto size = static_cast<int32_t>(draw(50));
      ASSERT_EQ(window.Put(At(offset, size)),
                model.insert_or_assign(offset, size).second);
    } else if (kind < 50) {
      if (draw(2) == 0) front += draw(6'000);  // A gap.
      const int64_t offset = draw(static_cast<uint64_t>(front + 10));
      ASSERT_EQ(window.Put(At(offset, 3)),
                model.insert_or_assign(offset, 3).second);
    } else if (kind < 90) {
      const int64_t offset = front - draw(30);
      ASSERT_EQ(window.Erase(offset), model.erase(offset) == 1);
    } else if (!model.empty()) {
      const auto first = model.begin();
      const Message taken = window.TakeFirst();
      ASSERT_EQ(taken.queue_offset, first->first);
      ASSERT_EQ(taken.body_size, first->second);
      model.erase(first);
    }
    ASSERT_EQ(window.size(), model.size());
    if (model.empty()) continue;
    ASSERT_EQ(window.FirstOffset(), model.begin()->first);
    ASSERT_EQ(window.LastOffset(), model.rbegin()->first);
  }
}

}  // namespace
}  // namespace groupsim
