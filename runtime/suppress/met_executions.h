// Which executions were met in a look through millions of origins.
//
// A bit for each, at a place that goes up with the time of the execution: those of about the same
// time, which are met and asked for together, are together in the processor's caches. Two may have
// the same bit: of one that was not met it may be said that it was.
#ifndef CULPRIT_RUNTIME_SUPPRESS_MET_EXECUTIONS_H
#define CULPRIT_RUNTIME_SUPPRESS_MET_EXECUTIONS_H

#include "abi/origins.h"
#include "runtime/suppress/word_map.h"
#include "runtime/system.h"

#include <string.h>
#include <sys/syscall.h>

namespace culprit {

class MetExecutions {
public:
  /// None was met; about `most` will be.
  void start(uint64_t most) {
    uint64_t size = kFirstSize;
    while (size * 8 < most)
      size *= 2;
    if (size > size_)
      makeBits(size);
    memset(bits_, 0, size_);
  }

  void meet(uint64_t origin) {
    uint64_t place = placeOf(origin);
    bits_[place / 8 % size_] |= bitAt(place);
  }

  bool mayHaveMet(uint64_t origin) const {
    uint64_t place = placeOf(origin);
    return (bits_[place / 8 % size_] & bitAt(place)) != 0;
  }

private:
  static constexpr uint64_t kFirstSize = 1 << 17;

  /// Sites are spread, so that two that are executed at one time have different bits.
  static uint64_t placeOf(uint64_t origin) {
    return abi::timeOfOrigin(origin) + abi::siteOfOrigin(origin) * 0x9e37'79b1;
  }
  static uint8_t bitAt(uint64_t place) { return static_cast<uint8_t>(1 << place % 8); }

  void makeBits(uint64_t size) {
    if (bits_)
      rawSyscall(SYS_munmap, address(bits_), static_cast<long>(size_));
    size_ = size;
    bits_ = static_cast<uint8_t *>(memoryForTables(size_));
  }

  uint8_t *bits_ = nullptr;
  uint64_t size_ = 0; ///< in bytes, a power of two
};

} // namespace culprit
#endif
