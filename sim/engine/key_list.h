// Lists of event keys in chunks that all lists share.
#ifndef GROUPSIM_SIM_ENGINE_KEY_LIST_H_
#define GROUPSIM_SIM_ENGINE_KEY_LIST_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace groupsim {

// When an event is due and which one it is (see EventWord).
struct EventKey {
  uint64_t time;  // Nanoseconds.
  uint64_t word;

  friend bool operator==(const EventKey&, const EventKey&) = default;
  friend bool operator<(const EventKey& a, const EventKey& b) {
    const auto wide = [](const EventKey& key) {
      return static_cast<unsigned __int128>(key.time) << 64 | key.word;
    };
    return wide(a) < wide(b);
  }
};
static_assert(sizeof(EventKey) == 16);

// One kibibyte of keys.
struct KeyChunk {
  static constexpr size_t kKeys = 63;

  EventKey keys[kKeys];
  KeyChunk* next;
  uint64_t unused;
};
static_assert(sizeof(KeyChunk) == 1024);

// Chunks of keys; the one freed last is taken first. Memory is kept until the
// pool dies.
class KeyChunkPool {
 public:
  KeyChunkPool() = default;
  KeyChunkPool(const KeyChunkPool&) = delete;
  KeyChunkPool& operator=(const KeyChunkPool&) = delete;

  KeyChunk* Take() {
    if (free_ == nullptr) [[unlikely]] {
      AddSlab();
    }
    KeyChunk* chunk = free_;
    free_ = chunk->next;
    chunk->next = nullptr;
    return chunk;
  }

  void Free(KeyChunk* chunk) {
    chunk->next = free_;
    free_ = chunk;
  }

  // Memory held, in bytes.
  size_t bytes() const { return slabs_.size() * kSlab * sizeof(KeyChunk); }

 private:
  static constexpr size_t kSlab = 32;

  void AddSlab() {
    slabs_.push_back(std::unique_ptr<KeyChunk[]>(new KeyChunk[kSlab]));
    for (size_t i = kSlab; i > 0; --i) Free(&slabs_.back()[i - 1]);
  }

  std::vector<std::unique_ptr<KeyChunk[]>> slabs_;
  KeyChunk* free_ = nullptr;
};

// Keys in the order in which they were appended. A list is a plain value that
// does not own its chunks: whoever keeps it gives every call the same pool.
class KeyList {
 public:
  size_t size() const {
    return before_last_ +
           static_cast<size_t>(last_ == nullptr ? 0 : write_ - last_->keys);
  }

  void Append(const EventKey& key, KeyChunkPool& pool) {
    if (write_ == end_) [[unlikely]] {
      AddChunk(pool);
    }
    *write_++ = key;
  }

  // Calls visit(key) for each key in order.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (const KeyChunk* chunk = first_; chunk != nullptr;
         chunk = chunk->next) {
      const EventKey* end = chunk == last_ ? write_ : chunk->keys + kKeys;
      for (const EventKey* key = chunk->keys; key != end; ++key) visit(*key);
    }
  }

  // Takes all keys out, calling visit(key) for each in order; `visit` may
  // append to any list, this one too.
  template <class Visit>
  void Drain(KeyChunkPool& pool, Visit visit) {
    DrainChunks(pool, [&](const EventKey* begin, const EventKey* end) {
      for (const EventKey* key = begin; key != end; ++key) visit(*key);
    });
  }

  // The same, calling visit(begin, end) for the keys of each chunk.
  template <class Visit>
  void DrainChunks(KeyChunkPool& pool, Visit visit) {
    const KeyList drained = *this;
    *this = KeyList();
    for (KeyChunk* chunk = drained.first_; chunk != nullptr;) {
      const EventKey* begin = chunk->keys;
      visit(begin, chunk == drained.last_ ? drained.write_ : begin + kKeys);
      KeyChunk* next = chunk->next;
      pool.Free(chunk);
      chunk = next;
    }
  }

 private:
  static constexpr size_t kKeys = KeyChunk::kKeys;

  void AddChunk(KeyChunkPool& pool) {
    KeyChunk* chunk = pool.Take();
    if (last_ == nullptr) {
      first_ = chunk;
    } else {
      last_->next = chunk;
      before_last_ += kKeys;
    }
    last_ = chunk;
    write_ = chunk->keys;
    end_ = chunk->keys + kKeys;
  }

  EventKey* write_ = nullptr;  // Where the next key goes, in the last chunk.
  EventKey* end_ = nullptr;
  size_t before_last_ = 0;  // Keys in the chunks before the last one.
  KeyChunk* first_ = nullptr;
  KeyChunk* last_ = nullptr;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_ENGINE_KEY_LIST_H_
