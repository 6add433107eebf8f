#include "tests/swarm/swarm.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "scenarios/reader/reader.h"
#include "sim/random/stream.h"

namespace groupsim {
namespace {

// Draws the parts of one scenario, as text.
class Composer {
 public:
  explicit Composer(uint64_t number)
      : draws_(StreamKey::For(number, "swarm", "scenario")),
        failure_draws_(StreamKey::For(number, "swarm", "failures")),
        orderly_(StreamKey::For(number, "swarm", "orderly")),
        producing_(StreamKey::For(number, "swarm", "producers")),
        rates_(StreamKey::For(number, "swarm", "rates")),
        broadcasting_(StreamKey::For(number, "swarm", "broadcasting")),
        commits_(StreamKey::For(number, "swarm", "commits")),
        kinds_(StreamKey::For(number, "swarm", "producers of a kind")),
        sifting_(StreamKey::For(number, "swarm", "sifting")),
        polling_(StreamKey::For(number, "swarm", "polling")),
        meddling_(StreamKey::For(number, "swarm", "meddling")),
        number_(number) {}

  std::string Compose() {
    seconds_ = Between(30, 180);
    Add("seed: ", number_ + 1, " duration: \"", seconds_, "s\"");
    Cluster();
    Producers();
    Groups();
    Network();
    Events();
    Disturbances();
    Meddlers();
    Changes();
    Locks();
    return text_;
  }

 private:
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(
                     draws_.Below(static_cast<uint64_t>(high - low + 1)));
  }
  bool Chance(int64_t percent) { return Between(1, 100) <= percent; }
  // The same, of what fails and what waits.
  bool Fails(int64_t percent) {
    return static_cast<int64_t>(failure_draws_.Below(100)) < percent;
  }
  // The same, of how producers send.
  bool Sends(int64_t percent) {
    return static_cast<int64_t>(producing_.Below(100)) < percent;
  }
  // The same, of how much comes and what it is about.
  bool Varies(int64_t percent) {
    return static_cast<int64_t>(rates_.Below(100)) < percent;
  }
  template <class... Parts>
  void Add(const Parts&... parts) {
    absl::StrAppend(&text_, parts..., "\n");
  }

  void Cluster() {
    name_servers_ = Between(1, 2);
    if (name_servers_ == 2) Add("name_server { count: 2 }");
    brokers_ = Between(1, 3);
    for (int64_t i = 0; i < brokers_; ++i) {
      Add("broker { name: \"b-", i, "\"",
          Chance(20) ? " settings { long_polling_enable: false }" : "", " }");
    }
    const bool delays = Fails(70);
    const bool deletes = meddling_.Below(3) == 0;
    if (delays || deletes) {
      Add("broker_defaults {",
          delays ? " message_delay_level: \"1s 3s 2s 4s\"" : "",
          deletes ? " file_reserved_time: '5s' delete_when: '00' "
                    "mapped_file_size_commit_log: '32KiB'"
                  : "",
          " }");
    }
    topics_ = Between(1, 3);
    for (int64_t i = 0; i < topics_; ++i) {
      Add("topic { name: \"t-", i, "\" queues_per_broker: ", Between(1, 8),
          Chance(25) ? " stored { messages: 50 }" : "", " }");
    }
  }

  void Producers() {
    const int64_t count = Between(1, 2);
    for (int64_t i = 0; i < count; ++i) {
      Add("producer { name: \"p-", i, "\" topic: \"t-", Between(0, topics_ - 1),
          "\" rate { ", Amount(Between(1, 200)),
          Chance(50) ? " arrivals: POISSON" : "", " }", SendMode(), Content(),
          Chance(30) ? " body_size { uniform { min: 0 max: \"4KiB\" } }" : "",
          Fails(20) ? " delay_level: 2" : "",
          Sends(30) ? " settings { send_latency_enable: true "
                      "latency_max: '50ms' not_available_duration: '2s' }"
                    : "",
          ProcessesOfAKind(i), " }");
    }
    // A topic whose only broker is gone is made by another one.
    if (brokers_ < 2 || !Sends(15)) return;
    Add("topic { name: \"lost\" broker: \"b-0\" }");
    Add("producer { name: \"late\" topic: \"lost\" from: \"12s\" "
        "rate { per_second: 5 } }");
    Add("at { time: \"5s\" crash { broker: \"b-0\" } }");
  }

  // How many processes send as producer `i` does; notes their names.
  std::string ProcessesOfAKind(int64_t i) {
    if (kinds_.Below(4) > 0) {
      producers_.push_back(absl::StrCat("p-", i));
      return "";
    }
    const uint64_t count = 1 + kinds_.Below(3);
    for (uint64_t n = 0; n < count; ++n) {
      producers_.push_back(absl::StrCat("p-", i, "-", n));
    }
    return absl::StrCat(" count: ", count);
  }

  // In every form that a rate can have, about so many messages a second.
  std::string Amount(int64_t rate) {
    if (!Varies(60)) return absl::StrCat("per_second: ", rate);
    const std::string points = absl::StrCat(
        "{ point { time: '0s' per_second: ", rate, " } point { time: '",
        1 + rates_.Below(20), "s' per_second: 0 } point { time: '30s' ",
        "per_second: ", 2 * rate, " } }");
    switch (rates_.Below(6)) {
      case 0:
        return absl::StrCat("every: '", 1'000'000 / rate, "us'");
      case 1:
        return absl::StrCat("ramp { to_per_second: ", rate,
                            Varies(50) ? " over: '20s'" : "", " }");
      case 2:
        return absl::StrCat("burst { per_second: ", rate / 2,
                            " burst_per_second: ", 5 * rate,
                            " every: '10s' lasts: '2s' }");
      case 3:
        return absl::StrCat("step ", points);
      case 4:
        return absl::StrCat("daily ", points);
      default:
        return absl::StrCat("recorded ", points);
    }
  }

  // What messages are about, and which queue that chooses.
  std::string Content() {
    std::string text;
    if (Varies(40)) {
      static const std::vector<std::string> laws = {"uniform {}", "sequence {}",
                                                    "zipf {}"};
      absl::StrAppend(&text, " key { keys: 7 ", laws[rates_.Below(3)],
                      Varies(50) ? " selects_queue: true" : "", " }");
    }
    if (Varies(40)) {
      absl::StrAppend(&text, " tag { name: 'red' } tag { name: 'blue' weight: ",
                      1 + rates_.Below(5), " }");
    }
    if (Varies(30)) {
      absl::StrAppend(&text, " hot_queue { queues: 'b-0#0' per_mille: ",
                      1 + rates_.Below(1'000), " }");
    }
    return text;
  }

  std::string SendMode() {
    const bool async = Chance(50);
    if (Sends(20)) return " send_mode: ONEWAY";
    return async ? " send_mode: ASYNC" : "";
  }

  std::string Listener() {
    static const std::vector<std::string> laws = {
        "constant: \"1ms\"",
        "uniform { min: \"0s\" max: \"20ms\" }",
        "exponential { mean: \"5ms\" }",
        "lognormal { median: \"4ms\" p99: \"60ms\" }",
        "constant: \"300ms\"",
    };
    std::string text = absl::StrCat("listener { service_time { ",
                                    laws[draws_.Below(laws.size())], " }");
    if (Chance(20)) absl::StrAppend(&text, " hang { offset: 7 }");
    if (Chance(20)) absl::StrAppend(&text, " hang { offset: 9 lasts: \"5s\" }");
    if (Chance(20)) absl::StrAppend(&text, " time_per_cent: 200");
    if (Fails(40)) absl::StrAppend(&text, " fails { per_mille: 20 }");
    if (Fails(30)) {
      absl::StrAppend(&text, " fails { per_mille_of_messages: 10 how: THROW }");
    }
    if (Fails(30)) {
      absl::StrAppend(&text,
                      " fails { per_mille: 30 times: 2 how: NULL_RESULT "
                      "delay_level: 1 }");
    }
    if (Fails(20)) absl::StrAppend(&text, " fails { offset: 20 ack_index: 0 }");
    if (Fails(20)) {
      absl::StrAppend(&text, " fails { offset: 3 delay_level: -1 }");
    }
    if (Varies(20)) {
      absl::StrAppend(&text, " fails { per_mille: 5 how: HANG lasts: '2s' }");
    }
    if (Varies(10)) absl::StrAppend(&text, " fails { offset: 30 how: HANG }");
    return text + " }";
  }

  // The same, where messages are consumed orderly.
  static std::string Orderly(const std::string& listener) {
    return absl::StrReplaceAll(listener, {{" delay_level: 1", ""},
                                          {" delay_level: -1", ""},
                                          {" ack_index: 0", " times: 2"}});
  }

  // The same, of an application that may commit by itself.
  std::string Committing(const std::string& listener) {
    if (commits_.Below(3) > 0) return Orderly(listener);
    return absl::StrCat(
        Orderly(listener.substr(0, listener.size() - 1)),
        "auto_commit: false fails { per_mille: ", 1 + commits_.Below(1'000),
        " how: COMMIT } fails { per_mille: ", 1 + commits_.Below(200),
        " how: ROLLBACK } }");
  }

  // The same, where what failed does not come again.
  static std::string Forgetting(const std::string& listener) {
    return absl::StrReplaceAll(
        listener, {{" delay_level: 1", ""}, {" delay_level: -1", ""}});
  }

  // The same, of an application that pulls.
  static std::string Polled(const std::string& listener) {
    return absl::StrReplaceAll(Forgetting(listener), {{" ack_index: 0", ""}});
  }

  std::string Polling() {
    std::string text = absl::StrCat(
        "mode: LITE_PULL lite_pull { pull_batch_size: ", 1 + polling_.Below(20),
        " pull_thread_nums: ", 1 + polling_.Below(5), " poll_timeout_millis: '",
        polling_.Below(3'000), "ms'");
    if (polling_.Below(2) == 0) absl::StrAppend(&text, " auto_commit: false");
    if (polling_.Below(3) == 0) {
      absl::StrAppend(&text, " worker_threads: ", 1 + polling_.Below(4));
    }
    if (polling_.Below(2) == 0) {
      absl::StrAppend(&text,
                      " pull_threshold_for_queue: ", 1 + polling_.Below(50),
                      " pull_threshold_for_all: ", 1 + polling_.Below(200));
    }
    return text + " }";
  }

  // The same of one whose tasks pull.
  std::string Pulling() {
    std::string text = absl::StrCat(
        "mode: PULL pull { max_nums: ", 1 + polling_.Below(40),
        " pull_thread_nums: ", 1 + polling_.Below(8),
        " pull_next_delay_time_millis: '", polling_.Below(500), "ms'");
    if (polling_.Below(2) == 0) {
      absl::StrAppend(&text, " block_if_not_found: true");
    }
    return text + " }";
  }

  // One more consumer, of a group whose applications pull, of any kind.
  std::string Another(int64_t group) {
    static const std::vector<std::string> modes = {"CONCURRENTLY", "PULL",
                                                   "LITE_PULL"};
    if (polling_.Below(10) >= 3) return "";
    return absl::StrCat(" consumer { name: 'any", group, "' consume { mode: ",
                        modes[polling_.Below(modes.size())], " } }");
  }

  void Groups() {
    const int64_t count = Between(1, 2);
    for (int64_t i = 0; i < count; ++i) {
      // Drawn apart, so that whatever else there is stays as it is.
      const bool orderly = orderly_.Below(10) < 3;
      const bool polls = !orderly && polling_.Below(10) < 3;
      const bool by_tasks = polls && polling_.Below(2) == 0;
      std::string subscribe;
      const int64_t topics = Between(1, topics_);
      for (int64_t t = 0; t < topics; ++t) {
        absl::StrAppend(&subscribe, "subscribe { topic: \"t-", t, "\"",
                        Expression(), " } ");
      }
      const int64_t consumers = Between(1, 5);
      std::string consume;
      std::string span;
      if (Chance(30)) {
        span =
            absl::StrCat(" consume_concurrently_max_span: ", Between(1, 100));
        const int64_t threshold = Between(1, 50);
        consume = absl::StrCat("consume_thread_max: ", Between(1, 4),
                               " pull_threshold_for_queue: ", threshold);
      }
      if (orderly) {
        absl::StrAppend(&consume,
                        " mode: ORDERLY suspend_current_queue_time_millis: \"",
                        orderly_.Below(3'000), "ms\"");
        orderly_groups_ = true;
      } else {
        consume += span;
      }
      static const std::vector<std::string> from = {
          "", "consume_from_where: CONSUME_FROM_FIRST_OFFSET",
          "consume_from_where: CONSUME_FROM_TIMESTAMP"};
      if (polls) consume = by_tasks ? Pulling() : Polling();
      const bool broadcasts = broadcasting_.Below(10) < 2;
      const std::string beginning = from[draws_.Below(from.size())];
      Add("group { name: \"g-", i, "\" ", subscribe, "consume { ", consume,
          " } ", by_tasks ? "" : beginning,
          broadcasts ? " message_model: BROADCASTING " : " ",
          orderly      ? Committing(Listener())
          : polls      ? Polled(Listener())
          : broadcasts ? Forgetting(Listener())
                       : Listener(),
          " consumer { name: \"g", i, "\" count: ", consumers,
          Chance(20) ? " cpus: 1" : "", " stagger: \"", Between(0, 3000),
          "ms\"", Chance(10) ? " client_id: \"10.9.9.9@same\"" : "",
          Fails(50) && !polls
              ? absl::StrCat(
                    " consume { ",
                    broadcasts && !orderly ? "" : "max_reconsume_times: 2",
                    orderly ? "" : " consume_timeout: \"1m\"", " }")
              : "",
          " }", AnotherSubscription(i, topics), polls ? Another(i) : "",
          Fails(15) ? " subscription_group { retry_queue_nums: 0 }" : "", " }");
      groups_.push_back(absl::StrCat("g-", i));
      is_orderly_.push_back(orderly);
      broadcasts_.push_back(broadcasts);
      polls_.push_back(polls);
      for (int64_t c = 0; c < consumers; ++c) {
        consumers_.push_back(absl::StrCat("g", i, "-", c));
        if (polls) applications_.insert(consumers_.back());
      }
    }
  }

  // Of a subscription, where it is by tags.
  std::string Expression() {
    static const std::vector<std::string> all = {"red", "blue", "red || blue",
                                                 "green"};
    if (sifting_.Below(10) >= 3) return "";
    return absl::StrCat(" expression: '", all[sifting_.Below(all.size())], "'");
  }
  // One more consumer that does not subscribe to what its group does.
  std::string AnotherSubscription(int64_t group, int64_t topics) {
    if (sifting_.Below(10) >= 3) return "";
    std::string text = absl::StrCat(" consumer { name: 'other", group, "'");
    for (int64_t t = 0; t < topics; ++t) {
      absl::StrAppend(&text, " subscribe { topic: \"t-", t, "\"", Expression(),
                      " }");
    }
    return text + " }";
  }

  void Network() {
    if (Chance(50)) return;
    Add("network { same_room { lognormal { median: \"", Between(1, 5),
        "ms\" p99: \"", Between(6, 200), "ms\" } } }");
  }

  void Events() {
    const int64_t count = Between(0, 5);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t time = Between(1, seconds_ - 1);
      static const std::vector<std::string> verbs = {"start", "stop", "crash",
                                                     "vanish"};
      const std::string verb = verbs[draws_.Below(verbs.size())];
      std::string subject;
      switch (Between(1, 10)) {
        case 1:
          subject =
              absl::StrCat("broker: \"b-", Between(0, brokers_ - 1), "\"");
          break;
        case 2:
          subject = name_servers_ == 2 ? "name_server: \"name-server-0\""
                                       : "name_server: \"name-server\"";
          break;
        case 3:
          subject =
              absl::StrCat("producer: \"",
                           producers_[draws_.Below(producers_.size())], "\"");
          break;
        default:
          subject =
              absl::StrCat("consumer: \"",
                           consumers_[draws_.Below(consumers_.size())], "\"");
          break;
      }
      Add("at { time: \"", time, "s\" ", verb, " { ", subject, " } }");
      if (Chance(50) && verb != "start" && time + 5 < seconds_) {
        Add("at { time: \"", time + 5, "s\" start { ", subject, " } }");
      }
    }
    if (Chance(30)) {
      Add("at { time: \"10s\" rolling_restart { group: \"",
          groups_[draws_.Below(groups_.size())],
          "\" down_for: \"2s\" pause: \"3s\" stop: ",
          Chance(50) ? "CRASH" : "GRACEFUL", " } }");
    }
  }

  std::string ABroker() { return absl::StrCat("b-", Between(0, brokers_ - 1)); }

  // What goes wrong between and within hosts.
  void Disturbances() {
    const int64_t count = Between(0, 3);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t time = Between(1, seconds_ - 1);
      const std::string consumer = AnyOf(consumers_);
      const std::string broker = ABroker();
      const int64_t kind = Between(1, 10);
      const int64_t length = Chance(50) ? Between(1, 10) : Between(10, 150);
      const std::string lasts =
          Chance(80) ? absl::StrCat(" lasts: \"", length, "s\"") : "";
      const std::string one_way = Chance(40) ? " one_way: true" : "";
      const std::string sides =
          absl::StrCat("from: \"", Chance(70) ? consumer : broker, "\"",
                       Chance(60) ? absl::StrCat(" to: \"", ABroker(), "\"")
                                  : std::string());
      const std::string processes =
          absl::StrCat("processes { ",
                       Chance(75) ? absl::StrCat("consumer: \"", consumer, "\"")
                                  : absl::StrCat("broker: \"", broker, "\""),
                       " }");
      std::string action;
      switch (kind) {
        case 1:
        case 2:
          action = absl::StrCat("partition { ", sides, one_way, lasts, " }");
          break;
        case 3:
          action = absl::StrCat("link_change { ", sides, one_way,
                                " latency { constant: \"", Between(1, 500),
                                "ms\" }", lasts, " }");
          break;
        case 4:
          action = absl::StrCat("loss { ", sides, one_way,
                                " per_mille: ", Between(0, 300), lasts, " }");
          break;
        case 5:
          action = absl::StrCat("connection_reset { ", sides, " }");
          break;
        case 6:
          action = absl::StrCat("half_open { ", sides, " }");
          break;
        case 7:
          action = absl::StrCat("pause { ", processes, lasts, " }");
          break;
        case 8: {
          static const std::vector<std::string> lanes = {"INSTANCE",
                                                         "REBALANCE", "PULL"};
          action =
              absl::StrCat("pause { processes { consumer: \"", consumer,
                           "\" } lane: ", lanes[draws_.Below(3)], lasts, " }");
          break;
        }
        case 9:
          action = absl::StrCat("clock_skew { ", processes,
                                Chance(50) ? " ahead: \"" : " behind: \"",
                                Between(1, 300), "s\"", lasts, " }");
          break;
        default:
          action = absl::StrCat("clock_jump { ", processes,
                                Chance(50) ? " forward: \"" : " back: \"",
                                Between(1, 300), "s\" }");
          break;
      }
      Add("at { time: \"", time, "s\" ", action, " }");
      if (Chance(20)) Add("at { time: \"", time, "500ms\" heal {} }");
    }
  }

  const std::string& AnyOf(const std::vector<std::string>& names) {
    return names[draws_.Below(names.size())];
  }
  std::string AnyBroker() {
    return absl::StrCat("broker: \"b-", Between(0, brokers_ - 1), "\"");
  }
  std::string Lasts() {
    return absl::StrCat("lasts: \"", Between(1, 40), "s\"");
  }

  // When something takes place.
  std::string When() {
    switch (Between(1, 6)) {
      case 1:
        return absl::StrCat("every: \"", Between(5, 60), "s\"",
                            Chance(50) ? " from: \"3s\"" : "",
                            Chance(50) ? " until: \"100s\"" : "");
      case 2: {
        static const std::vector<std::string> facts = {
            "FIRST_DELIVERY",    "QUEUE_ADDED",   "MEMBER_REMOVED",
            "CONNECTION_CLOSED", "ROUTE_CHANGED", "PROCESS_CRASHED"};
        return absl::StrCat("after { fact: ", AnyOf(facts),
                            " times: ", Between(1, 5), " from: \"",
                            Between(0, 20), "s\" plus: \"", Between(0, 9'000),
                            "ms\" }");
      }
      default:
        return absl::StrCat("time: \"", Between(1, seconds_ - 1), "s\"");
    }
  }

  // Who pulls cannot be suspended: it is frozen instead.
  std::string Suspension(const std::string& consumer,
                         const std::string& lasts) const {
    return applications_.contains(consumer)
               ? absl::StrCat("pause { processes { consumer: \"", consumer,
                              "\" } ", lasts, " }")
               : absl::StrCat("suspend_consumer { consumer: \"", consumer,
                              "\" ", lasts, " }");
  }
  std::string Resumption(const std::string& consumer) const {
    return absl::StrCat(
        applications_.contains(consumer) ? "start" : "resume_consumer",
        " { consumer: \"", consumer, "\" }");
  }

  std::string Change() {
    const std::string topic =
        absl::StrCat("topic: \"t-", Between(0, topics_ - 1), "\"");
    static const std::vector<std::string> stops = {"GRACEFUL", "CRASH",
                                                   "VANISH"};
    static const std::vector<std::string> permissions = {
        "READ_WRITE", "READ_ONLY", "WRITE_ONLY", "NEITHER"};
    switch (Between(1, 11)) {
      case 1:
        return absl::StrCat(
            "restart { processes { ",
            Chance(50) ? AnyBroker()
                       : absl::StrCat("group: \"", AnyOf(groups_), "\""),
            " } stop: ", AnyOf(stops), " down_for: \"", Between(0, 20),
            "s\" }");
      case 2:
        return absl::StrCat(
            "scale { consumer: \"g",
            Between(0, static_cast<int64_t>(groups_.size()) - 1),
            "\" to: ", Between(0, 7), " stop: ", AnyOf(stops), " stagger: \"",
            Between(0, 2), "s\" }");
      case 3:
        return Suspension(AnyOf(consumers_), Lasts());
      case 4:
        return Resumption(AnyOf(consumers_));
      case 5:
        return absl::StrCat("add_queues { ", topic, " queues: ", Between(1, 3),
                            " }");
      case 6:
        return absl::StrCat("shrink_queues { ", topic,
                            " write_to: ", Between(0, 6),
                            " read_to: ", Between(0, 6), " }");
      case 7:
        return absl::StrCat("change_permission { ",
                            Chance(60) ? topic : AnyBroker(),
                            " permission: ", AnyOf(permissions), " }");
      case 8:
        return absl::StrCat("change_rate { rate { ", Amount(Between(1, 300)),
                            Chance(50) ? " arrivals: POISSON" : "", " } }");
      case 9: {
        const std::string lasts = Chance(50) ? Lasts() : "";
        const std::string listener = Listener();
        const size_t group = draws_.Below(groups_.size());
        return absl::StrCat("change_listener { group: \"", groups_[group],
                            "\" ",
                            is_orderly_[group] ? Orderly(listener)
                            : polls_[group]    ? Polled(listener)
                                               : listener,
                            " ", lasts, " }");
      }
      case 10:
        return absl::StrCat("slow_broker { ", AnyBroker(),
                            " service_time { constant: \"", Between(1, 400),
                            "ms\" } ", Lasts(), " }");
      default:
        return absl::StrCat("lose_change_notices { ",
                            Chance(50) ? AnyBroker() : "", " ", Lasts(), " }");
    }
  }

  void Changes() {
    const int64_t count = Between(0, 4);
    for (int64_t i = 0; i < count; ++i) {
      const std::string when = When();
      Add("at { ", when, " ", Change(), " }");
    }
  }

  // Somebody on the way who reads what is sent, and machines that do not do
  // what they should.
  void Meddlers() {
    const auto when = [this] {
      return absl::StrCat("time: \"", 5 + meddling_.Below(20), "s\" ");
    };
    const auto lasts = [this] {
      return absl::StrCat(" lasts: \"", 1 + meddling_.Below(40), "s\"");
    };
    if (meddling_.Below(3) == 0) {
      static const std::vector<std::string> requests = {
          "HEART_BEAT",
          "PULL_MESSAGE",
          "GET_CONSUMER_LIST_BY_GROUP",
          "SEND_MESSAGE_V2",
          "GET_ROUTEINFO_BY_TOPIC",
          "QUERY_CONSUMER_OFFSET"};
      const std::string client = consumers_[meddling_.Below(consumers_.size())];
      const std::string request = requests[meddling_.Below(requests.size())];
      Add("at { ", when(), "drop { from: \"", client,
          "\" to: \"b-0\" request: \"", request,
          "\" per_mille: ", 100 + meddling_.Below(901), lasts(), " } }");
    }
    if (meddling_.Below(4) == 0) {
      Add("at { ", when(), "refuse_offset_commits {", lasts(), " } }");
    }
    if (meddling_.Below(4) == 0) {
      Add("at { ", when(), "stale_route {", lasts(), " } }");
    }
    if (meddling_.Below(4) == 0) {
      Add("at { ", when(), "delete_expired_files {} }");
    }
    const size_t group = meddling_.Below(groups_.size());
    if (meddling_.Below(2) == 0 && !broadcasts_[group]) {
      Add("at { ", when(), "reset_offset { group: \"", groups_[group],
          "\" topic: \"t-0\" to_time: \"", meddling_.Below(30), "s\" } }");
    }
    // The network is described once.
    if (meddling_.Below(2) == 0 &&
        text_.find("network {") == std::string::npos) {
      Add("network { link { from: \"",
          consumers_[meddling_.Below(consumers_.size())],
          "\" latency { constant: \"", meddling_.Below(200),
          "ms\" } loss_per_mille: ", meddling_.Below(50), " } }");
    }
  }

  // What goes wrong with the locks of queues.
  void Locks() {
    if (!orderly_groups_ || orderly_.Below(3) == 0) return;
    const uint64_t time =
        5 + orderly_.Below(static_cast<uint64_t>(seconds_) - 15);
    Add("at { time: \"", time, "s\" wipe_locks {} }");
    // Longer than a consumer believes in its locks.
    Add("at { time: \"", time + 5,
        "s\" slow_broker { service_time { "
        "constant: \"",
        200 + orderly_.Below(2'000), "ms\" } lasts: \"45s\" } }");
  }

  CounterStream draws_;
  CounterStream failure_draws_;
  CounterStream orderly_;       // About orderly groups.
  CounterStream producing_;     // About how producers send,
  CounterStream rates_;         // and how much of what.
  CounterStream broadcasting_;  // About who broadcasts,
  CounterStream commits_;       // who commits by itself,
  CounterStream kinds_;         // how many send alike,
  CounterStream sifting_;       // About tags that are subscribed to,
  CounterStream polling_;       // and who pulls.
  CounterStream meddling_;      // About middle boxes.
  bool orderly_groups_ = false;
  const uint64_t number_;
  int64_t seconds_ = 0;
  int64_t brokers_ = 0;
  int64_t topics_ = 0;
  int64_t name_servers_ = 0;
  std::vector<std::string> producers_;
  std::vector<std::string> groups_;
  std::vector<bool> is_orderly_;  // By group.
  std::vector<bool> broadcasts_;  // The same.
  std::vector<bool> polls_;       // The same.
  std::vector<std::string> consumers_;
  std::set<std::string> applications_;  // Those that pull.
  std::string text_;
};

}  // namespace

Scenario SwarmScenario(uint64_t number) {
  return ScenarioFromTextOrDie(Composer(number).Compose());
}

}  // namespace groupsim
