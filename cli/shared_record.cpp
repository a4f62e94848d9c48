// See shared_record.h.
#include "cli/shared_record.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace culprit {

SharedMemory::SharedMemory(const char *name, size_t size)
    : fd_(memfd_create("culprit", MFD_CLOEXEC)),
      path_(fmt::format("/proc/{}/fd/{}", getpid(), fd_)), size_(size) {
  void *map = MAP_FAILED;
  if (fd_ >= 0 && ftruncate(fd_, static_cast<off_t>(size)) == 0)
    map = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (map == MAP_FAILED)
    failUsage("cannot make {}: {}", name, std::strerror(errno));
  memory_ = map;
}

SharedMemory::~SharedMemory() {
  munmap(memory_, size_);
  close(fd_);
}

} // namespace culprit
