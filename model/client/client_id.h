// How a client names itself.
#ifndef GROUPSIM_MODEL_CLIENT_CLIENT_ID_H_
#define GROUPSIM_MODEL_CLIENT_CLIENT_ID_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/runtime/env.h"

namespace groupsim {

// Where a generated client id comes from. The order of client ids, which
// allocation depends on, is that of their texts, so first of all that of the
// addresses.
struct ClientOrigin {
  std::string client_ip;  // "10.0.0.12"; the name of the process if empty.
  int32_t pid = 1;
};

// "ip@pid#nanos", where nanos is the time (ClientConfig.buildMQClientId and
// changeInstanceNameToPID, since 4.9.0): another one at each start.
Name GenerateClientId(Env& env, const ClientOrigin& origin);

// The same with "@STREAM" behind, of a consumer that asks for streams
// (enableStreamRequestType, which DefaultLitePullConsumer sets).
Name GenerateStreamClientId(Env& env, const ClientOrigin& origin);

// "ip@DEFAULT", the same at each start: a broadcasting consumer keeps the name
// of its instance, by which it finds its offsets again.
std::string LastingClientId(absl::string_view client_ip);
Name LastingClientId(Env& env, const ClientOrigin& origin);

// The same with "@STREAM" behind.
std::string LastingStreamClientId(absl::string_view client_ip);
Name LastingStreamClientId(Env& env, const ClientOrigin& origin);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CLIENT_ID_H_
