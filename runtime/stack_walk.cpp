// See stack_walk.h.
#include "runtime/stack_walk.h"

namespace culprit {

uint64_t g_mainStackEnd;
uint32_t g_stackLevels = kUsualLevels;
uint64_t g_quickStackEnd;

void startStackWalks(uint64_t stackEnd, uint32_t levels) {
  g_mainStackEnd = stackEnd;
  g_stackLevels = levels;
  g_quickStackEnd = levels == kUsualLevels ? stackEnd : 0;
}

} // namespace culprit
