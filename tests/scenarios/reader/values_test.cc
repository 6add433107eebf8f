#include "scenarios/reader/values.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/distributions.h"

namespace groupsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ValuesTest, DurationsAreNumbersWithUnits) {
  EXPECT_EQ(*ParseDuration("250us"), Duration(250us));
  EXPECT_EQ(*ParseDuration("15m"), Duration(15min));
  EXPECT_EQ(*ParseDuration("1h30m"), Duration(90min));
  EXPECT_EQ(*ParseDuration("1d2h3m4s5ms6us7ns"),
            Duration(26h) + 3min + 4s + 5ms + 6us + 7ns);
  EXPECT_EQ(*ParseDuration("1.5s"), Duration(1500ms));
  EXPECT_EQ(*ParseDuration("1m0.25s"), Duration(60'250ms));
  EXPECT_EQ(*ParseDuration("0s"), Duration::Zero());
  EXPECT_EQ(*ParseDuration("9223372036854775807ns"), Duration::Max());
}

TEST(ValuesTest, OtherDurationsAreRefused) {
  for (const std::string text : {"",
                                 "5",
                                 "s",
                                 "5 s",
                                 " 5s",
                                 "5s ",
                                 "5sec",
                                 "5S",
                                 "1.s",
                                 ".5s",
                                 "1e3s",
                                 "5m1h",
                                 "5s5s",
                                 "1.5h30m",
                                 "0.5ns",
                                 "-5s",
                                 "+5s",
                                 "inf",
                                 "5s\n",
                                 "9223372036854775808ns",
                                 "99999999999999999999s",
                                 "300000d",
                                 "1ms2",
                                 "0.0000000000001s"}) {
    EXPECT_FALSE(ParseDuration(text).ok()) << text;
  }
}

TEST(ValuesTest, FormattedDurationsReadBackAsThemselves) {
  for (const std::string text : {"0s", "250us", "1h30m", "1d1ns", "999ms"}) {
    EXPECT_EQ(FormatDuration(*ParseDuration(text)), text);
  }
}

TEST(ValuesTest, SizesAreBytesOrHaveUnits) {
  EXPECT_EQ(*ParseSize("1800"), 1800);
  EXPECT_EQ(*ParseSize("0"), 0);
  EXPECT_EQ(*ParseSize("4KiB"), 4096);
  EXPECT_EQ(*ParseSize("1.5MiB"), 1'572'864);
  EXPECT_EQ(*ParseSize("2GB"), 2'000'000'000);
  EXPECT_EQ(*ParseSize("7B"), 7);
  for (const std::string text : {"", "-1", "4 KiB", "4kib", "0.5", "1.3KiB",
                                 "KiB", "9223372036854775807KB", "1e3"}) {
    EXPECT_FALSE(ParseSize(text).ok()) << text;
  }
}

TEST(ValuesTest, QueuesAreNumbersRangesOrAllOfABroker) {
  EXPECT_THAT(*ParseQueues("broker-a#3"),
              ElementsAre(QueueRange{"broker-a", 3, 3}));
  EXPECT_THAT(*ParseQueues("a#0..3, b#*,a#7"),
              ElementsAre(QueueRange{"a", 0, 3},
                          QueueRange{"b", 0, QueueRange::kAllQueues},
                          QueueRange{"a", 7, 7}));
  EXPECT_THAT(*ParseQueues(""), ElementsAre());
  for (const std::string text :
       {"a", "a#", "#1", "a#-1", "a#3..1", "a#1..", "a#1,", "a#1;b#2",
        "a#99999999999", "a b#1", "a#*..3", "a#+1"}) {
    EXPECT_FALSE(ParseQueues(text).ok()) << text;
  }
}

TEST(ValuesTest, NamesAreThoseThatRocketMqAllows) {
  EXPECT_TRUE(CheckName("pod-3").ok());
  EXPECT_TRUE(CheckName("%RETRY%g_1|x").ok());
  EXPECT_TRUE(CheckName(std::string(127, 'a')).ok());
  EXPECT_FALSE(CheckName(std::string(128, 'a')).ok());
  for (const std::string text : {"", "a b", "a#1", "a.b", "é", "a\n"}) {
    EXPECT_FALSE(CheckName(text).ok()) << text;
  }
}

TEST(ValuesTest, ACountNumbersTheProcesses) {
  EXPECT_THAT(ProcessNames("pod"), ElementsAre("pod"));
  EXPECT_THAT(ProcessNames("pod", 1), ElementsAre("pod-0"));
  EXPECT_THAT(ProcessNames("pod", 3), ElementsAre("pod-0", "pod-1", "pod-2"));
}

TEST(ValuesTest, DistributionsKeepTheirParameters) {
  schema::Distribution law;
  law.mutable_uniform()->set_min("200");
  law.mutable_uniform()->set_max("1KiB");
  EXPECT_EQ(MakeDistribution(law, FieldRule::SIZE)->Mean(), 612);
  law.mutable_lognormal()->set_median("4ms");
  EXPECT_THAT(MakeDistribution(law, FieldRule::DURATION).status().message(),
              HasSubstr("p90, p99"));
  law.mutable_lognormal()->set_p99("60ms");
  EXPECT_GT(MakeDistribution(law, FieldRule::DURATION)->Mean(), 4'000'000);
  law.mutable_lognormal()->set_p99("3ms");
  EXPECT_FALSE(MakeDistribution(law, FieldRule::DURATION).ok());
  schema::Distribution mixture;
  mixture.mutable_bimodal()->mutable_often()->set_constant("1ms");
  mixture.mutable_bimodal()->mutable_seldom()->set_constant("101ms");
  mixture.mutable_bimodal()->set_seldom_per_mille(10);
  EXPECT_EQ(MakeDistribution(mixture, FieldRule::DURATION)->Mean(), 2'000'000);
  schema::Distribution table;
  table.mutable_empirical()->add_value()->set_value("10us");
  schema::WeightedValue& heavy = *table.mutable_empirical()->add_value();
  heavy.set_value("20us");
  heavy.set_weight(3);
  EXPECT_EQ(MakeDistribution(table, FieldRule::DURATION)->Mean(), 17'500);
}

}  // namespace
}  // namespace groupsim
