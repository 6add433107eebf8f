#include "scenarios/estimate/estimate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "model/broker/delay_levels.h"
#include "model/broker/settings.h"
#include "scenarios/estimate/failing.h"
#include "scenarios/estimate/seconds.h"
#include "scenarios/reader/expressions.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/reader/traffic.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

// The mean, or about it, in seconds.
double MeanOf(const schema::Distribution& law, double otherwise) {
  switch (law.law_case()) {
    case schema::Distribution::kConstant:
      return SecondsOr(law.constant(), otherwise);
    case schema::Distribution::kUniform:
      return (SecondsOr(law.uniform().min(), 0) +
              SecondsOr(law.uniform().max(), 0)) /
             2;
    case schema::Distribution::kExponential:
      return SecondsOr(law.exponential().mean(), otherwise);
    case schema::Distribution::kLognormal: {
      const schema::Lognormal& lognormal = law.lognormal();
      const double median = SecondsOr(lognormal.median(), otherwise);
      // Quantiles of the standard normal distribution.
      const double tail = lognormal.has_p90()    ? 1.2816
                          : lognormal.has_p999() ? 3.0902
                                                 : 2.3263;
      const double high = SecondsOr(lognormal.has_p90()    ? lognormal.p90()
                                    : lognormal.has_p999() ? lognormal.p999()
                                                           : lognormal.p99(),
                                    median);
      if (median <= 0 || high <= median) return median;
      const double sigma = std::log(high / median) / tail;
      return median * std::exp(sigma * sigma / 2);
    }
    case schema::Distribution::kBimodal: {
      const double seldom = law.bimodal().seldom_per_mille() / 1000.0;
      return (1 - seldom) * MeanOf(law.bimodal().often(), otherwise) +
             seldom * MeanOf(law.bimodal().seldom(), otherwise);
    }
    case schema::Distribution::kEmpirical: {
      double sum = 0;
      double weights = 0;
      for (const schema::WeightedValue& value : law.empirical().value()) {
        const double weight =
            value.has_weight() ? static_cast<double>(value.weight()) : 1;
        sum += weight * SecondsOr(value.value(), 0);
        weights += weight;
      }
      return weights > 0 ? sum / weights : otherwise;
    }
    default:
      return otherwise;
  }
}

// The levels of the first broker.
DelayLevels DelayLevelsOf(const Scenario& scenario) {
  schema::BrokerSettings settings = scenario.broker_defaults();
  if (scenario.broker_size() > 0) {
    settings.MergeFrom(scenario.broker(0).settings());
  }
  return Valid(DelayLevels::Parse(settings.has_message_delay_level()
                                      ? settings.message_delay_level()
                                      : BrokerSettings().message_delay_level));
}

// What is known of one topic.
struct Topic {
  double queues = 0;
  double brokers = 0;
  double stored = 0;  // Beforehand.
  double sent = 0;
  double delayed = 0;     // Of those, sent to wait at the broker.
  double per_second = 0;  // While messages are sent.
};

std::map<std::string, Topic> TopicsOf(const Scenario& scenario,
                                      const Growth& growth) {
  std::map<std::string, Topic> topics;
  const Traffic traffic(scenario);
  for (const schema::Topic& written : scenario.topic()) {
    Topic& topic = topics[written.name()];
    topic.brokers = written.broker_size();
    topic.queues = static_cast<double>(growth.MostQueues(written));
    for (const schema::StoredMessages& stored : written.stored()) {
      topic.stored +=
          static_cast<double>(stored.messages()) *
          static_cast<double>(growth.CountQueues(written, stored.queues()));
    }
  }
  for (const schema::Producer& producer : scenario.producer()) {
    Topic& topic = topics[producer.topic()];
    const double messages = traffic.MostMessages(producer);
    topic.sent += messages;
    if (producer.has_delay_level()) topic.delayed += messages;
    const double length = traffic.LengthOf(producer);
    if (length > 0) topic.per_second += messages / length;
  }
  return topics;
}

// The most that there ever are.
double ConsumersOf(const schema::Group& group, const Growth& growth) {
  double consumers = 0;
  for (const schema::Consumer& consumer : group.consumer()) {
    consumers += growth.LargestCount(consumer);
  }
  return consumers;
}

// The messages of a group, in messages of the whole run.
struct Consumed {
  double distinct = 0;    // Delivered at least once,
  double deliveries = 0;  // with all deliveries.
  double retries = 0;     // That went by the broker,
  double dead_letters = 0;
};

// How fast the consumers of a block are.
double CallSeconds(const schema::Group& group, const schema::Consumer& block,
                   double batch) {
  const schema::Listener& listener = ListenerOf(group, block);
  const double per_cent =
      listener.has_time_per_cent() ? listener.time_per_cent() : 100;
  return (MeanOf(listener.service_time(), 0.001) +
          batch * MeanOf(listener.service_time_per_message(), 0)) *
         per_cent / 100;
}

// How many messages a call has; an application works on what one pull found.
double BatchOf(const schema::Group& group, const schema::Consumer& block,
               const schema::ConsumeSettings& consume) {
  if (IsLitePull(group, block)) {
    const schema::LitePullSettings& pull = consume.lite_pull();
    return pull.has_pull_batch_size() ? pull.pull_batch_size() : 10;
  }
  if (IsPull(group, block)) {
    return consume.pull().has_max_nums() ? consume.pull().max_nums() : 32;
  }
  return std::max(consume.consume_message_batch_max_size(), 1);
}

// Of a consumer, to work on messages.
double ThreadsOf(const schema::Group& group, const schema::Consumer& block,
                 const schema::ConsumeSettings& consume) {
  if (IsLitePull(group, block)) {
    return std::max(consume.lite_pull().worker_threads(), 1);
  }
  if (IsPull(group, block)) {
    const schema::PullSettings& pull = consume.pull();
    return pull.has_pull_thread_nums() ? pull.pull_thread_nums() : 20;
  }
  return consume.has_consume_thread_min()   ? consume.consume_thread_min()
         : consume.has_consume_thread_max() ? consume.consume_thread_max()
                                            : 20;
}

// What the consumers of a group do with so many messages in so many queues;
// each block has its share of both.
Consumed ConsumedBy(const FailingGround& ground, const Growth& growth,
                    double messages, double queues) {
  const schema::Group& group = *ground.group;
  double consumers = 0;
  for (const schema::Consumer& block : group.consumer()) {
    consumers += growth.LargestCount(block);
  }
  Consumed sum;
  for (const schema::Consumer& block : group.consumer()) {
    const double count = growth.LargestCount(block);
    const double share = count / std::max(consumers, 1.0);
    const schema::ConsumeSettings consume = ConsumeOf(group, block);
    const bool orderly = IsOrderly(group, block);
    const bool pulls = ApplicationPulls(group, block);
    const double batch = BatchOf(group, block, consume);
    Failing failing = FailingOf(ground, block);
    if (pulls ||
        (group.message_model() == schema::Group::BROADCASTING && !orderly)) {
      failing.retries = 0;  // What failed is forgotten.
      failing.dead_letters = 0;
    }
    const double call = std::max(
        CallSeconds(group, block, batch) / batch + failing.held_seconds, 1e-6);
    // One thread of a consumer works on an orderly queue, and on one whose task
    // pulls.
    const double threads = ThreadsOf(group, block, consume);
    const double workers = orderly || IsPull(group, block)
                               ? std::min(count * threads, share * queues)
                               : count * threads;
    const double each = call * (1 + failing.retries) + failing.rest_seconds;
    double most = workers * ground.length / each;
    if (failing.stuck > 0) most = std::min(most, workers / failing.stuck);
    const double distinct = std::min(share * messages, most);
    sum.distinct += distinct;
    sum.deliveries += distinct * (1 + failing.retries);
    if (orderly) continue;
    sum.retries += distinct * failing.retries;
    sum.dead_letters += distinct * failing.dead_letters;
  }
  return sum;
}

// How often members of a group come or go because of the timeline.
double ChangesOf(const Scenario& scenario, const schema::Group& group,
                 double consumers) {
  const double end = SecondsOr(scenario.duration(), 60);
  double changes = 0;
  for (const schema::Event& event : scenario.at()) {
    double one = 0;
    for (const schema::Processes* processes :
         {&event.start(), &event.stop(), &event.crash(), &event.vanish(),
          &event.restart().processes()}) {
      one += processes->consumer_size() + processes->group_size() * consumers;
    }
    if (event.rolling_restart().group() == group.name()) one += 2 * consumers;
    if (event.has_scale()) one += event.scale().to();
    const double every = SecondsOr(event.every(), 0);
    changes += event.has_every() && every > 0 ? one * end / every : one;
  }
  return changes;
}

// The most notices of new members that a broker of a group has on their way at
// one time: those who start together are told of each other, and so is
// everybody who is there already; but the first heartbeats of processes that
// start at one time are spread over some milliseconds.
double NoticesAtOnce(const Scenario& scenario, const schema::Group& group,
                     double consumers) {
  constexpr double kTogether = 0.0005;  // Seconds; about what a notice needs.
  constexpr double kAtOnce = 0.15;      // Of what they make up in all.
  std::map<double, double> starts;      // How many, by time.
  std::map<std::string, double> blocks;
  for (const schema::Consumer& block : group.consumer()) {
    const double count = block.has_count() ? block.count() : 1;
    if (count <= 0) continue;
    blocks[block.name()] = count;
    starts[SecondsOr(block.start_at(), 0)] +=
        SecondsOr(block.stagger(), 0) < kTogether ? count : 1;
  }
  double notices = 0;
  double present = 0;
  for (const auto& [time, count] : starts) {
    notices = std::max(notices, count * present + count * count / 2);
    present += count;
  }
  // While some come back or come later, the others are there.
  for (const schema::Event& event : scenario.at()) {
    double count = 0;
    for (const schema::Processes* processes :
         {&event.start(), &event.restart().processes()}) {
      for (const std::string& name : processes->group()) {
        if (name == group.name()) count += consumers;
      }
    }
    const auto block = blocks.find(event.scale().consumer());
    if (block != blocks.end() &&
        SecondsOr(event.scale().stagger(), 0) < kTogether) {
      count += std::max(event.scale().to() - block->second, 0.0);
    }
    count = std::min(count, consumers);
    notices =
        std::max(notices, count * (consumers - count) + count * count / 2);
  }
  return notices * kAtOnce;
}

// Costs in events, found by runs of many sizes.
constexpr double kOfSending = 3;      // Arrival, request, answer.
constexpr double kOfListening = 1;    // The end of a call.
constexpr double kOfPulling = 2.8;    // A pull that found messages.
constexpr double kOfEmptyPull = 5.8;  // One that did not, with its timers.
constexpr double kEmptyPullSeconds = 17.5;

// From a pull of a queue that finds nothing to the next, of all consumers.
double EmptyPullSeconds(const schema::Group& group, const Growth& growth,
                        double round_trip) {
  double rate = 0;
  double consumers = 0;
  for (const schema::Consumer& block : group.consumer()) {
    double seconds = kEmptyPullSeconds;
    const schema::ConsumeSettings consume = ConsumeOf(group, block);
    if (IsPull(group, block) && !consume.pull().block_if_not_found()) {
      seconds = SecondsOr(consume.pull().pull_next_delay_time_millis(), 0.2) +
                std::max(round_trip, 0.001);
    }
    const double count = growth.LargestCount(block);
    consumers += count;
    rate += count / seconds;
  }
  return rate > 0 ? consumers / rate : kEmptyPullSeconds;
}
constexpr double kOfRetry = 5;
constexpr double kOfDeadLetter = 3;
// Of a queue of which too much is cached, in a second.
constexpr double kOfFullQueue = 20;
// Of a consumer in a second: by itself, for each broker, for each topic.
constexpr double kOfConsumer = 0.5;
constexpr double kOfConsumerAndBroker = 0.1;
constexpr double kOfConsumerAndTopic = 0.18;
constexpr double kOfBroker = 0.5;

// Costs in bytes.
constexpr double kOfProgram = 14 << 20;
constexpr double kOfMessage = 22;
constexpr double kOfCopy = 240;  // Of a retry or dead letter, with properties.
constexpr double kOfDelayed = 50;
constexpr double kOfProcess = 18 << 10;
constexpr double kOfQueue = 1 << 10;
constexpr double kOfQueueAndConsumer = 24;  // In the routes that it keeps.
constexpr double kOfFollower = 9;  // Of a message, for one more member.
constexpr double kOfNotice = 270;  // While it is on its way.

constexpr double kEventsPerSecond = 2e6;
constexpr double kStartUpSeconds = 0.02;

// The tags that some consumer of the group wants of a topic; none for all
// messages.
std::set<std::string> TagsWanted(const schema::Group& group,
                                 const std::string& topic) {
  std::set<std::string> all;
  for (const schema::Consumer& block : group.consumer()) {
    for (const schema::Subscription& one : SubscriptionsOf(group, block)) {
      if (one.topic() != topic) continue;
      const std::set<std::string> tags = TagsOf(one.expression());
      if (tags.empty()) return tags;
      all.insert(tags.begin(), tags.end());
    }
  }
  return all;
}

// How much of what is sent to the topic has one of the tags, as if all
// producers sent as much.
double ShareWanted(const Scenario& scenario, const std::set<std::string>& tags,
                   const std::string& topic) {
  if (tags.empty()) return 1;
  double producers = 0;
  double share = 0;
  for (const schema::Producer& producer : scenario.producer()) {
    if (producer.topic() != topic) continue;
    ++producers;
    double all = 0;
    double wanted = 0;
    for (const schema::Tag& tag : producer.tag()) {
      const double weight =
          tag.has_weight() ? static_cast<double>(tag.weight()) : 1;
      all += weight;
      if (tags.contains(tag.name())) wanted += weight;
    }
    if (all > 0) share += wanted / all;
  }
  return producers > 0 ? share / producers : 1;
}

}  // namespace

Estimate EstimateRun(const Scenario& scenario) {
  const double length = SecondsOr(scenario.duration(), 60);
  const double brokers = scenario.broker_size();
  const Growth growth(scenario);
  const std::map<std::string, Topic> topics = TopicsOf(scenario, growth);
  // A pull of a busy queue finds what came while the last one was under way.
  const double round_trip = 2 * MeanOf(scenario.network().same_room(), 0.00025);

  const DelayLevels levels = DelayLevelsOf(scenario);
  FailingGround ground{.scenario = &scenario,
                       .growth = &growth,
                       .length = length,
                       .most_left = length,
                       .levels = &levels};
  double last_send = 0;
  for (const schema::Producer& producer : scenario.producer()) {
    last_send = std::max(last_send, SecondsOr(producer.until(), length));
  }
  if (scenario.producer_size() > 0) {
    ground.least_left = std::max(length - last_send, 0.0);
  }

  Estimate estimate;
  estimate.memory_bytes = kOfProgram;
  estimate.events = kOfBroker * brokers * length;
  for (const auto& [name, topic] : topics) {
    estimate.messages += topic.stored + topic.sent;
    estimate.events += kOfSending * topic.sent;
    estimate.memory_bytes += kOfDelayed * topic.delayed;
  }
  for (const schema::Group& group : scenario.group()) {
    const double consumers = ConsumersOf(group, growth);
    const bool broadcasts =
        group.message_model() == schema::Group::BROADCASTING;
    const double copies = broadcasts ? consumers : 1;
    const double retry_queues = broadcasts ? 0 : brokers;
    double queues = retry_queues;
    double sent = 0;
    double old = 0;
    double pulls = 0;
    double empty_pulls = retry_queues * length / kEmptyPullSeconds;
    double left_out = 0;
    const double empty_seconds = EmptyPullSeconds(group, growth, round_trip);
    for (const schema::Subscription& subscription : group.subscribe()) {
      const auto found = topics.find(subscription.topic());
      if (found == topics.end()) continue;
      const Topic& topic = found->second;
      queues += topic.queues;
      const double share =
          ShareWanted(scenario, TagsWanted(group, subscription.topic()),
                      subscription.topic());
      sent += topic.sent * share;
      left_out += topic.sent * (1 - share);
      if (group.consume_from_where() == schema::CONSUME_FROM_FIRST_OFFSET ||
          group.committed_size() > 0) {
        old += topic.stored;
      }
      const double of_queue = topic.per_second / std::max(topic.queues, 1.0);
      pulls += topic.sent * share / (1 + of_queue * round_trip);
      // Messages wake pulls that are held.
      empty_pulls += topic.queues * length /
                     (empty_seconds * (1 + of_queue * empty_seconds));
    }
    ground.group = &group;
    const Consumed consumed = ConsumedBy(ground, growth, (sent + old) * copies,
                                         (queues - retry_queues) * copies);
    const double kept_up =
        sent + old > 0
            ? std::min(consumed.distinct / ((sent + old) * copies), 1.0)
            : 1;
    const double topics_of_group =
        group.subscribe_size() + (broadcasts ? 0 : 1);
    const double changes = consumers + ChangesOf(scenario, group, consumers);
    estimate.deliveries += consumed.deliveries;
    estimate.events +=
        kOfListening * consumed.deliveries +
        kOfPulling * pulls * kept_up * copies +
        kOfFullQueue * (1 - kept_up) * (queues - retry_queues) * copies *
            length +
        kOfPulling * old / 32 * copies + kOfRetry * consumed.retries +
        kOfDeadLetter * consumed.dead_letters +
        kOfEmptyPull * empty_pulls * copies +
        consumers * length *
            (kOfConsumer + kOfConsumerAndBroker * brokers +
             kOfConsumerAndTopic * topics_of_group) +
        // Who starts tells the others; each of them asks and answers. Who
        // broadcasts does not care.
        (broadcasts ? 0 : changes * (consumers / 2) * brokers * 1.3) +
        changes * (4 * brokers + 2 * topics_of_group) + 4 * queues;
    estimate.memory_bytes +=
        kOfCopy * (consumed.retries + consumed.dead_letters) +
        kOfQueue * queues + kOfProcess * consumers +
        kOfQueueAndConsumer * queues * consumers +
        kOfFollower * (sent + old) * (copies - 1) + kOfFollower * left_out +
        kOfNotice * NoticesAtOnce(scenario, group, consumers);
  }
  double producers = 0;
  for (const schema::Producer& producer : scenario.producer()) {
    producers += producer.has_count() ? producer.count() : 1;
  }
  estimate.memory_bytes +=
      kOfMessage * estimate.messages + kOfProcess * (brokers + producers);
  estimate.seconds = kStartUpSeconds + estimate.events / kEventsPerSecond;
  return estimate;
}

}  // namespace groupsim
