#include "model/client/client_id.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "model/base/name.h"
#include "model/runtime/env.h"

namespace groupsim {

Name GenerateClientId(Env& env, const ClientOrigin& origin) {
  const std::string& ip =
      origin.client_ip.empty() ? env.process().text() : origin.client_ip;
  return env.names().Intern(
      absl::StrCat(ip, "@", origin.pid, "#", env.Now().nanos()));
}

}  // namespace groupsim
