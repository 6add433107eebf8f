// Fields that are set from outside of a scenario's file.
#ifndef GROUPSIM_SCENARIOS_READER_SETTINGS_H_
#define GROUPSIM_SCENARIOS_READER_SETTINGS_H_

#include "absl/strings/string_view.h"
#include "scenarios/reader/finding.h"
#include "scenarios/reader/places.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Sets a field as `assignment`, the text of source number `source`, says:
//
//   duration=5m
//   group[0].client.heartbeat_broker_interval=10s
//   group[order-processing].consumer[pod].count=12
//   expect[2].lost.at_most=0
//   topic[orders].broker=[broker-a, broker-b]
//   at[+]={ time: "1m" crash { consumer: "pod-2" } }
//
// An element of a repeated field is named by its number, from 0, or by its
// name; [+] adds one. Values are those of text format, but a text needs no
// quotes. The value takes the place of what was there. The scenario is not yet
// complete: what its file leaves out is not there to be named. What is wrong is
// a finding, and changes nothing.
void ApplySetting(absl::string_view assignment, int source, Scenario& scenario,
                  FieldPlaces& places, Findings& findings);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_SETTINGS_H_
