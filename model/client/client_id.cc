#include "model/client/client_id.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/runtime/env.h"

namespace groupsim {
namespace {

const std::string& IpOf(const Env& env, const ClientOrigin& origin) {
  return origin.client_ip.empty() ? env.process().text() : origin.client_ip;
}

std::string NewClientId(const Env& env, const ClientOrigin& origin) {
  return absl::StrCat(IpOf(env, origin), "@", origin.pid, "#",
                      env.Now().nanos());
}

}  // namespace

Name GenerateClientId(Env& env, const ClientOrigin& origin) {
  return env.names().Intern(NewClientId(env, origin));
}

Name GenerateStreamClientId(Env& env, const ClientOrigin& origin) {
  return env.names().Intern(absl::StrCat(NewClientId(env, origin), "@STREAM"));
}

std::string LastingClientId(absl::string_view client_ip) {
  return absl::StrCat(client_ip, "@DEFAULT");
}

Name LastingClientId(Env& env, const ClientOrigin& origin) {
  return env.names().Intern(LastingClientId(IpOf(env, origin)));
}

std::string LastingStreamClientId(absl::string_view client_ip) {
  return absl::StrCat(LastingClientId(client_ip), "@STREAM");
}

Name LastingStreamClientId(Env& env, const ClientOrigin& origin) {
  return env.names().Intern(LastingStreamClientId(IpOf(env, origin)));
}

}  // namespace groupsim
