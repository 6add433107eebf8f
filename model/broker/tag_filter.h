// Tags as a broker compares them: by the 32-bit hash of their text.
#ifndef GROUPSIM_MODEL_BROKER_TAG_FILTER_H_
#define GROUPSIM_MODEL_BROKER_TAG_FILTER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/name.h"

namespace groupsim {

// java.lang.String.hashCode of a text in UTF-8 (31 h + unit over its UTF-16
// units); the tags code of a tag. Malformed UTF-8 counts byte by byte.
int32_t JavaStringHash(absl::string_view text);

// Which tags codes a subscription wants (SubscriptionData.codeSet). Tags of
// equal hash are all let through; the client tells them apart.
class TagFilter {
 public:
  explicit TagFilter(const std::vector<Name>& tags);

  bool Matches(int32_t tags_code) const;

 private:
  std::vector<int32_t> codes_;  // Sorted, each once.
};

// Shared by a subscription and the pulls held under it; null lets all through.
using TagFilterPtr = std::shared_ptr<const TagFilter>;

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_TAG_FILTER_H_
