#include "scenarios/estimate/failing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "model/base/time.h"
#include "scenarios/estimate/seconds.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

constexpr double kEver = std::numeric_limits<double>::infinity();

double InThousand(bool given, int32_t per_mille) {
  return given ? per_mille / 1000.0 : 1;
}

// The sum of 1 / r^exponent for r from 1 to n.
double ZipfSum(double n, double exponent) {
  constexpr double kOneByOne = 1'000;
  double sum = 0;
  for (double r = 1; r <= std::min(n, kOneByOne); ++r) {
    sum += std::pow(r, -exponent);
  }
  if (n <= kOneByOne) return sum;
  return sum + (exponent == 1 ? std::log(n / kOneByOne)
                              : (std::pow(n, 1 - exponent) -
                                 std::pow(kOneByOne, 1 - exponent)) /
                                    (1 - exponent));
}

// Of a producer's messages, those with one of the keys.
double ShareOfKeys(const schema::Failure& failure, const schema::Key& key) {
  if (!key.has_keys()) return 0;
  const auto keys = static_cast<double>(key.keys());
  const double exponent = key.zipf().has_exponent_per_mille()
                              ? key.zipf().exponent_per_mille() / 1000.0
                              : 1;
  const double all = key.has_zipf() ? ZipfSum(keys, exponent) : keys;
  double share = 0;
  for (const int64_t one : failure.key()) {
    const auto number = static_cast<double>(one);
    if (number > keys) continue;
    share += (key.has_zipf() ? std::pow(number, -exponent) : 1) / all;
  }
  return std::min(share, 1.0);
}

double ShareOfTag(const schema::Failure& failure,
                  const schema::Producer& producer) {
  double all = 0;
  double named = 0;
  for (const schema::Tag& tag : producer.tag()) {
    const double weight =
        tag.has_weight() ? static_cast<double>(tag.weight()) : 1;
    all += weight;
    if (tag.name() == failure.tag()) named += weight;
  }
  return all > 0 ? named / all : 0;
}

// Of the group's messages, those that a failure is about, as if all producers
// sent as much.
double ShareOf(const FailingGround& ground, const schema::Failure& failure) {
  const Growth& growth = *ground.growth;
  // A few messages make no difference.
  if (failure.offset_size() > 0) return 0;
  double producers = 0;
  double share = 0;
  for (const schema::Producer& producer : ground.scenario->producer()) {
    const bool subscribed = std::any_of(
        ground.group->subscribe().begin(), ground.group->subscribe().end(),
        [&](const schema::Subscription& subscription) {
          return subscription.topic() == producer.topic();
        });
    if (!subscribed) continue;
    ++producers;
    if (failure.has_topic() && failure.topic() != producer.topic()) continue;
    double own = 1;
    if (failure.has_tag()) own *= ShareOfTag(failure, producer);
    if (failure.key_size() > 0) own *= ShareOfKeys(failure, producer.key());
    if (failure.has_queues()) {
      for (const schema::Topic& topic : ground.scenario->topic()) {
        if (topic.name() != producer.topic()) continue;
        own *=
            static_cast<double>(growth.CountQueues(topic, failure.queues())) /
            std::max<double>(static_cast<double>(growth.CountQueues(topic, "")),
                             1);
      }
    }
    share += own;
  }
  // Messages that were stored beforehand have neither tags nor keys.
  const double of_all = producers > 0 ? share / producers
                        : failure.has_tag() || failure.key_size() > 0 ? 0
                                                                      : 1;
  return of_all * InThousand(failure.has_per_mille_of_messages(),
                             failure.per_mille_of_messages());
}

// Whether a call of several messages leaves some that fail.
double ShareBehind(const schema::Failure& failure,
                   const schema::ConsumeSettings& consume) {
  if (!failure.has_ack_index()) return 1;
  const double batch = std::max(consume.consume_message_batch_max_size(), 1);
  return std::max(batch - 1 - failure.ack_index(), 0.0) / batch;
}

// How likely so much of the run is left.
double ChanceOfLeft(const FailingGround& ground, double seconds) {
  if (seconds <= ground.least_left) return 1;
  if (seconds >= ground.most_left) return 0;
  return (ground.most_left - seconds) / (ground.most_left - ground.least_left);
}

// One failure of concurrent consumption: back to the broker and again.
void AddSentBack(const FailingGround& ground, const schema::Failure& failure,
                 const schema::ConsumeSettings& consume, double share,
                 Failing& sum) {
  const double chance =
      InThousand(failure.has_per_mille(), failure.per_mille());
  const int64_t most =
      consume.max_reconsume_times() > 0 || (consume.has_max_reconsume_times() &&
                                            consume.max_reconsume_times() == 0)
          ? consume.max_reconsume_times()
          : 16;
  if (failure.delay_level() < 0) {
    sum.dead_letters += share * chance;
    return;
  }
  const int64_t times = failure.has_times()
                            ? failure.times()
                            : std::numeric_limits<int64_t>::max();
  // More change nothing: by then the run is over, or the chance gone.
  constexpr int64_t kMost = 10'000;
  double fails = share;
  double waited = 0;
  for (int64_t i = 0; i < std::min(times, kMost); ++i) {
    fails *= chance;
    if (fails < share * 1e-6) return;
    if (i >= most) {
      sum.dead_letters += fails * ChanceOfLeft(ground, waited);
      return;
    }
    const int64_t level =
        failure.delay_level() > 0 ? failure.delay_level() : 3 + i;
    waited += static_cast<double>(
                  ground.levels
                      ->DelayOf(static_cast<int32_t>(
                          std::min<int64_t>(level, ground.levels->max())))
                      .nanos()) /
              1e9;
    const double in_time = ChanceOfLeft(ground, waited);
    if (in_time == 0) return;
    sum.retries += fails * in_time;
  }
}

// One failure of orderly consumption: its queue rests.
void AddRests(const FailingGround& ground, const schema::Failure& failure,
              const schema::ConsumeSettings& consume, double share,
              Failing& sum) {
  const double rest = std::clamp(
      SecondsOr(consume.suspend_current_queue_time_millis(), 1), 0.01, 30.0);
  const double chance =
      InThousand(failure.has_per_mille(), failure.per_mille());
  double most =
      consume.has_max_reconsume_times() && consume.max_reconsume_times() >= 0
          ? consume.max_reconsume_times()
          : kEver;
  // Nobody counts how often a message is rolled back.
  if (failure.how() == schema::Failure::ROLLBACK) most = kEver;
  if (failure.has_times()) {
    most = std::min(most, static_cast<double>(failure.times()));
  }
  most = std::min(most, ground.length / rest);
  const double retries =
      chance >= 1 ? most : chance * (1 - std::pow(chance, most)) / (1 - chance);
  sum.retries += share * retries;
  sum.rest_seconds += share * retries * rest;
}

}  // namespace

Failing FailingOf(const FailingGround& ground, const schema::Consumer& block) {
  const schema::Listener& listener = ListenerOf(*ground.group, block);
  const schema::ConsumeSettings consume = ConsumeOf(*ground.group, block);
  Failing sum;
  for (const schema::Failure& failure : listener.fails()) {
    const double share = ShareOf(ground, failure);
    const double chance =
        InThousand(failure.has_per_mille(), failure.per_mille());
    sum.held_seconds += share * chance * SecondsOr(failure.lasts(), 0);
    if (failure.how() == schema::Failure::HANG && !failure.has_ack_index()) {
      if (!failure.has_lasts()) sum.stuck += share * chance;
      continue;
    }
    if (failure.how() == schema::Failure::COMMIT) continue;  // A success.
    if (IsOrderly(*ground.group, block)) {
      AddRests(ground, failure, consume, share, sum);
    } else {
      AddSentBack(ground, failure, consume,
                  share * ShareBehind(failure, consume), sum);
    }
  }
  return sum;
}

}  // namespace groupsim
