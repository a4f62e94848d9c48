// See heap_memory.h.
#include "runtime/heap_memory.h"

#include "runtime/recording.h"
#include "runtime/system.h"

#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

long toLong(uint64_t value) {
  return static_cast<long>(value);
}

} // namespace

bool mapAt(uint64_t begin, uint64_t end) {
  if (isRecorded() && __culprit_memory_refused(false))
    return false;
  long result = rawSyscall(SYS_mmap, toLong(begin), toLong(end - begin), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (result == toLong(begin))
    return true;
  // Kernels before 4.17 take the address for a hint.
  if (result > 0)
    rawSyscall(SYS_munmap, result, toLong(end - begin));
  return isRecorded() && !__culprit_memory_refused(true);
}

void unmap(uint64_t begin, uint64_t end) {
  if (begin != end)
    rawSyscall(SYS_munmap, toLong(begin), toLong(end - begin));
}

void discardPages(uint64_t begin, uint64_t end) {
  begin = roundUp(begin, kPage);
  end &= ~(kPage - 1);
  if (begin < end)
    rawSyscall(SYS_madvise, toLong(begin), toLong(end - begin), MADV_DONTNEED);
}

void fenceOff(uint64_t begin, uint64_t end) {
  if (rawSyscall(SYS_mprotect, toLong(begin), toLong(end - begin), PROT_NONE) == 0)
    discardPages(begin, end);
}

bool Stretch::growTo(uint64_t end, uint64_t more) {
  end = roundUp(end, kPage);
  if (end <= end_)
    return true;
  if (uint64_t wished = roundUp(end + more, kPage); mapAt(end_, wished))
    end = wished;
  else if (!mapAt(end_, end))
    return false;
  end_ = end;
  return true;
}

void Stretch::release() {
  unmap(begin_, end_);
  end_ = begin_;
}

} // namespace culprit
