// See stack_walk.h.
#include "runtime/stack_walk.h"

namespace culprit {

uint64_t g_mainStackEnd;

} // namespace culprit
