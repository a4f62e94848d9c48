// Origins of single bytes, where the bytes of one granule have different ones: four words per
// granule, a *cell*, to which the granule's word leads.
//
// Code overwrites a granule's word without a look at what it led to. So most cells are not given
// back: when none is left, those are free that no word of the shadow leads to.
#ifndef CULPRIT_RUNTIME_SUPPRESS_MIXED_H
#define CULPRIT_RUNTIME_SUPPRESS_MIXED_H

#include <stdint.h>

namespace culprit {

/// A cell for a granule, whose words mean nothing yet. Ends the program when memory runs out. The
/// granule's word must lead to it before the next call.
uint64_t *newMixedOrigins();

/// The granule's word leads elsewhere now: the cell may be handed out again at once.
void releaseMixedOrigins(uint64_t *words);

} // namespace culprit
#endif
