// Three hosts in a network, for its tests.
#ifndef GROUPSIM_TESTS_SIM_NETWORK_NETWORK_FIXTURE_H_
#define GROUPSIM_TESTS_SIM_NETWORK_NETWORK_FIXTURE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/transport.h"
#include "sim/engine/engine.h"
#include "sim/network/network.h"
#include "sim/network/network_settings.h"
#include "sim/random/distribution.h"
#include "sim/trace/trace.h"
#include "tests/sim/network/recorder.h"

namespace groupsim {

inline Distribution Micros(int64_t micros) {
  return Distribution::Constant(micros * 1'000).value();
}

// Hosts a and b in one room, c in another: 100 us within a room, 1 ms from the
// room of a to that of c, 2 ms back, 10 us within a host.
class NetworkTest : public ::testing::Test {
 protected:
  explicit NetworkTest(EngineOptions options = {})
      : engine_(options), trace_(engine_), network_(engine_, trace_, 1) {
    NetworkSettings settings;
    settings.loopback = Micros(10);
    settings.same_room = Micros(100);
    settings.cross_room = Micros(2'000);
    RoomLink link;
    link.from = names_.Intern("east");
    link.to = names_.Intern("west");
    link.latency = Micros(1'000);
    settings.links.push_back(link);
    network_.Configure(settings);
    a_ = &AddHost("a", "east");
    b_ = &AddHost("b", "east");
    c_ = &AddHost("c", "west");
  }

  HostTransport& AddHost(const std::string& name, const std::string& room) {
    NetworkHost host;
    host.name = names_.Intern(name);
    host.room = names_.Intern(room);
    host.addresses = {AddressOf(name)};
    return network_.AddHost(std::move(host));
  }
  Name AddressOf(const std::string& host) {
    return names_.Intern(absl::StrCat(host, ":1"));
  }

  void RunFor(Duration length) { engine_.RunUntil(engine_.now() + length); }

  // An open connection from a to b, at some time, with nothing noted yet.
  struct Pair {
    ConnectionId at_a;
    ConnectionId at_b;
  };
  Pair OpenFromAToB() {
    b_->Listen(AddressOf("b"), &at_b_);
    Pair pair;
    pair.at_a = a_->Open(AddressOf("b"), &at_a_);
    RunFor(1ms);
    pair.at_b = at_b_.last;
    at_a_.lines.clear();
    at_b_.lines.clear();
    return pair;
  }

  // Facts of a kind, as "host peer count".
  class Facts final : public FactObserver {
   public:
    explicit Facts(const NameTable& names) : names_(names) {}
    void OnFact(const Fact& fact) override {
      const auto peer = static_cast<uint32_t>(fact.value);
      lines.push_back(absl::StrCat(
          InfoOf(fact.kind).name, " ", names_.FromId(fact.host).text(), " ",
          names_.FromId(peer).text(), " ", fact.count));
    }
    std::vector<std::string> lines;

   private:
    const NameTable& names_;
  };

  NameTable names_;
  Engine engine_;
  Trace trace_;
  Network network_;
  HostTransport* a_;
  HostTransport* b_;
  HostTransport* c_;
  Recorder at_a_{engine_};
  Recorder at_b_{engine_};
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SIM_NETWORK_NETWORK_FIXTURE_H_
