// Origins of memory (abi/origins.h): the shadow, and the bytes whose granule is shared.
//
// Nothing is mapped in advance. Code of the program uses memory before it asks for its origin, so a
// fault in the shadow of memory that is there means that a stretch of shadow is to be made.
#ifndef CULPRIT_RUNTIME_SUPPRESS_SHADOW_H
#define CULPRIT_RUNTIME_SUPPRESS_SHADOW_H

#include "runtime/unwind.h"

#include <stdint.h>

namespace culprit {

/// Makes shadows on demand until signals.cpp does; called before anything that might touch one.
void startShadows();

/// Whether a fault at `address` was one of the shadow's, and is mended.
bool makeShadow(uint64_t address);

/// The optimiser may put the load of an origin before the program's own access. So a fault may be
/// in the shadow of what the program is about to access: a register that holds a pointer near
/// there tells. The fault's own address if none does.
uint64_t accessedBehind(uint64_t fault, const Registers &registers);

uint64_t originOfByte(uint64_t address);
void setOrigin(uint64_t address, uint64_t size, uint64_t origin);
/// Memory keeps its origins, and is stale.
void markStale(uint64_t address, uint64_t size);
void copyOrigins(uint64_t to, uint64_t from, uint64_t size);

/// Of a value: the youngest origin of its bytes, with the flags of all.
uint64_t originOfBytes(uint64_t address, uint64_t size);

/// Whether one of the bytes is corrupt; memory that is not there is not.
bool hasCorruptByte(uint64_t address, uint64_t size);

} // namespace culprit
#endif
