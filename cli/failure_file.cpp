// See failure_file.h.
#include "cli/failure_file.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace culprit {

FailureFile::FailureFile()
    : fd_(memfd_create("culprit-failure", MFD_CLOEXEC)),
      path_(fmt::format("/proc/{}/fd/{}", getpid(), fd_)) {
  size_t size = sizeof(abi::FailureRecord);
  void *map = MAP_FAILED;
  if (fd_ >= 0 && ftruncate(fd_, static_cast<off_t>(size)) == 0)
    map = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (map == MAP_FAILED)
    failUsage("cannot make the failure record: {}", std::strerror(errno));
  record_ = static_cast<abi::FailureRecord *>(map);
}

FailureFile::~FailureFile() {
  munmap(record_, sizeof *record_);
  close(fd_);
}

} // namespace culprit
