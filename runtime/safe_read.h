// Memory that may not be there, read without a fault.
#ifndef CULPRIT_RUNTIME_SAFE_READ_H
#define CULPRIT_RUNTIME_SAFE_READ_H

#include "runtime/system.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>

namespace culprit {

/// Whether the eight bytes at `where` can be read. The kernel copies a signal mask in before it
/// looks at what to do with it, and refuses the latter. A null pointer is no mask to it.
inline bool isReadable(uint64_t where) {
  if (where == 0)
    return false;
  long error = rawSyscall(SYS_rt_sigprocmask, -1, static_cast<long>(where), 0, sizeof(uint64_t));
  return error != -EFAULT;
}

inline bool readWord(uint64_t where, uint64_t &word) {
  if (!isReadable(where))
    return false;
  __builtin_memcpy(&word, reinterpret_cast<const void *>(where), sizeof word);
  return true;
}

} // namespace culprit
#endif
