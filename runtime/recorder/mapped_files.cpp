// See mapped_files.h.
//
// Calls that write are many. So they are looked at only while there is a mapping of a file that was
// opened for writing, too.
#include "runtime/recorder/mapped_files.h"

#include "runtime/entry_fence.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/session.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;
constexpr int kMostMapped = 64;  ///< mappings, and
constexpr int kMostWritten = 32; ///< files that are looked after; more are not

struct FileName {
  uint64_t device;
  uint64_t number;
};

bool isSame(const FileName &first, const FileName &second) {
  return first.device == second.device && first.number == second.number;
}

struct MappedFile {
  uint64_t begin;
  uint64_t size; ///< 0: a free place of the table
  uint64_t offset;
  FileName file;
  bool isShared; ///< the program writes to the file through it
  bool isCopied; ///< the program writes to its own copies of pages: isCopied()
  bool isOpen;   ///< the file was opened for writing
};

MappedFile g_mapped[kMostMapped];
FileName g_written[kMostWritten];
int g_writtenCount;
int g_suspects; ///< mappings of files that were opened for writing

bool statusOf(uint64_t descriptor, struct stat &status) {
  return rawSyscall(SYS_fstat, static_cast<int>(descriptor), address(&status)) == 0 &&
         S_ISREG(status.st_mode);
}

FileName nameOf(const struct stat &status) {
  return {status.st_dev, status.st_ino};
}

bool wasOpened(const FileName &file) {
  for (int i = 0; i < g_writtenCount && i < kMostWritten; ++i)
    if (isSame(g_written[i], file))
      return true;
  return false;
}

void countSuspects() {
  g_suspects = 0;
  for (const MappedFile &mapped : g_mapped)
    g_suspects += mapped.size != 0 && mapped.isOpen ? 1 : 0;
}

void addMapped(const MappedFile &fresh) {
  for (MappedFile &mapped : g_mapped)
    if (mapped.size == 0) {
      mapped = fresh;
      return;
    }
}

bool isShared(const ProgramCall &call) {
  return (call.arguments[3] & 3) != MAP_PRIVATE;
}

/// A private mapping to write to: where it is written to, it shows nothing of the file any more, so
/// it may lie beside shared ones. Where it is not, the hashes of memory tell.
bool isCopied(const ProgramCall &call) {
  return !isShared(call) && (call.arguments[2] & PROT_WRITE) != 0;
}

/// A file that is not only read; the dynamic loader's are.
bool isOfInterest(const ProgramCall &call) {
  return (call.arguments[3] & MAP_ANONYMOUS) == 0 && (call.arguments[2] & PROT_EXEC) == 0 &&
         !isFenceUp();
}

bool isOpenForWriting(uint64_t descriptor) {
  long flags = rawSyscall(SYS_fcntl, static_cast<int>(descriptor), F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/// Bytes of a file.
struct Stretch {
  uint64_t begin;
  uint64_t end;
};

constexpr Stretch kAll = {0, UINT64_MAX};

bool isAt(const MappedFile &mapped, const FileName &file, const Stretch &stretch) {
  return mapped.size != 0 && isSame(mapped.file, file) && mapped.offset < stretch.end &&
         stretch.begin < mapped.offset + mapped.size;
}

/// From where the descriptor is; all of what is behind, if it only appends.
Stretch nextBytes(uint64_t descriptor, uint64_t size, const struct stat &status) {
  long flags = rawSyscall(SYS_fcntl, static_cast<int>(descriptor), F_GETFL);
  long place = rawSyscall(SYS_lseek, static_cast<int>(descriptor), 0, SEEK_CUR);
  if (flags >= 0 && (flags & O_APPEND) != 0)
    return {static_cast<uint64_t>(status.st_size), UINT64_MAX};
  auto begin = static_cast<uint64_t>(place < 0 ? 0 : place);
  return {begin, begin + size};
}

/// What a call changes of a file; false: it changes none.
bool findChange(const ProgramCall &call, struct stat &status, Stretch &stretch) {
  const uint64_t *arguments = call.arguments;
  stretch = kAll;
  switch (call.number) {
  case SYS_write:
    if (!statusOf(arguments[0], status))
      return false;
    stretch = nextBytes(arguments[0], arguments[2], status);
    return true;
  case SYS_pwrite64:
    stretch = {arguments[3], arguments[3] + arguments[2]};
    return statusOf(arguments[0], status);
  case SYS_ftruncate:
    if (!statusOf(arguments[0], status))
      return false;
    stretch.begin = static_cast<uint64_t>(status.st_size) < arguments[1]
                        ? static_cast<uint64_t>(status.st_size)
                        : arguments[1];
    return true;
  case SYS_writev:
  case SYS_pwritev:
  case SYS_pwritev2:
  case SYS_fallocate:
  case SYS_sendfile:
    return statusOf(arguments[0], status);
  case SYS_splice:
  case SYS_copy_file_range:
    return statusOf(arguments[2], status);
  default:
    return false;
  }
}

} // namespace

void noteMapped(const ProgramCall &call, uint64_t place) {
  uint64_t size = (call.arguments[1] + kPage - 1) & ~(kPage - 1);
  struct stat status;
  if ((call.arguments[3] & MAP_FIXED) != 0)
    forgetMapped(place, size);
  if (!isOfInterest(call) || !statusOf(call.arguments[4], status))
    return;
  FileName file = nameOf(status);
  bool isOpen = isOpenForWriting(call.arguments[4]);
  addMapped({place, size, call.arguments[5], file, isShared(call) && isOpen, isCopied(call),
             isOpen || wasOpened(file)});
  countSuspects();
}

void forgetMapped(uint64_t begin, uint64_t size) {
  uint64_t end = begin + ((size + kPage - 1) & ~(kPage - 1));
  for (MappedFile &mapped : g_mapped) {
    uint64_t mappedEnd = mapped.begin + mapped.size;
    if (mapped.size == 0 || begin >= mappedEnd || end <= mapped.begin)
      continue;
    MappedFile rest = mapped;
    mapped.size = begin > mapped.begin ? begin - mapped.begin : 0;
    if (end < mappedEnd) {
      rest.offset += end - rest.begin;
      rest.begin = end;
      rest.size = mappedEnd - end;
      addMapped(rest);
    }
  }
  countSuspects();
}

void moveMapped(uint64_t from, uint64_t to, uint64_t size) {
  for (MappedFile &mapped : g_mapped)
    if (mapped.size != 0 && mapped.begin == from) {
      mapped.begin = to;
      mapped.size = (size + kPage - 1) & ~(kPage - 1);
    }
}

void noteOpened(const ProgramCall &call, long result) {
  bool isOpened = call.number == SYS_openat || call.number == SYS_open ||
                  call.number == SYS_creat || call.number == SYS_openat2;
  if (!isOpened || result < 0)
    return;
  auto descriptor = static_cast<uint64_t>(result);
  struct stat status;
  if (!isOpenForWriting(descriptor) || !statusOf(descriptor, status))
    return;
  FileName file = nameOf(status);
  if (!wasOpened(file))
    g_written[g_writtenCount++ % kMostWritten] = file;
  for (MappedFile &mapped : g_mapped)
    mapped.isOpen = mapped.isOpen || isSame(mapped.file, file);
  countSuspects();
}

bool sharesMapped(const ProgramCall &call) {
  struct stat status;
  if (!isOfInterest(call) || isCopied(call) || !statusOf(call.arguments[4], status))
    return false;
  bool isWriter = isShared(call) && isOpenForWriting(call.arguments[4]);
  Stretch stretch = {call.arguments[5], call.arguments[5] + call.arguments[1]};
  for (const MappedFile &mapped : g_mapped)
    if (isAt(mapped, nameOf(status), stretch) && !mapped.isCopied && (mapped.isShared || isWriter))
      return true;
  return false;
}

bool changesMapped(const ProgramCall &call) {
  struct stat status;
  Stretch stretch;
  if (g_suspects == 0 || !findChange(call, status, stretch) || stretch.begin == stretch.end)
    return false;
  for (const MappedFile &mapped : g_mapped)
    if (isAt(mapped, nameOf(status), stretch))
      return true;
  return false;
}

} // namespace culprit
