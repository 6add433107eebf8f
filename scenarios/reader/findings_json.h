// Findings for editors and other programs.
#ifndef GROUPSIM_SCENARIOS_READER_FINDINGS_JSON_H_
#define GROUPSIM_SCENARIOS_READER_FINDINGS_JSON_H_

#include <string>

#include "scenarios/reader/finding.h"

namespace groupsim {

// One JSON object, ending in a newline:
//
//   {
//     "version": 1,
//     "errors": 1,       // How many of each there are, listed or not.
//     "warnings": 0,
//     "findings": [      // Up to Findings::kKept, by source and position.
//       {
//         "file": "rolling.textproto",  // Or "--set".
//         "line": 14, "column": 5,      // From 1; columns in code points.
//         "end_line": 14, "end_column": 31,  // Behind the last character.
//         "severity": "error",          // Or "warning".
//         "lint": "",                   // Of a warning: what gives it.
//         "message": "no field \"heartbeat_broker_intervall\" in ...",
//         "path": "group[0].client",    // Of the scenario; may be "".
//         "hint": "did you mean \"heartbeat_broker_interval\"?",
//         "fix": "heartbeat_broker_interval"
//       }
//     ]
//   }
//
// A finding without a position (the binary form has none) has none of the four
// numbers. "fix" is what to write in the place from the position to its end,
// "" to delete that; it is left out where that is not known. Names stay;
// further ones may come.
std::string FindingsJson(const Findings& findings, const Sources& sources);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_FINDINGS_JSON_H_
