// A scenario from the files that it is spread over.
#ifndef GROUPSIM_SCENARIOS_READER_GATHERING_H_
#define GROUPSIM_SCENARIOS_READER_GATHERING_H_

#include "scenarios/reader/reader.h"

namespace groupsim {

// Reads `source` and what it includes into `reading`: included files first, as
// if their contents stood in front, each once. False if too little could be
// read for the whole to be judged. Nothing is checked beyond the shape.
bool GatherScenario(const Source& source, ScenarioForm form,
                    const ReadOptions& options, Reading& reading);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_GATHERING_H_
