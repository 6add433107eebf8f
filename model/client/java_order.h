// The order in which Java walks its hash tables.
//
// It looks accidental and is not: it follows from the keys alone. Where the
// original walks a table and sends something for each key, who is asked first
// is visible from outside, and is the same here.
#ifndef GROUPSIM_MODEL_CLIENT_JAVA_ORDER_H_
#define GROUPSIM_MODEL_CLIENT_JAVA_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// String.hashCode, over the UTF-16 units of a text in well-formed UTF-8.
uint32_t JavaHash(absl::string_view text);

// MessageQueue.hashCode, 5.3.3.
uint32_t JavaHash(const MessageQueue& queue);

// The kinds of table differ in how full they become before they grow.
enum class JavaTable {
  kHashMap,            // Also HashSet; beyond three quarters.
  kConcurrentHashMap,  // From three quarters on.
};

// Brings keys into the order in which a table walks them that they were put
// into one by one, in their present order. Holds as long as no eight keys share
// a bucket.
void SortAsWalked(JavaTable table, std::vector<Name>& keys);
void SortAsWalked(JavaTable table, std::vector<MessageQueue>& keys);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_JAVA_ORDER_H_
