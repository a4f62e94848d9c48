// Bytes, copied and hashed without libc: the recorder works before it is there.
#ifndef CULPRIT_RUNTIME_RECORDER_BYTES_H
#define CULPRIT_RUNTIME_RECORDER_BYTES_H

#include "abi/quick_hash.h"
#include "runtime/system.h"

#include <stdint.h>

namespace culprit {

inline void copyBytes(void *to, const void *from, uint64_t size) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

inline void clearBytes(void *to, uint64_t size) {
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(0) : "memory");
}

inline uint64_t placeOf(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

inline uint64_t roundUpTo8(uint64_t size) {
  return (size + 7) & ~uint64_t{7};
}

using Hash = abi::QuickHash;

} // namespace culprit
#endif
