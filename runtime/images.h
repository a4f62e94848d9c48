// The images of the program that have registered so far.
#ifndef CULPRIT_RUNTIME_IMAGES_H
#define CULPRIT_RUNTIME_IMAGES_H

#include "runtime/image_record.h"

namespace culprit {

/// The record of the image that is loaded at `base`, or null.
const ImageRecord *imageAt(const void *base);

} // namespace culprit
#endif
