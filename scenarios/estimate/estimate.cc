#include "scenarios/estimate/estimate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

double SecondsOr(const std::string& text, double otherwise) {
  const absl::StatusOr<Duration> duration = ParseDuration(text);
  return duration.ok() ? static_cast<double>(duration->nanos()) / 1e9
                       : otherwise;
}

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

double RateAt(const schema::Recorded& recorded, double time, bool straight) {
  double before_time = 0;
  double before = 0;
  for (const schema::RatePoint& point : recorded.point()) {
    const double at = SecondsOr(point.time(), 0);
    const auto rate = static_cast<double>(point.per_second());
    if (at > time) {
      return straight && at > before_time
                 ? before + (rate - before) * (time - before_time) /
                                (at - before_time)
                 : before;
    }
    before_time = at;
    before = rate;
  }
  return before;
}

// Messages a second at a time since the begin of a rate.
double RateAt(const schema::Rate& rate, double time, double length) {
  constexpr double kDay = 86'400;
  switch (rate.amount_case()) {
    case schema::Rate::kPerSecond:
      return static_cast<double>(rate.per_second());
    case schema::Rate::kEvery: {
      const double every = SecondsOr(rate.every(), 0);
      return every > 0 ? 1 / every : 0;
    }
    case schema::Rate::kRamp: {
      const auto from = static_cast<double>(rate.ramp().from_per_second());
      const auto to = static_cast<double>(rate.ramp().to_per_second());
      const double over = SecondsOr(rate.ramp().over(), length);
      return time >= over ? to : from + (to - from) * time / over;
    }
    case schema::Rate::kBurst: {
      const schema::Burst& burst = rate.burst();
      const double every = SecondsOr(burst.every(), 1);
      const double lasts = std::min(SecondsOr(burst.lasts(), 0), every);
      const auto low = static_cast<double>(burst.per_second());
      const auto high = static_cast<double>(burst.burst_per_second());
      return every > 0 ? low + (high - low) * lasts / every : low;
    }
    case schema::Rate::kStep:
      return RateAt(rate.step(), time, false);
    case schema::Rate::kDaily:
      return RateAt(rate.daily(), std::fmod(time, kDay), false);
    case schema::Rate::kRecorded:
      return RateAt(rate.recorded(), time, true);
    default:
      return 0;
  }
}

bool Changes(const schema::Rate& rate) {
  return rate.has_ramp() || rate.has_step() || rate.has_daily() ||
         rate.has_recorded();
}

double LengthOf(const Scenario& scenario, const schema::Producer& producer) {
  const double end = SecondsOr(scenario.duration(), 60);
  const double until = std::min(SecondsOr(producer.until(), end), end);
  return std::max(until - SecondsOr(producer.from(), 0), 0.0);
}

// What is known of one topic.
struct Topic {
  double queues = 0;
  double brokers = 0;
  double stored = 0;  // Beforehand.
  double sent = 0;
  double per_second = 0;  // While messages are sent.
};

// How many queues a text names, "" being all.
double QueuesIn(const std::string& text, const schema::Topic& topic) {
  const double all = topic.queues_per_broker();
  if (text.empty()) return all * topic.broker_size();
  double queues = 0;
  const absl::StatusOr<std::vector<QueueRange>> ranges = ParseQueues(text);
  if (!ranges.ok()) return 0;
  for (const QueueRange& range : *ranges) {
    queues += range.last == QueueRange::kAllQueues
                  ? all
                  : std::max(range.last - range.first + 1, 0);
  }
  return queues;
}

std::map<std::string, Topic> TopicsOf(const Scenario& scenario) {
  std::map<std::string, Topic> topics;
  for (const schema::Topic& written : scenario.topic()) {
    Topic& topic = topics[written.name()];
    topic.brokers = written.broker_size();
    topic.queues = QueuesIn("", written);
    for (const schema::StoredMessages& stored : written.stored()) {
      topic.stored += static_cast<double>(stored.messages()) *
                      QueuesIn(stored.queues(), written);
    }
  }
  for (const schema::Producer& producer : scenario.producer()) {
    Topic& topic = topics[producer.topic()];
    const double messages = MessagesOf(scenario, producer);
    topic.sent += messages;
    const double length = LengthOf(scenario, producer);
    if (length > 0) topic.per_second += messages / length;
  }
  return topics;
}

double ConsumersOf(const schema::Group& group) {
  double consumers = 0;
  for (const schema::Consumer& consumer : group.consumer()) {
    consumers += consumer.has_count() ? consumer.count() : 1;
  }
  return consumers;
}

// Messages that the listeners of a group can finish in a second.
double CapacityOf(const schema::Group& group) {
  double capacity = 0;
  for (const schema::Consumer& consumer : group.consumer()) {
    schema::ConsumeSettings consume = group.consume();
    consume.MergeFrom(consumer.consume());
    const double threads =
        consume.has_consume_thread_min()   ? consume.consume_thread_min()
        : consume.has_consume_thread_max() ? consume.consume_thread_max()
                                           : 20;
    const schema::Listener& listener =
        consumer.has_listener() ? consumer.listener() : group.listener();
    const double batch = std::max(consume.consume_message_batch_max_size(), 1);
    const double call = MeanOf(listener.service_time(), 0.001) +
                        batch * MeanOf(listener.service_time_per_message(), 0);
    capacity += (consumer.has_count() ? consumer.count() : 1) * threads *
                batch / std::max(call, 1e-6);
  }
  return capacity;
}

// Deliveries after the first, for each message.
double RetriesOf(const schema::Group& group) {
  double retries = 0;
  for (const schema::Failure& failure : group.listener().fails()) {
    // One that fails for ever soon waits for minutes.
    const double times =
        failure.has_times() ? std::min<double>(failure.times(), 8) : 8;
    const double chance =
        (failure.has_per_mille() ? failure.per_mille() : 1000) / 1000.0;
    const bool few = failure.offset_size() > 0 || failure.key_size() > 0;
    if (few) continue;
    retries += chance >= 1 ? times : chance / (1 - chance);
  }
  return retries;
}

// How often members of a group come or go because of the timeline.
double ChangesOf(const Scenario& scenario, const schema::Group& group) {
  const double end = SecondsOr(scenario.duration(), 60);
  const double consumers = ConsumersOf(group);
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

// Costs in events, found by runs of many sizes.
constexpr double kOfSending = 3;      // Arrival, request, answer.
constexpr double kOfListening = 1;    // The end of a call.
constexpr double kOfPulling = 2.8;    // A pull that found messages.
constexpr double kOfEmptyPull = 5.8;  // One that did not, with its timers.
constexpr double kEmptyPullSeconds = 17.5;
constexpr double kOfRetry = 8;
// Of a consumer in a second: by itself, for each broker, for each topic.
constexpr double kOfConsumer = 0.5;
constexpr double kOfConsumerAndBroker = 0.1;
constexpr double kOfConsumerAndTopic = 0.18;
constexpr double kOfBroker = 0.5;

// Costs in bytes.
constexpr double kOfProgram = 14 << 20;
constexpr double kOfMessage = 22;
constexpr double kOfProcess = 16 << 10;
constexpr double kOfQueue = 1 << 10;

constexpr double kEventsPerSecond = 2e6;
constexpr double kStartUpSeconds = 0.02;

}  // namespace

double MessagesOf(const Scenario& scenario, const schema::Producer& producer) {
  constexpr int kSteps = 2'000;
  const double length = LengthOf(scenario, producer);
  double messages = 0;
  if (Changes(producer.rate())) {
    for (int i = 0; i < kSteps; ++i) {
      messages += RateAt(producer.rate(), (i + 0.5) * length / kSteps, length) *
                  length / kSteps;
    }
  } else {
    messages = RateAt(producer.rate(), 0, length) * length;
  }
  if (producer.has_messages()) {
    messages = std::min(messages, static_cast<double>(producer.messages()));
  }
  return messages * (producer.has_count() ? producer.count() : 1);
}

Estimate EstimateRun(const Scenario& scenario) {
  const double length = SecondsOr(scenario.duration(), 60);
  const double brokers = scenario.broker_size();
  const std::map<std::string, Topic> topics = TopicsOf(scenario);
  // A pull of a busy queue finds what came while the last one was under way.
  const double round_trip = 2 * MeanOf(scenario.network().same_room(), 0.00025);

  Estimate estimate;
  estimate.memory_bytes = kOfProgram;
  estimate.events = kOfBroker * brokers * length;
  for (const auto& [name, topic] : topics) {
    estimate.messages += topic.stored + topic.sent;
    estimate.events += kOfSending * topic.sent;
  }
  for (const schema::Group& group : scenario.group()) {
    const double consumers = ConsumersOf(group);
    const double copies =
        group.message_model() == schema::Group::BROADCASTING ? consumers : 1;
    double queues = brokers;  // Of the retry topic.
    double sent = 0;
    double old = 0;
    double pulls = 0;
    double empty_pulls = brokers * length / kEmptyPullSeconds;
    for (const schema::Subscription& subscription : group.subscribe()) {
      const auto found = topics.find(subscription.topic());
      if (found == topics.end()) continue;
      const Topic& topic = found->second;
      queues += topic.queues;
      sent += topic.sent;
      if (group.consume_from_where() == schema::CONSUME_FROM_FIRST_OFFSET ||
          group.committed_size() > 0) {
        old += topic.stored;
      }
      const double of_queue = topic.per_second / std::max(topic.queues, 1.0);
      pulls += topic.sent / (1 + of_queue * round_trip);
      empty_pulls += topic.queues * length /
                     (kEmptyPullSeconds * (1 + of_queue * kEmptyPullSeconds));
    }
    const double deliveries =
        std::min((sent + old) * (1 + RetriesOf(group)) * copies,
                 CapacityOf(group) * length);
    const double kept_up =
        sent + old > 0 ? std::min(deliveries / (sent + old), 1.0) : 1;
    const double topics_of_group = group.subscribe_size() + 1;
    const double changes = consumers + ChangesOf(scenario, group);
    estimate.deliveries += deliveries;
    estimate.events +=
        kOfListening * deliveries + kOfPulling * pulls * kept_up * copies +
        kOfPulling * old / 32 + kOfRetry * sent * RetriesOf(group) +
        kOfEmptyPull * empty_pulls * copies +
        consumers * length *
            (kOfConsumer + kOfConsumerAndBroker * brokers +
             kOfConsumerAndTopic * topics_of_group) +
        // Who starts tells the others; each of them asks and answers.
        changes * (consumers / 2) * brokers * 1.3 +
        changes * (4 * brokers + 2 * topics_of_group) + 4 * queues;
    estimate.memory_bytes += kOfQueue * queues + kOfProcess * consumers;
  }
  estimate.memory_bytes += kOfMessage * estimate.messages +
                           kOfProcess * (brokers + scenario.producer_size());
  estimate.seconds = kStartUpSeconds + estimate.events / kEventsPerSecond;
  return estimate;
}

}  // namespace groupsim
