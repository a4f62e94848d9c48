// Which processor this is: libc chooses its code by it, so a recording replays on the same only.
#ifndef CULPRIT_RECORDING_PROCESSOR_H
#define CULPRIT_RECORDING_PROCESSOR_H

#include <string>

namespace culprit {

/// Name, family and features, as one line.
std::string describeProcessor();

} // namespace culprit
#endif
