#include "model/client/settings.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/client/lite_pull_settings.h"

namespace groupsim {
namespace {

TEST(ClientSettingsTest, DefaultsAreValid) {
  EXPECT_TRUE(Validate(ClientSettings()).ok());
  EXPECT_TRUE(Validate(PushConsumerSettings()).ok());
  EXPECT_TRUE(Validate(ProducerSettings()).ok());
}

TEST(ClientSettingsTest, AFieldOutOfRangeIsNamedWithItsRange) {
  PushConsumerSettings consumer;
  consumer.pull_batch_size = 0;
  EXPECT_EQ(Validate(consumer).message(),
            "pull_batch_size is 0; it must be 1 to 1024");
  consumer.pull_batch_size = 1'025;
  EXPECT_EQ(Validate(consumer).message(),
            "pull_batch_size is 1025; it must be 1 to 1024");

  ClientSettings client;
  client.heartbeat_broker_interval = 0s;
  EXPECT_EQ(Validate(client).message(),
            "heartbeat_broker_interval is 0 s; it must be more than 0");

  ProducerSettings producer;
  producer.max_in_flight = 0;
  EXPECT_EQ(Validate(producer).message(),
            "max_in_flight is 0; it must be 1 to 100000");
}

// Else one that cannot connect would try again for ever at one moment.
TEST(ClientSettingsTest, ALitePullThatFailedWaits) {
  LitePullSettings settings;
  EXPECT_TRUE(Validate(settings).ok());
  settings.pull_time_delay_mills_when_exception = Duration::Zero();
  EXPECT_FALSE(Validate(settings).ok());
}

TEST(ClientSettingsTest, LimitsPerTopicMayBeOff) {
  PushConsumerSettings consumer;
  consumer.pull_threshold_for_topic = 0;
  EXPECT_EQ(Validate(consumer).message(),
            "pull_threshold_for_topic is 0; it must be 1 to 6553500, or -1 for "
            "off");
  consumer.pull_threshold_for_topic = -1;
  EXPECT_TRUE(Validate(consumer).ok());
}

TEST(ClientSettingsTest, ThereMustNotBeMoreThreadsAtLeastThanAtMost) {
  PushConsumerSettings consumer;
  consumer.consume_thread_max = 10;
  EXPECT_EQ(Validate(consumer).message(),
            "consume_thread_min is 20; it must not be more than "
            "consume_thread_max, which is 10");
}

TEST(ClientSettingsTest, ThePullIntervalHasAnUpperLimit) {
  PushConsumerSettings consumer;
  consumer.pull_interval = 65'536ms;
  EXPECT_FALSE(Validate(consumer).ok());
  consumer.pull_interval = 65'535ms;
  EXPECT_TRUE(Validate(consumer).ok());
  consumer.pull_interval = -1ms;
  EXPECT_FALSE(Validate(consumer).ok());
}

TEST(ClientSettingsTest, TheTablesOfTheFaultStrategyBelongTogether) {
  ProducerSettings producer;
  producer.latency_max = {1s, 2s};
  EXPECT_EQ(Validate(producer).message(),
            "latency_max has 2 entries; it must have as many as "
            "not_available_duration, which has 7");
  producer.not_available_duration = {0s, 5s};
  EXPECT_TRUE(Validate(producer).ok());
  producer.latency_max = {2s, 1s};
  EXPECT_EQ(Validate(producer).message(),
            "latency_max must rise; 1 s comes after 2 s");
  producer.latency_max = {2s, 2s};
  EXPECT_EQ(Validate(producer).message(),
            "latency_max must rise; 2 s comes after 2 s");
}

TEST(ClientSettingsTest, TheRemotingLayerFollows) {
  ClientSettings client;
  client.connect_timeout = 7s;
  client.client_close_socket_if_timeout = false;
  client.client_channel_max_idle_time_seconds = 9s;
  const RemotingSettings remoting =
      RemotingSettingsOf(client, kClientRocketMq53);
  EXPECT_EQ(remoting.connect_timeout, 7s);
  EXPECT_FALSE(remoting.close_channel_if_timeout);
  EXPECT_EQ(remoting.channel_max_idle, 9s);
}

}  // namespace
}  // namespace groupsim
