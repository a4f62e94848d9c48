// The images of the program that have registered so far.
#ifndef CULPRIT_RUNTIME_IMAGES_H
#define CULPRIT_RUNTIME_IMAGES_H

#include "runtime/image_record.h"

namespace culprit {

/// The record of the image that is loaded at `base`, or null.
const ImageRecord *imageAt(const void *base);

/// All of them, in the order of their registration.
uint64_t imageCount();
const ImageRecord &imageNumber(uint64_t number);

} // namespace culprit
#endif
