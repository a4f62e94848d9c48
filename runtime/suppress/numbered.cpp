// See numbered.h.
#include "runtime/suppress/numbered.h"

#include <string.h>

namespace culprit {

NumberedOrigins g_numbered;

bool NumberedOrigins::add(uint64_t origin, uint64_t slot) {
  if (origin == 0) {
    slots_[slot] = 1;
    return true;
  }
  while (last_ + 1 < kNoNumber && isUsed_[last_ + 1])
    ++last_;
  if (last_ + 1 == kNoNumber)
    return false;
  origins_[++last_] = origin;
  slots_[slot] = static_cast<uint16_t>(last_ + 1);
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
  last_ = 0;
  memset(recent_, 0, sizeof recent_);
}

} // namespace culprit
