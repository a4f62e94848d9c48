// See stack_walk.h.
#include "runtime/stack_walk.h"

namespace culprit {

uint64_t g_mainStackEnd;
uint32_t g_stackLevels = 4;

} // namespace culprit
