// See numbered.h.
#include "runtime/suppress/numbered.h"

#include <string.h>

namespace culprit {

NumberedOrigins g_numbered;

bool NumberedOrigins::add(uint64_t origin, uint64_t slot) {
  while (next_ < kNoNumber && isUsed_[next_])
    ++next_;
  if (next_ == kNoNumber)
    return false;
  origins_[next_] = origin;
  slots_[slot] = static_cast<uint16_t>(++next_);
  return true;
}

void NumberedOrigins::startMarking() {
  memset(isMarked_, 0, sizeof isMarked_);
}

void NumberedOrigins::finishMarking() {
  memset(slots_, 0, sizeof slots_);
  for (uint64_t number = 0; number < kNoNumber; ++number) {
    isUsed_[number] = isMarked_[number];
    if (isUsed_[number])
      slots_[slotFor(origins_[number])] = static_cast<uint16_t>(number + 1);
  }
  next_ = 0;
  afterLast_ = 0;
}

} // namespace culprit
