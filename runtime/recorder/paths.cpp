// See paths.h.
#include "runtime/recorder/paths.h"

#include "abi/altered_run.h"
#include "runtime/recorder/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

long g_file = -1;

struct PathArguments {
  int16_t call;
  int8_t first;
  int8_t second; ///< -1: there is one only
};

constexpr PathArguments kCalls[] = {
    {SYS_open, 0, -1},       {SYS_creat, 0, -1},      {SYS_stat, 0, -1},
    {SYS_lstat, 0, -1},      {SYS_access, 0, -1},     {SYS_truncate, 0, -1},
    {SYS_chdir, 0, -1},      {SYS_mkdir, 0, -1},      {SYS_rmdir, 0, -1},
    {SYS_unlink, 0, -1},     {SYS_readlink, 0, -1},   {SYS_rename, 0, 1},
    {SYS_link, 0, 1},        {SYS_symlink, 1, -1},    {SYS_openat, 1, -1},
    {SYS_mkdirat, 1, -1},    {SYS_unlinkat, 1, -1},   {SYS_newfstatat, 1, -1},
    {SYS_statx, 1, -1},      {SYS_readlinkat, 1, -1}, {SYS_faccessat, 1, -1},
    {SYS_faccessat2, 1, -1}, {SYS_openat2, 1, -1},    {SYS_renameat, 1, 3},
    {SYS_linkat, 1, 3},      {SYS_renameat2, 1, 3},   {SYS_symlinkat, 2, -1},
};

void noteOne(uint64_t place, int argument) {
  struct {
    abi::NotedPath head;
    char bytes[PATH_MAX];
  } noted;
  uint64_t size = 0;
  const char *path = pointerTo<const char>(place);
  for (; size < sizeof noted.bytes && path[size]; ++size)
    noted.bytes[size] = path[size];
  noted.head = {eventsTaken(), static_cast<uint64_t>(argument), size};
  rawSyscall(SYS_write, g_file, address(&noted), toLong(sizeof noted.head + roundUpTo8(size)));
}

} // namespace

bool openPaths(const char *file) {
  g_file = rawSyscall(SYS_open, address(file), O_WRONLY | O_APPEND | O_CLOEXEC);
  return g_file >= 0;
}

bool isNotingPaths() {
  return g_file >= 0;
}

void notePaths(const ProgramCall &call, long result) {
  if (g_file < 0 || result == -EFAULT)
    return;
  for (const PathArguments &row : kCalls) {
    if (row.call != call.number)
      continue;
    if (call.arguments[row.first] != 0)
      noteOne(call.arguments[row.first], row.first);
    if (row.second >= 0)
      noteOne(call.arguments[row.second], row.second);
  }
}

} // namespace culprit
