#include "model/broker/tag_filter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace groupsim {

int32_t JavaStringHash(absl::string_view text) {
  uint32_t hash = 0;
  const auto add = [&hash](uint32_t unit) { hash = 31 * hash + unit; };
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80   ? 1
                          : lead < 0xC0 ? 0
                          : lead < 0xE0 ? 2
                          : lead < 0xF0 ? 3
                          : lead < 0xF8 ? 4
                                        : 0;
    if (length <= 1 || i + length > text.size()) {
      add(lead);
      ++i;
      continue;
    }
    uint32_t point = lead & (0xFFu >> (length + 1));
    for (size_t k = 1; k < length; ++k) {
      point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    }
    if (point < 0x10000) {
      add(point);
    } else {
      add(0xD800 + ((point - 0x10000) >> 10));
      add(0xDC00 + ((point - 0x10000) & 0x3FF));
    }
    i += length;
  }
  return static_cast<int32_t>(hash);
}

TagFilter::TagFilter(const std::vector<Name>& tags) {
  for (const Name tag : tags) codes_.push_back(JavaStringHash(tag.text()));
  std::sort(codes_.begin(), codes_.end());
  codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
}

bool TagFilter::Matches(int32_t tags_code) const {
  return std::binary_search(codes_.begin(), codes_.end(), tags_code);
}

}  // namespace groupsim
