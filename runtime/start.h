// What the host told the runtime at start.
#ifndef CULPRIT_RUNTIME_START_H
#define CULPRIT_RUNTIME_START_H

namespace culprit {

struct StartInfo {
  const char *program; ///< absolute path of the user's program, or null when started by hand
  const char *counts;  ///< folder for the counters of mode `count`, or null
};

const StartInfo &startInfo();

} // namespace culprit
#endif
