// Mode `count`: puts a file under an image's counters, so that the counts are there however the
// program ends. The mapping is shared: children of the program count into it too.
#include "runtime/hooks.h"
#include "runtime/image_record.h"
#include "runtime/start.h"
#include "runtime/system.h"

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

} // namespace

void __culprit_register_image(Ptr record) {
  auto *image = static_cast<ImageRecord *>(record);
  const char *folder = startInfo().counts;
  char path[4096];
  if (!folder || !fileName(path, sizeof path, folder, image->index))
    return;
  long size = image->countsEnd - image->countsBegin;
  long fd = rawSyscall(SYS_open, address(path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    return;
  if (rawSyscall(SYS_fallocate, fd, 0, 0, size) == 0 || rawSyscall(SYS_ftruncate, fd, size) == 0)
    rawSyscall(SYS_mmap, address(image->countsBegin), size, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_FIXED, fd, 0);
  rawSyscall(SYS_close, fd);
}

} // namespace culprit
