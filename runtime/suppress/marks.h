// Marks of corrupt memory, in runs without origins (abi::markOf): the shadow that such builds have
// instead. Where nothing is corrupt nothing is ever written.
#ifndef CULPRIT_RUNTIME_SUPPRESS_MARKS_H
#define CULPRIT_RUNTIME_SUPPRESS_MARKS_H

#include "runtime/suppress/suppress.h"

#include <stdint.h>

namespace culprit {

/// Whether this run has marks, and no origins.
inline bool hasMarks() {
  return suppressionRecord() && suppressionRecord()->hasMarks != 0;
}

void setMarks(uint64_t address, uint64_t size, bool isCorrupt);
void copyMarks(uint64_t to, uint64_t from, uint64_t size);
bool hasMark(uint64_t address, uint64_t size);

} // namespace culprit
#endif
