#include <memory>
#include <utility>
#include <vector>

#include "tests/conformance/faulty.h"

namespace groupsim::conformance {
namespace {

// Its tasks live on without it.
class ScopeThatForgets final : public ScopeUnderTest {
 public:
  ScopeThatForgets(Env& env, Fault::Graveyard& graveyard)
      : scope_(std::make_unique<TaskScope>(env.ready())),
        graveyard_(graveyard) {}
  ~ScopeThatForgets() override { graveyard_.push_back(std::move(scope_)); }
  void Spawn(Task<void> task) override { scope_->Spawn(std::move(task)); }

 private:
  std::unique_ptr<TaskScope> scope_;
  Fault::Graveyard& graveyard_;
};

class ScopeThatDestroysTheOldestFirst final : public ScopeUnderTest {
 public:
  explicit ScopeThatDestroysTheOldestFirst(Env& env) : env_(env) {}
  ~ScopeThatDestroysTheOldestFirst() override {
    for (std::unique_ptr<TaskScope>& scope : scopes_) scope = nullptr;
  }
  void Spawn(Task<void> task) override {
    scopes_.push_back(std::make_unique<TaskScope>(env_.ready()));
    scopes_.back()->Spawn(std::move(task));
  }

 private:
  Env& env_;
  std::vector<std::unique_ptr<TaskScope>> scopes_;
};

// Posts together what came in one turn, the last first.
class StackLane final : public LaneUnderTest, private ReadyNode {
 public:
  StackLane(Env& env, int workers) : env_(env), lane_(env, workers) {}
  void Post(absl::AnyInvocable<void()> job) override {
    Add([this, j = std::move(job)]() mutable { lane_.Post(std::move(j)); });
  }
  void PostTask(absl::AnyInvocable<Task<void>()> job) override {
    Add([this, j = std::move(job)]() mutable { lane_.PostTask(std::move(j)); });
  }

 private:
  void Add(absl::AnyInvocable<void()> post) {
    stack_.push_back(std::move(post));
    if (!queued()) env_.ready().Post(*this);
  }
  void RunReady() override {
    while (!stack_.empty()) {
      stack_.back()();
      stack_.pop_back();
    }
  }

  Env& env_;
  Lane lane_;
  std::vector<absl::AnyInvocable<void()>> stack_;
};

// Where there are several workers, has one too many.
class CrowdedLane final : public LaneUnderTest {
 public:
  CrowdedLane(Env& env, int workers)
      : lane_(env, workers == 1 ? 1 : workers + 1) {}
  void Post(absl::AnyInvocable<void()> job) override {
    lane_.Post(std::move(job));
  }
  void PostTask(absl::AnyInvocable<Task<void>()> job) override {
    lane_.PostTask(std::move(job));
  }

 private:
  Lane lane_;
};

class HastyLane final : public LaneUnderTest {
 public:
  HastyLane(Env& env, int workers) : lane_(env, workers) {}
  void Post(absl::AnyInvocable<void()> job) override {
    if (empty_) {
      job();
    } else {
      lane_.Post(std::move(job));
    }
  }
  void PostTask(absl::AnyInvocable<Task<void>()> job) override {
    empty_ = false;
    lane_.PostTask(std::move(job));
  }

 private:
  bool empty_ = true;
  Lane lane_;
};

}  // namespace

std::vector<Fault> TaskFaults() {
  return {
      {.name = "ScopeThatForgets",
       .breaks = "DestroyedTasksNeverRunAgain",
       .scope =
           [](Env& env, Fault::Graveyard& graveyard) {
             return std::make_unique<ScopeThatForgets>(env, graveyard);
           }},
      {.name = "ScopeThatDestroysTheOldestFirst",
       .breaks = "ScopesDestroyTheNewestTaskFirst",
       .scope =
           [](Env& env, Fault::Graveyard&) {
             return std::make_unique<ScopeThatDestroysTheOldestFirst>(env);
           }},
      {.name = "StackLane",
       .breaks = "LanesKeepTheOrderOfTheirJobs",
       .lane =
           [](Env& env, int workers) {
             return std::make_unique<StackLane>(env, workers);
           }},
      {.name = "CrowdedLane",
       .breaks = "LanesHaveSoManyWorkersAndNoMore",
       .lane =
           [](Env& env, int workers) {
             return std::make_unique<CrowdedLane>(env, workers);
           }},
      {.name = "HastyLane",
       .breaks = "LanesDoNotBeginInsidePost",
       .lane =
           [](Env& env, int workers) {
             return std::make_unique<HastyLane>(env, workers);
           }},
  };
}

}  // namespace groupsim::conformance
