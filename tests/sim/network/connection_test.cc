#include "sim/network/connection.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace groupsim {
namespace {

TEST(ConnectionTableTest, IdsOfLaterConnectionsAreGreaterAlsoInUsedPlaces) {
  ConnectionTable table;
  ConnectionId before = 0;
  for (int i = 0; i < 1000; ++i) {
    const uint32_t number = table.Add();
    for (const Side side : {Side::kOpener, Side::kAcceptor}) {
      const ConnectionId id = table.IdOf(number, side);
      EXPECT_GT(id, before);
      before = id;
      EXPECT_EQ(ConnectionTable::NumberOf(id), number);
      EXPECT_EQ(ConnectionTable::SideOf(id), side);
      EXPECT_EQ(table.Find(id), &table.At(number));
    }
    if (i % 3 != 0) table.ReleaseIfOver(number);
  }
}

TEST(ConnectionTableTest, AnIdIsUnknownOnceItsConnectionIsOver) {
  ConnectionTable table;
  const uint32_t number = table.Add();
  const ConnectionId id = table.IdOf(number, Side::kOpener);
  table.ReleaseIfOver(number);
  EXPECT_EQ(table.Find(id), nullptr);
  EXPECT_EQ(table.Add(), number);
  EXPECT_EQ(table.Find(id), nullptr);
}

TEST(ConnectionTableTest, AConnectionIsKeptWhileAnEndIsLiveOrSomethingTravels) {
  ConnectionTable table;
  const uint32_t number = table.Add();
  const ConnectionId id = table.IdOf(number, Side::kOpener);
  ConnectionEnd& opener = table.At(number).end(Side::kOpener);
  opener.state = ConnectionEnd::State::kOpen;
  table.ReleaseIfOver(number);
  EXPECT_NE(table.Find(id), nullptr);

  opener.state = ConnectionEnd::State::kClosed;
  table.At(number).end(Side::kAcceptor).first_sent = 5;
  table.ReleaseIfOver(number);
  EXPECT_NE(table.Find(id), nullptr);

  table.At(number).end(Side::kAcceptor).first_sent = 0;
  table.ReleaseIfOver(number);
  EXPECT_EQ(table.Find(id), nullptr);
  EXPECT_EQ(table.size(), 0u);
}

TEST(ConnectionTableTest, NumbersThatWereNeverIdsAreUnknown) {
  ConnectionTable table;
  EXPECT_EQ(table.Find(0), nullptr);
  EXPECT_EQ(table.Find(~ConnectionId{0}), nullptr);
  table.Add();
  EXPECT_EQ(table.Find(0), nullptr);
  EXPECT_EQ(table.Find(1), nullptr);
}

}  // namespace
}  // namespace groupsim
