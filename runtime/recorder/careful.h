// Copies from and to memory of the program that may not be there.
//
// The sandbox forbids the calls that are made for this (process_vm_readv), for they reach other
// processes, too. Here the kernel is asked whether it can read or write a word, by a call that does
// nothing else (safe_read.h). What is copied is smaller than a page, so its ends tell.
#ifndef CULPRIT_RUNTIME_RECORDER_CAREFUL_H
#define CULPRIT_RUNTIME_RECORDER_CAREFUL_H

#include "runtime/kernel_signals.h"
#include "runtime/recorder/bytes.h"
#include "runtime/safe_read.h"

namespace culprit {

/// Whether the kernel can write the eight bytes at `where`; they stay as they are.
inline bool isWritableWord(uint64_t where) {
  uint64_t before = 0;
  if (!readWord(where, before))
    return false;
  if (rawSyscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, static_cast<long>(where), kMaskSize) != 0)
    return false;
  copyBytes(pointerTo<char>(where), &before, sizeof before);
  return true;
}

/// The words that the first and the last of some bytes are in.
inline uint64_t firstWord(uint64_t place) {
  return place & ~uint64_t{7};
}
inline uint64_t lastWord(uint64_t place, uint64_t size) {
  return (place + size - 1) & ~uint64_t{7};
}

inline bool isWritableMemory(uint64_t place, uint64_t size) {
  return isWritableWord(firstWord(place)) && isWritableWord(lastWord(place, size));
}

/// False: the memory is not there.
inline bool copyIn(void *to, uint64_t from, uint64_t size) {
  if (!isReadable(firstWord(from)) || !isReadable(lastWord(from, size)))
    return false;
  copyBytes(to, pointerTo<char>(from), size);
  return true;
}

inline bool copyOut(uint64_t to, const void *from, uint64_t size) {
  if (!isWritableMemory(to, size))
    return false;
  copyBytes(pointerTo<char>(to), from, size);
  return true;
}

} // namespace culprit
#endif
