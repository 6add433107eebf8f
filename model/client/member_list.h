// Asks who is in a consumer group.
#ifndef GROUPSIM_MODEL_CLIENT_MEMBER_LIST_H_
#define GROUPSIM_MODEL_CLIENT_MEMBER_LIST_H_

#include <memory>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/route_service.h"
#include "model/runtime/env.h"
#include "model/runtime/random.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"

namespace groupsim {

// MQClientInstance.findConsumerIdList, 5.3.3. One broker of the topic, drawn at
// random, is asked, and nobody else if it fails: brokers that disagree, or do
// not know of a change yet, give members different views.
class MemberListQuery {
 public:
  struct Answer {
    // One entry per connection, in the broker's order; null if no list came.
    std::shared_ptr<const std::vector<Name>> client_ids;
    // The name server did not answer when it was asked for the route; an
    // exception upstream.
    bool transport_failed = false;
  };

  // All references must outlive it.
  MemberListQuery(Env& env, Duration timeout, Remoting& remoting,
                  RouteService& routes)
      : timeout_(timeout),
        remoting_(remoting),
        routes_(routes),
        random_(env.Random("member-list")) {}

  // Asks a broker of `topic` for the members of `group`.
  Task<Answer> Ask(Name topic, Name group);

 private:
  // The master of a broker drawn at random, or a slave of it if it has none;
  // empty if the topic has no route.
  Name DrawBroker(Name topic);

  const Duration timeout_;
  Remoting& remoting_;
  RouteService& routes_;
  std::unique_ptr<RandomStream> random_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_MEMBER_LIST_H_
