// What one member of a group pays to learn its share of a topic, client ids
// taking turns. Queues lie on brokers of sixteen each; both lists are sorted.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/allocation/averagely.h"
#include "model/allocation/strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

struct Size {
  size_t queues;
  size_t clients;
};

AllocationView MakeView(const Size& size, NameTable& names) {
  std::vector<MessageQueue> queues;
  for (size_t i = 0; i < size.queues; ++i) {
    queues.push_back({.topic = names.Intern("orders"),
                      .broker = names.Intern(absl::StrCat("broker-", i / 16)),
                      .queue_id = static_cast<int32_t>(i % 16)});
  }
  std::sort(queues.begin(), queues.end());
  std::vector<Name> clients;
  for (size_t i = 0; i < size.clients; ++i) {
    clients.push_back(
        names.Intern(absl::StrCat("10.0.", i / 250, ".", i % 250, "@",
                                  1'000 + i, "#", 839'922'530'498'944 + i)));
  }
  std::sort(clients.begin(), clients.end());
  return {std::make_shared<const std::vector<MessageQueue>>(std::move(queues)),
          std::make_shared<const std::vector<Name>>(std::move(clients))};
}

void BM_Allocate(benchmark::State& state, const AllocationStrategy& strategy,
                 const Size& size) {
  NameTable names;
  const AllocationView view = MakeView(size, names);
  size_t turn = 0;
  for (auto _ : state) {
    const Name client = (*view.client_ids)[turn];
    turn = turn + 1 == size.clients ? 0 : turn + 1;
    auto share = strategy.Prepare(view)->For(client);
    CHECK(share.ok() && !share->empty());
    benchmark::DoNotOptimize(share);
  }
  state.SetItemsProcessed(state.iterations());
}

const AllocateAveragely& kAveragely = *new AllocateAveragely();
BENCHMARK_CAPTURE(BM_Allocate, averagely_64x8, kAveragely, Size{64, 8})
    ->Name("Allocate/averagely/64x8");
BENCHMARK_CAPTURE(BM_Allocate, averagely_1024x64, kAveragely, Size{1024, 64})
    ->Name("Allocate/averagely/1024x64");
BENCHMARK_CAPTURE(BM_Allocate, averagely_8192x512, kAveragely, Size{8192, 512})
    ->Name("Allocate/averagely/8192x512");
BENCHMARK_CAPTURE(BM_Allocate, averagely_10000x1000, kAveragely,
                  Size{10000, 1000})
    ->Name("Allocate/averagely/10000x1000");

}  // namespace
}  // namespace groupsim
