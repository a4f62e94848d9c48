// Opening files: what is only read is opened outside, what may be written to is a memory file.
#include "sandbox/notify/file_calls.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

namespace culprit {
namespace {

bool wantsWrite(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0;
}

/// Devices that keep nothing: null, zero, full, random, urandom.
bool isHarmlessDevice(const struct stat &facts) {
  unsigned number = minor(facts.st_rdev);
  return S_ISCHR(facts.st_mode) && major(facts.st_rdev) == 1 &&
         (number == 3 || number == 5 || (number >= 7 && number <= 9));
}

bool isOfKernel(const std::string &path) {
  return path.starts_with("/proc/") || path.starts_with("/sys/");
}

/// What an open file keeps of the flags that it was opened with.
constexpr int kKeptFlags = O_ACCMODE | O_APPEND | O_NONBLOCK | O_DSYNC | O_SYNC;

std::string pathOf(int fd) {
  return fmt::format("/proc/self/fd/{}", fd);
}

} // namespace

bool FileCalls::answerOpen(const Notification &call) {
  int flags = 0;
  mode_t mode = 0;
  int folder = -1;
  unsigned path = 0;
  switch (call.call()) {
  case SYS_open:
    flags = call.intArgument(1);
    mode = static_cast<mode_t>(call.argument(2));
    break;
  case SYS_creat:
    flags = O_CREAT | O_WRONLY | O_TRUNC;
    mode = static_cast<mode_t>(call.argument(1));
    break;
  case SYS_openat:
    folder = 0;
    path = 1;
    flags = call.intArgument(2);
    mode = static_cast<mode_t>(call.argument(3));
    break;
  case SYS_openat2: // for which programs are prepared: it came late
    call.fail(ENOSYS);
    return true;
  default:
    return false;
  }
  bool isExclusive = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
  open(call, spot(call, folder, path, (flags & O_NOFOLLOW) == 0 && !isExclusive), flags, mode);
  return true;
}

void FileCalls::open(const Notification &call, const Spot &spot, int flags, mode_t mode) {
  if (!spot.direct.empty())
    openDirect(call, spot, flags);
  else if (isReal(spot.path) && spot.folder)
    openOutside(call, spot.path, flags, mode & ~caller_.mask);
  else if ((flags & O_TMPFILE) == O_TMPFILE && spot.node)
    makeFile(call, {0, spot.path + "/#unnamed", nullptr, nullptr, ""}, flags & ~O_DIRECTORY, mode);
  else if (spot.error == ENOENT && spot.folder && (flags & O_CREAT) != 0)
    makeFile(call, spot, flags, mode);
  else if (spot.error != 0)
    call.fail(spot.error);
  else if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
    call.fail(EEXIST);
  else if (spot.node->isLink()) // the kernel hands no open file over that only names one
    call.fail((flags & O_PATH) != 0 ? EOPNOTSUPP : ELOOP);
  else if (spot.node->isFolder())
    openFolder(call, spot, flags);
  else if ((flags & O_DIRECTORY) != 0)
    call.fail(ENOTDIR);
  else
    openFile(call, spot, flags);
}

void FileCalls::openOutside(const Notification &call, const std::string &path, int flags,
                            mode_t mode) {
  int wanted = (flags & ~(O_CLOEXEC | O_PATH)) | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY;
  UniqueFd file(::open(path.c_str(), wanted, mode));
  if (file.isOpen())
    call.give(file.get(), (flags & O_CLOEXEC) != 0);
  else
    call.fail(errno);
}

/// Pipes, terminals and files without a name that the sandbox has open already.
void FileCalls::openDirect(const Notification &call, const Spot &spot, int flags) {
  auto owner = static_cast<pid_t>(std::strtol(spot.direct.c_str() + 6, nullptr, 10));
  std::error_code error;
  std::string name = std::filesystem::read_symlink(spot.direct, error).string();
  bool isForReading = spot.direct.ends_with("/fd/0") ||
                      (S_ISREG(spot.node->facts.st_mode) && !name.starts_with("/memfd:"));
  if (!members_.contains(owner) || (isForReading && wantsWrite(flags))) {
    call.fail(EACCES);
    return;
  }
  UniqueFd file(::open(spot.direct.c_str(), (flags & kKeptFlags) | O_CLOEXEC | O_NOCTTY));
  if (file.isOpen())
    call.give(file.get(), (flags & O_CLOEXEC) != 0);
  else
    call.fail(errno);
}

void FileCalls::openFolder(const Notification &call, const Spot &spot, int flags) {
  if (wantsWrite(flags) || (flags & O_CREAT) != 0) {
    call.fail(EISDIR);
    return;
  }
  bool isOutside = !spot.node->lower.empty();
  if (isOutside && (flags & O_PATH) == 0 && ::access(spot.node->lower.c_str(), R_OK) != 0) {
    call.fail(errno);
    return;
  }
  UniqueFd memory(memfd_create("culprit-folder", MFD_CLOEXEC));
  if (!memory.isOpen()) {
    call.fail(ENFILE);
    return;
  }
  paths_.note(memory.get(), {spot.path, true, {}, {}});
  UniqueFd file(::open(pathOf(memory.get()).c_str(), O_RDONLY | O_CLOEXEC));
  call.give(file.get(), (flags & O_CLOEXEC) != 0);
}

void FileCalls::openFile(const Notification &call, const Spot &spot, int flags) {
  const Node &node = *spot.node;
  bool isHarmless = isHarmlessDevice(node.facts);
  if (!node.isFile() && !isHarmless) {
    call.fail(S_ISCHR(node.facts.st_mode) ? ENXIO : EACCES);
    return;
  }
  if (isHarmless || (!wantsWrite(flags) && !node.data.isOpen())) {
    bool isMemory = spot.path.ends_with("/mem") && spot.path.starts_with("/proc/");
    pid_t owner =
        isMemory ? static_cast<pid_t>(std::strtol(spot.path.c_str() + 6, nullptr, 10)) : 0;
    if (isMemory && !members_.contains(owner))
      call.fail(EACCES);
    else
      openOutside(call, node.lower, flags & ~(O_CREAT | O_TRUNC), 0);
    return;
  }
  if (wantsWrite(flags) && (isOfKernel(spot.path) || !mayWrite(node))) {
    call.fail(EACCES);
    return;
  }
  NodePointer file = keep(spot);
  int error = tree_.detach(file, (flags & O_TRUNC) != 0, options_.limits.memory);
  if (error != 0) {
    call.fail(error);
    return;
  }
  paths_.note(file->data.get(), {spot.path, false, file, {}});
  int kept = (flags & (kKeptFlags | O_TRUNC)) | O_CLOEXEC;
  UniqueFd opened(::open(pathOf(file->data.get()).c_str(), kept));
  if (opened.isOpen())
    call.give(opened.get(), (flags & O_CLOEXEC) != 0);
  else
    call.fail(errno);
}

void FileCalls::makeFile(const Notification &call, const Spot &spot, int flags, mode_t mode) {
  NodePointer file = tree_.make(S_IFREG | (mode & ~caller_.mask & 07777));
  int error = spot.folder ? add(spot, file) : 0;
  error = error != 0 ? error : tree_.detach(file, true, 0);
  if (error != 0) {
    call.fail(error);
    return;
  }
  paths_.note(file->data.get(), {spot.path, false, file, {}});
  UniqueFd opened(::open(pathOf(file->data.get()).c_str(), (flags & kKeptFlags) | O_CLOEXEC));
  call.give(opened.get(), (flags & O_CLOEXEC) != 0);
}

} // namespace culprit
