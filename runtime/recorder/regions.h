// Memory whose contents a recording keeps a hash of.
#ifndef CULPRIT_RUNTIME_RECORDER_REGIONS_H
#define CULPRIT_RUNTIME_RECORDER_REGIONS_H

#include <stdint.h>

namespace culprit {

/// Variables of the program.
void addRegion(uint64_t begin, uint64_t size);

} // namespace culprit
#endif
