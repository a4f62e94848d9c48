// Bytes, copied and hashed without libc: the recorder works before it is there.
#ifndef CULPRIT_RUNTIME_RECORDER_BYTES_H
#define CULPRIT_RUNTIME_RECORDER_BYTES_H

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

/// Two lanes of multiplications, eight bytes at a time. Not against an adversary.
class Hash {
public:
  void add(const void *bytes, uint64_t size) {
    const auto *next = static_cast<const char *>(bytes);
    for (; size >= 16; size -= 16, next += 16) {
      a_ = mix(a_, wordAt(next));
      b_ = mix(b_, wordAt(next + 8));
    }
    for (; size >= 8; size -= 8, next += 8)
      a_ = mix(a_, wordAt(next));
    uint64_t last = size;
    for (; size > 0; --size, ++next)
      last = last << 8 | static_cast<uint8_t>(*next);
    b_ = mix(b_, last);
  }

  uint64_t value() const { return mix(a_, b_); }

private:
  static uint64_t wordAt(const char *from) {
    uint64_t word;
    __builtin_memcpy_inline(&word, from, sizeof word);
    return word;
  }
  static uint64_t mix(uint64_t state, uint64_t word) {
    state = (state ^ word) * 0x9e37'79b9'7f4a'7c15;
    return state ^ state >> 29;
  }

  uint64_t a_ = 0x243f'6a88'85a3'08d3;
  uint64_t b_ = 0x1319'8a2e'0370'7344;
};

} // namespace culprit
#endif
