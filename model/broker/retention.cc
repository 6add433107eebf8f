#include "model/broker/retention.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "model/facts/fact.h"
#include "model/runtime/grid.h"

namespace groupsim {
namespace {

// DefaultMessageStore.addScheduleTask;
// MessageStoreConfig.cleanResourceInterval.
constexpr Duration kFirstLook = Duration::Seconds(60);
constexpr Duration kLookPeriod = Duration::Seconds(10);
// MAX_MANUAL_DELETE_FILE_TIMES; deleteFilesBatchMax.
constexpr int64_t kManualLooks = 20;
constexpr int kMostFilesALook = 10;

constexpr Duration kHour = Duration::Seconds(3'600);
constexpr Duration kDay = Duration::Seconds(86'400);

}  // namespace

Retention::Retention(Env& env, const BrokerConfig& config, BrokerDisk& disk)
    : env_(env),
      config_(config),
      disk_(disk),
      manual_until_(env.Now()),
      look_(env, [this] { Look(); }) {}

void Retention::Start() {
  started_ = env_.Now();
  running_ = true;
  OnNewFile();
}

int64_t Retention::FileSize() const {
  return std::max<int64_t>(config_.settings.mapped_file_size_commit_log, 1);
}

int64_t Retention::Files() const {
  return disk_.store.log_end() / FileSize() -
         disk_.store.log_begin() / FileSize();
}

Instant Retention::OldestExpires() const {
  const int64_t end = (disk_.store.log_begin() / FileSize() + 1) * FileSize();
  return disk_.store.LastWriteBefore(end) + config_.settings.file_reserved_time;
}

void Retention::OnNewFile() {
  next_file_ = (disk_.store.log_end() / FileSize() + 1) * FileSize();
  Arm();
}

// The next look that finds a file to delete.
void Retention::Arm() {
  if (!running_ || look_.armed() || Files() == 0) return;
  const Instant now = env_.Now();
  Instant due = std::max(now, OldestExpires());
  if (due >= manual_until_ && !IsHour()) due = std::max(due, now + UntilHour());
  const Grid looks{started_ + kFirstLook, kLookPeriod};
  look_.ArmAt(looks.Next(now, due));
}

void Retention::Look() {
  if (env_.Now() < manual_until_ || IsHour()) {
    for (int i = 0; i < kMostFilesALook; ++i) {
      if (Files() == 0 || OldestExpires() > env_.Now()) break;
      DeleteOldest();
    }
  }
  Arm();
}

void Retention::DeleteOldest() {
  const int64_t end = (disk_.store.log_begin() / FileSize() + 1) * FileSize();
  disk_.store.DeleteBefore(
      end, [this](const StoredQueue& queue, int64_t deleted) {
        Fact fact;
        fact.kind = FactKind::LOG_DELETED;
        fact.topic = queue.topic().id();
        fact.broker = NarrowId(config_.broker);
        fact.queue = static_cast<uint16_t>(queue.queue_id());
        fact.offset = queue.min_offset();
        fact.count = deleted;
        env_.Emit(fact);
      });
}

int64_t Retention::DeleteExpiredFiles() {
  manual_until_ = env_.Now() + kLookPeriod * kManualLooks;
  if (Files() == 0) return 0;
  // Later files were written later.
  const int64_t size = FileSize();
  const int64_t first = disk_.store.log_begin() / size;
  int64_t old = 0;
  for (int64_t high = Files(); old < high;) {
    const int64_t middle = old + (high - old) / 2;
    const Instant expires =
        disk_.store.LastWriteBefore((first + middle + 1) * size) +
        config_.settings.file_reserved_time;
    if (expires > env_.Now()) {
      high = middle;
    } else {
      old = middle + 1;
    }
  }
  look_.Cancel();
  Arm();
  return old;
}

bool Retention::IsHour() const {
  const int64_t millis = env_.WallMillis() % kDay.millis();
  const int64_t now = (millis + kDay.millis()) % kDay.millis() / kHour.millis();
  for (const absl::string_view part :
       absl::StrSplit(config_.settings.delete_when, ';')) {
    int hour = 0;
    if (absl::SimpleAtoi(part, &hour) && hour == now) return true;
  }
  return false;
}

Duration Retention::UntilHour() const {
  const int64_t day = kDay.millis();
  const int64_t now = (env_.WallMillis() % day + day) % day;
  int64_t least = day;
  for (const absl::string_view part :
       absl::StrSplit(config_.settings.delete_when, ';')) {
    int hour = 0;
    if (!absl::SimpleAtoi(part, &hour)) continue;
    const int64_t begin = hour * kHour.millis();
    least = std::min(least, begin > now ? begin - now : begin + day - now);
  }
  return Duration::Millis(least);
}

}  // namespace groupsim
