// The images of the program that have registered so far.
#ifndef CULPRIT_RUNTIME_IMAGES_H
#define CULPRIT_RUNTIME_IMAGES_H

#include "abi/memory_map.h"
#include "runtime/image_record.h"

namespace culprit {

/// The record of the image that is loaded at `base`, or null.
const ImageRecord *imageAt(const void *base);

/// All of them, in the order of their registration.
uint64_t imageCount();
const ImageRecord &imageNumber(uint64_t number);

/// Whether a twin library that has registered holds `place`.
bool isInLibrary(const void *place);

/// Whether code at `place` belongs to the executable, which is linked low in memory where nothing
/// else has code.
inline bool isInExecutable(const void *place) {
  return reinterpret_cast<uint64_t>(place) < abi::kExecutableLimit;
}

/// Whether code at `place` belongs to the program: to the executable or to a twin library.
inline bool isInImage(const void *place) {
  return isInExecutable(place) || isInLibrary(place);
}

} // namespace culprit
#endif
