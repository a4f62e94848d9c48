// The paths that the program hands to system calls. A recording does not hold them, for they are
// the program's own; a replay finds them out for the host, which wants to know which files they
// were.
#ifndef CULPRIT_RUNTIME_RECORDER_PATHS_H
#define CULPRIT_RUNTIME_RECORDER_PATHS_H

#include "runtime/recorder/session.h"

namespace culprit {

/// Paths go to that file from now on (abi::NotedPath). False: it cannot be opened.
bool openPaths(const char *file);

/// Whether this replay is for nothing else; it prints nothing.
bool isNotingPaths();

void notePaths(const ProgramCall &call, long result);

} // namespace culprit
#endif
