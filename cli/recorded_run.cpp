// See recorded_run.h.
#include "cli/recorded_run.h"

#include "cli/recorded_build.h"
#include "recording/folders.h"
#include "recording/input.h"
#include "support/diagnostics.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;

RecordedRun enterRecordedRun(const std::string &name, unsigned jobs) {
  fs::path folder = fs::absolute(findRecording(name));
  RecordedLog log = readLog(folder);
  if (!log.checkpoint.empty())
    failUsage("'{}' does not start with the program: its beginning was dropped (--max-size); "
              "'culprit replay' can show its end",
              folder.string());
  checkRecordedProgram(RecordedBuild(log.meta, jobs), log.meta);
  if (chdir(log.meta.folder.c_str()) != 0)
    failUsage("the folder that the program was recorded in, '{}', cannot be entered: {}",
              log.meta.folder, std::strerror(errno));
  takeLibraryPath(log.meta);
  RecordedRun run;
  run.program = log.meta.program;
  run.arguments = log.meta.arguments;
  run.start = {log.meta.environment, log.meta.stackLimit, log.meta.memoryLimit};
  run.input = inputOf(log, folder);
  run.hasFailed = log.end && log.end->status != 0;
  return run;
}

} // namespace culprit
