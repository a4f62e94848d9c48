// What the host told the runtime at start.
#ifndef CULPRIT_RUNTIME_START_H
#define CULPRIT_RUNTIME_START_H

#include <stdint.h>

namespace culprit {

struct StartInfo {
  const char *program; ///< real path of the user's program, or null when started by hand
  const char *counts;  ///< folder for the counters of mode `count`, or null
  const char *failure; ///< file for the failure record, or null
};

const StartInfo &startInfo();

/// The folder that $ORIGIN means in the original of an image, or null when that is not known.
const char *originOf(uint64_t imageIndex);

} // namespace culprit
#endif
