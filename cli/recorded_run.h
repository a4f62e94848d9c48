// A recording as the start of further runs: for commands that run the program again, altered.
#ifndef CULPRIT_CLI_RECORDED_RUN_H
#define CULPRIT_CLI_RECORDED_RUN_H

#include "cli/launch.h"

#include <string>
#include <vector>

namespace culprit {

struct RecordedRun {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  StartState start;
  std::string input; ///< what the program read from its standard input
  bool hasFailed = false;
};

/// Reads the recording that the user names (folders.h) and changes to the folder that the program
/// was started in. Throws Failure when the program is not the one that was recorded.
RecordedRun enterRecordedRun(const std::string &name, unsigned jobs);

} // namespace culprit
#endif
