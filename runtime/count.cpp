// Mode `count`: puts a file under an image's counters, so that the counts are there however the
// program ends. The mapping is shared: children of the program count into it too.
#include "runtime/count.h"

#include "runtime/start.h"
#include "runtime/system.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

/// "FOLDER/INDEX"; false when it does not fit.
bool fileName(char *buffer, size_t size, const char *folder, uint64_t index) {
  char digits[24];
  char *digit = digits + sizeof digits;
  *--digit = 0;
  do
    *--digit = static_cast<char>('0' + index % 10);
  while (index /= 10);
  if (strlen(folder) + 1 + strlen(digit) + 1 > size)
    return false;
  strcpy(buffer, folder);
  strcat(buffer, "/");
  strcat(buffer, digit);
  return true;
}

/// Room on the disk for the whole file, so that no counter can hit a full one later.
bool reserve(long fd, long size) {
  long error = rawSyscall(SYS_fallocate, fd, 0, 0, size);
  return error == 0 || (error == -EOPNOTSUPP && rawSyscall(SYS_ftruncate, fd, size) == 0);
}

/// Adds what was counted before the file is there (ifunc resolvers, early constructors), then puts
/// the file in place of the section.
void mapOver(char *begin, long size, long fd) {
  long file = rawSyscall(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (file < 0 && file > -4096)
    return;
  auto *early = reinterpret_cast<uint64_t *>(begin);
  auto *counters = reinterpret_cast<uint64_t *>(file);
  for (long i = 0; i < size / 8; ++i)
    if (early[i] != 0)
      __atomic_fetch_add(&counters[i], early[i], __ATOMIC_RELAXED);
  rawSyscall(SYS_munmap, file, size);
  rawSyscall(SYS_mmap, address(begin), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
}

} // namespace

void mapCounters(const ImageRecord &image) {
  const char *folder = startInfo().counts;
  char path[4096];
  long size = image.countsEnd - image.countsBegin;
  if (!folder || size <= 0 || size % 4096 != 0 || !fileName(path, sizeof path, folder, image.index))
    return;
  long fd = rawSyscall(SYS_open, address(path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    return;
  if (reserve(fd, size))
    mapOver(image.countsBegin, size, fd);
  rawSyscall(SYS_close, fd);
}

} // namespace culprit
