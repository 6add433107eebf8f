#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace groupsim {
namespace {

// What matters to the reader, so that chance need not find it.
constexpr absl::string_view kWords[] = {
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ":",
    ",",
    ";",
    "\"",
    "'",
    "#",
    "\n",
    "\r\n",
    " ",
    "=",
    "-",
    "//",
    "/*",
    "*/",
    "\\",
    "\\x",
    "nan",
    "inf",
    "true",
    "null",
    "0",
    "-1",
    "99999999999999999999",
    "1e999",
    "\"30s\"",
    "\"4KiB\"",
    "\"\"",
    "group {",
    "name: \"a\"",
    "consumer {",
    "count: 2",
    "include: \"self\"",
    "include: \"good\"",
    "include: \"bad\"",
    "expect { lost { at_most: 0 } }",
    "at { time: \"1s\" ",
    "bimodal {",
    "\xE2\x80\x9C",
    "\xC2\xA0",
    "\xFF",
    "\xEF\xBB\xBF",
    "broker-a#0..3",
    "# groupsim: allow(",
    "\"a\": ",
    "service_time {",
    "topic { name: \"t\" }",
};

}  // namespace

Mutator::Mutator(std::vector<std::string> corpus, size_t most_bytes,
                 uint64_t seed)
    : corpus_(std::move(corpus)), most_bytes_(most_bytes), state_(seed) {}

// SplitMix64.
size_t Mutator::Below(size_t end) {
  state_ += 0x9E3779B97F4A7C15;
  uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  mixed ^= mixed >> 31;
  return end == 0 ? 0 : static_cast<size_t>(mixed % end);
}

std::string Mutator::Next() {
  std::string input = corpus_[Below(corpus_.size())];
  for (size_t left = 1 + Below(8); left > 0; --left) Change(input);
  if (input.size() > most_bytes_) input.resize(most_bytes_);
  return input;
}

void Mutator::Change(std::string& input) {
  constexpr size_t kLongestStretch = 64;
  const size_t at = Below(input.size() + 1);
  const size_t length = std::min(1 + Below(kLongestStretch), input.size() - at);
  switch (Below(7)) {
    case 0:  // Another byte.
      if (at < input.size()) input[at] = static_cast<char>(Below(256));
      return;
    case 1:  // A bit.
      if (at < input.size()) input[at] ^= static_cast<char>(1 << Below(8));
      return;
    case 2:
      input.erase(at, length);
      return;
    case 3:  // A stretch again.
      input.insert(at, input.substr(Below(input.size() + 1), length));
      return;
    case 4: {
      const absl::string_view word = kWords[Below(std::size(kWords))];
      input.insert(at, word.data(), word.size());
      return;
    }
    case 5: {  // A stretch of another input.
      const std::string& other = corpus_[Below(corpus_.size())];
      const size_t from = Below(other.size() + 1);
      input.insert(at, other.substr(from, 1 + Below(kLongestStretch)));
      return;
    }
    default:
      input.resize(at);
      return;
  }
}

}  // namespace groupsim
