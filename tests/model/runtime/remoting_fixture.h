// A server and a client with Remoting, in virtual time.
#ifndef GROUPSIM_TESTS_MODEL_RUNTIME_REMOTING_FIXTURE_H_
#define GROUPSIM_TESTS_MODEL_RUNTIME_REMOTING_FIXTURE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "tests/support/loop_runtime/loop_host.h"

namespace groupsim {

// A process that keeps what Remoting tells it.
class Peer final : public RequestHandler, public ChannelListener {
 public:
  explicit Peer(Env& env, RemotingSettings settings = RemotingSettings())
      : remoting_(env, settings, this, this) {}

  Remoting* operator->() { return &remoting_; }
  Remoting& remoting() { return remoting_; }

  // What happened, in order: "active A", "closed A refused", …
  const std::vector<std::string>& log() const { return log_; }
  // Requests that came, and what was made of them.
  std::vector<Request>& requests() { return requests_; }
  std::vector<Responder>& kept() { return kept_; }
  // Answers requests instead of keeping them.
  void AnswerWith(std::function<Reply(const Request&)> answer) {
    answer_ = std::move(answer);
  }

 private:
  void OnRequest(Request request, Responder responder) override {
    requests_.push_back(request);
    if (answer_ && responder.expected()) {
      responder.Answer(answer_(request));
    } else {
      kept_.push_back(std::move(responder));
    }
  }
  void OnChannelActive(Name address) override {
    log_.push_back(absl::StrCat("active ", address.text()));
  }
  void OnChannelClosed(Name address, CloseReason reason) override {
    log_.push_back(
        absl::StrCat("channel ", address.text(), ": ", NameOf(reason)));
  }
  void OnConnectionClosed(ConnectionId, CloseReason reason) override {
    log_.push_back(absl::StrCat("connection: ", NameOf(reason)));
  }

  std::vector<std::string> log_;
  std::vector<Request> requests_;
  std::vector<Responder> kept_;
  std::function<Reply(const Request&)> answer_;
  Remoting remoting_;
};

// How and when a call ended.
struct Ending {
  CallResult result;
  Instant at;
};
using EndingPtr = std::shared_ptr<std::optional<Ending>>;

class RemotingTest : public testing::Test {
 protected:
  static constexpr Duration kLatency = 1ms;
  static constexpr Duration kRoundTrip = 2ms;

  explicit RemotingTest(Duration latency = kLatency)
      : runtime_(LoopTime::kVirtual, latency),
        address_(runtime_.Intern("s:1")),
        server_host_(runtime_.AddHost("server", {"s:1"})),
        client_host_(runtime_.AddHost("client")),
        scope_(client_host_.env().ready()) {}

  // The server listens, unless `listen` is false.
  void StartServer(RemotingSettings settings = RemotingSettings()) {
    server_ = std::make_unique<Peer>(server_host_.env(), settings);
    (*server_)->Listen(address_);
  }
  void StartClient(RemotingSettings settings = RemotingSettings()) {
    client_ = std::make_unique<Peer>(client_host_.env(), settings);
  }
  void CrashServer() {
    server_host_.transport().CloseAll();
    server_ = nullptr;
  }
  void VanishServer() {
    server_host_.transport().GoDark();
    server_ = nullptr;
  }

  static Request Ask(int32_t number = 0) {
    GetMaxOffsetRequest request;
    request.queue.queue_id = number;
    return request;
  }
  static int32_t NumberOf(const Request& request) {
    return std::get<GetMaxOffsetRequest>(request.body).queue.queue_id;
  }
  // Answers each question with its number.
  static Reply Echo(const Request& request) {
    OffsetReply reply;
    reply.offset = NumberOf(request);
    return Reply(ResponseCode::kSuccess, reply);
  }
  static int64_t OffsetOf(const CallResult& result) {
    return std::get<OffsetReply>(result.reply.body).offset;
  }

  EndingPtr CallAsync(Request request, Duration timeout) {
    EndingPtr ending = std::make_shared<std::optional<Ending>>();
    (*client_)->CallAsync(address_, std::move(request), timeout,
                          [this, ending](CallResult result) {
                            EXPECT_FALSE(ending->has_value()) << "ended twice";
                            ending->emplace(Ending{std::move(result), Now()});
                          });
    EXPECT_FALSE(ending->has_value()) << "called back in the same call";
    return ending;
  }

  EndingPtr CallSync(Request request, Duration timeout) {
    EndingPtr ending = std::make_shared<std::optional<Ending>>();
    scope_.Spawn(
        Await(client_->remoting(), std::move(request), timeout, ending));
    return ending;
  }

  // Whether, and how, a call ended.
  static bool Ended(const EndingPtr& ending) { return ending->has_value(); }
  static CallError ErrorOf(const EndingPtr& ending) {
    EXPECT_TRUE(Ended(ending));
    return Ended(ending) ? (*ending)->result.error : CallError::kNone;
  }
  // When it ended, since the start.
  static Duration EndOf(const EndingPtr& ending) {
    EXPECT_TRUE(Ended(ending));
    return Ended(ending) ? (*ending)->at.since_start() : Duration::Max();
  }
  // A connected pair; its time so far is kRoundTrip.
  void Connect(RemotingSettings client_settings = RemotingSettings()) {
    StartServer();
    StartClient(client_settings);
    (*client_)->SendOneway(address_, Ask());
    RunFor(kRoundTrip);
    ASSERT_TRUE((*client_)->IsActive(address_));
  }

  Instant Now() { return runtime_.loop().Now(); }
  void RunFor(Duration duration) { runtime_.RunFor(duration); }

  LoopRuntime runtime_;
  const Name address_;
  LoopHost& server_host_;
  LoopHost& client_host_;
  std::unique_ptr<Peer> server_;
  std::unique_ptr<Peer> client_;
  TaskScope scope_;  // Dies before the client, as a role's does.

 private:
  Task<void> Await(Remoting& remoting, Request request, Duration timeout,
                   EndingPtr ending) {
    CallResult result =
        co_await remoting.Call(address_, std::move(request), timeout);
    EXPECT_FALSE(ending->has_value());
    ending->emplace(Ending{std::move(result), Now()});
  }
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_MODEL_RUNTIME_REMOTING_FIXTURE_H_
