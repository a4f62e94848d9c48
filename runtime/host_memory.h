// Memory that the host made and both sides map: a record that outlives the program.
#ifndef CULPRIT_RUNTIME_HOST_MEMORY_H
#define CULPRIT_RUNTIME_HOST_MEMORY_H

#include "runtime/system.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {

/// The record under that name; null if it cannot be mapped.
template <typename Record> Record *mapHostRecord(const char *file) {
  long fd = rawSyscall(SYS_open, address(file), O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return nullptr;
  long map = rawSyscall(SYS_mmap, 0, sizeof(Record), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  rawSyscall(SYS_close, fd);
  return map < 0 && map > -4096 ? nullptr : reinterpret_cast<Record *>(map);
}

} // namespace culprit
#endif
