// See mapped_files.h.
//
// Calls that write are many. So they are looked at only while there is a mapping of a file that was
// opened for writing, too.
#include "runtime/recorder/mapped_files.h"

#include "runtime/entry_fence.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/careful.h"
#include "runtime/recorder/session.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;
constexpr int kMostMapped = 2048; ///< mappings, and
constexpr int kMostWritten = 32;  ///< files that are looked after; more are not

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
  bool isRemembered;
  uint64_t hash; ///< of what it showed when a child was made: rememberMapped()
};

MappedFile g_mapped[kMostMapped];
int g_placesUsed; ///< of it: behind them all are free
FileName g_written[kMostWritten];
int g_writtenCount;
int g_suspects; ///< mappings of files that were opened for writing
int g_count;    ///< mappings
bool g_isFull;  ///< and not all of them are here

struct MappedFiles {
  MappedFile *begin() const { return g_mapped; }
  MappedFile *end() const { return g_mapped + g_placesUsed; }
};

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
  g_count = 0;
  for (const MappedFile &mapped : MappedFiles()) {
    g_suspects += mapped.size != 0 && mapped.isOpen ? 1 : 0;
    g_count += mapped.size != 0 ? 1 : 0;
  }
}

void addMapped(const MappedFile &fresh) {
  for (MappedFile &mapped : MappedFiles())
    if (mapped.size == 0) {
      mapped = fresh;
      return;
    }
  if (g_placesUsed < kMostMapped)
    g_mapped[g_placesUsed++] = fresh;
  else
    g_isFull = true;
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

uint64_t leastOf(uint64_t one, uint64_t other) {
  return one < other ? one : other;
}

/// The flags of a call that opens a file by name; 0 of others.
uint64_t openFlags(const ProgramCall &call) {
  switch (call.number) {
  case SYS_open:
    return call.arguments[1];
  case SYS_openat:
    return call.arguments[2];
  case SYS_creat:
    return O_WRONLY | O_CREAT | O_TRUNC;
  case SYS_openat2: {
    uint64_t flags = O_RDWR;
    copyIn(&flags, call.arguments[2], sizeof flags);
    return flags;
  }
  default:
    return 0;
  }
}

/// The file that a call truncates by its name, and where; false: it does not.
bool findTruncated(const ProgramCall &call, struct stat &status, Stretch &stretch) {
  bool isTruncate = call.number == SYS_truncate;
  status.st_mode = 0;
  status.st_size = 0;
  if (!isTruncate && (openFlags(call) & O_TRUNC) == 0)
    return false;
  bool hasFolder = call.number == SYS_openat || call.number == SYS_openat2;
  long folder = hasFolder ? static_cast<int>(call.arguments[0]) : AT_FDCWD;
  if (rawSyscall(SYS_newfstatat, folder, toLong(call.arguments[hasFolder ? 1 : 0]),
                 address(&status), 0) != 0)
    return false;
  stretch = {isTruncate ? leastOf(static_cast<uint64_t>(status.st_size), call.arguments[1]) : 0,
             UINT64_MAX};
  return S_ISREG(status.st_mode);
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
    stretch.begin = leastOf(static_cast<uint64_t>(status.st_size), arguments[1]);
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

/// What the mapping shows; pages behind the end of a file that has become shorter are not there.
uint64_t hashOf(const MappedFile &mapped) {
  constexpr uint64_t kMost = 64 << 20;
  Hash hash;
  uint64_t end = mapped.begin + leastOf(mapped.size, kMost);
  for (uint64_t page = mapped.begin; page < end; page += kPage)
    if (isReadable(page))
      hash.add(pointerTo<char>(page), kPage);
    else
      hash.add(&page, sizeof page);
  return hash.value();
}

bool isOnlyRead(const MappedFile &mapped) {
  return mapped.size != 0 && !mapped.isShared && !mapped.isCopied;
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
             isOpen || wasOpened(file), false, 0});
  countSuspects();
}

void forgetMapped(uint64_t begin, uint64_t size) {
  uint64_t end = begin + ((size + kPage - 1) & ~(kPage - 1));
  for (MappedFile &mapped : MappedFiles()) {
    uint64_t mappedEnd = mapped.begin + mapped.size;
    if (mapped.size == 0 || begin >= mappedEnd || end <= mapped.begin)
      continue;
    mapped.isRemembered = false;
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
  for (MappedFile &mapped : MappedFiles())
    if (mapped.size != 0 && mapped.begin == from) {
      mapped.begin = to;
      mapped.isRemembered = false;
      mapped.size = (size + kPage - 1) & ~(kPage - 1);
    }
}

void noteWritable(uint64_t begin, uint64_t size) {
  for (MappedFile &mapped : MappedFiles())
    if (mapped.size != 0 && mapped.begin < begin + size && begin < mapped.begin + mapped.size)
      mapped.isCopied = mapped.isCopied || !mapped.isShared;
}

bool isLookedAt(const ProgramCall &call) {
  return (openFlags(call) & O_ACCMODE) != O_RDONLY || call.number == SYS_wait4 ||
         call.number == SYS_waitid;
}

bool opensMemory(const ProgramCall &call, long result) {
  if ((openFlags(call) & O_ACCMODE) == O_RDONLY || result < 0)
    return false;
  constexpr long kProcMagic = 0x9fa0;
  struct statfs system;
  system.f_type = 0;
  if (rawSyscall(SYS_fstatfs, result, address(&system)) != 0 || system.f_type != kProcMagic)
    return false;
  char link[32] = "/proc/self/fd/";
  uint64_t length = 14;
  for (long scale = 1'000'000'000; scale > 0; scale /= 10)
    if (result >= scale || scale == 1)
      link[length++] = static_cast<char>('0' + result / scale % 10);
  char path[64];
  long size = rawSyscall(SYS_readlink, address(link), address(path), sizeof path);
  return size >= 4 && path[size - 4] == '/' && path[size - 3] == 'm' && path[size - 2] == 'e' &&
         path[size - 1] == 'm';
}

void noteOpened(const ProgramCall &call, long result) {
  if ((openFlags(call) & O_ACCMODE) == O_RDONLY || result < 0)
    return;
  auto descriptor = static_cast<uint64_t>(result);
  struct stat status;
  if (!isOpenForWriting(descriptor) || !statusOf(descriptor, status))
    return;
  FileName file = nameOf(status);
  if (!wasOpened(file))
    g_written[g_writtenCount++ % kMostWritten] = file;
  for (MappedFile &mapped : MappedFiles())
    mapped.isOpen = mapped.isOpen || isSame(mapped.file, file);
  countSuspects();
}

bool sharesMapped(const ProgramCall &call) {
  struct stat status;
  if (!isOfInterest(call) || isCopied(call) || !statusOf(call.arguments[4], status))
    return false;
  bool isWriter = isShared(call) && isOpenForWriting(call.arguments[4]);
  Stretch stretch = {call.arguments[5], call.arguments[5] + call.arguments[1]};
  for (const MappedFile &mapped : MappedFiles())
    if (isAt(mapped, nameOf(status), stretch) && !mapped.isCopied && (mapped.isShared || isWriter))
      return true;
  return false;
}

bool changesMapped(const ProgramCall &call) {
  struct stat status;
  Stretch stretch;
  if (g_count == 0)
    return false;
  bool isChange = findTruncated(call, status, stretch) ||
                  (g_suspects != 0 && findChange(call, status, stretch));
  if (!isChange || stretch.begin == stretch.end)
    return false;
  for (const MappedFile &mapped : MappedFiles())
    if (isAt(mapped, nameOf(status), stretch))
      return true;
  return false;
}

bool sharesFiles() {
  for (const MappedFile &mapped : MappedFiles())
    if (mapped.size != 0 && mapped.isShared)
      return true;
  return g_isFull;
}

void rememberMapped() {
  for (MappedFile &mapped : MappedFiles())
    if (isOnlyRead(mapped) && !mapped.isRemembered) {
      mapped.hash = hashOf(mapped);
      mapped.isRemembered = true;
    }
}

bool hasWaited(const ProgramCall &call, long result) {
  return (call.number == SYS_wait4 && result > 0) || (call.number == SYS_waitid && result == 0);
}

bool isMappedChanged() {
  for (const MappedFile &mapped : MappedFiles())
    if (isOnlyRead(mapped) && mapped.isRemembered && hashOf(mapped) != mapped.hash)
      return true;
  return false;
}

} // namespace culprit
