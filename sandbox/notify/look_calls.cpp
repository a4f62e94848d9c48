// Looking at files: stat and its kin, links, permissions, folders.
#include "sandbox/notify/file_calls.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

namespace culprit {
namespace {

constexpr size_t kMostBuffer = 1 << 16; ///< that one call fills

statx_timestamp toTimestamp(const timespec &time) {
  statx_timestamp stamp = {};
  stamp.tv_sec = time.tv_sec;
  stamp.tv_nsec = static_cast<uint32_t>(time.tv_nsec);
  return stamp;
}

struct statx toStatx(const struct stat &facts) {
  struct statx out = {};
  out.stx_mask = STATX_BASIC_STATS;
  out.stx_blksize = static_cast<uint32_t>(facts.st_blksize);
  out.stx_nlink = static_cast<uint32_t>(facts.st_nlink);
  out.stx_uid = facts.st_uid;
  out.stx_gid = facts.st_gid;
  out.stx_mode = static_cast<uint16_t>(facts.st_mode);
  out.stx_ino = facts.st_ino;
  out.stx_size = static_cast<uint64_t>(facts.st_size);
  out.stx_blocks = static_cast<uint64_t>(facts.st_blocks);
  out.stx_atime = toTimestamp(facts.st_atim);
  out.stx_mtime = toTimestamp(facts.st_mtim);
  out.stx_ctime = toTimestamp(facts.st_ctim);
  out.stx_rdev_major = major(facts.st_rdev);
  out.stx_rdev_minor = minor(facts.st_rdev);
  out.stx_dev_major = major(facts.st_dev);
  out.stx_dev_minor = minor(facts.st_dev);
  return out;
}

/// The kernel's form of a folder's entry; `next` is where to go on.
std::string entryBytes(const FolderEntry &entry, int64_t next) {
  constexpr size_t kName = offsetof(dirent64, d_name);
  size_t size = (kName + entry.name.size() + 1 + 7) / 8 * 8;
  std::string bytes(size, '\0');
  auto length = static_cast<uint16_t>(size);
  std::memcpy(bytes.data() + offsetof(dirent64, d_ino), &entry.inode, sizeof entry.inode);
  std::memcpy(bytes.data() + offsetof(dirent64, d_off), &next, sizeof next);
  std::memcpy(bytes.data() + offsetof(dirent64, d_reclen), &length, sizeof length);
  bytes[offsetof(dirent64, d_type)] = static_cast<char>(entry.type);
  std::memcpy(bytes.data() + kName, entry.name.data(), entry.name.size());
  return bytes;
}

/// The caller's own open file: its offset is shared.
UniqueFd borrow(pid_t process, int fd) {
  UniqueFd owner(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  return UniqueFd(static_cast<int>(syscall(SYS_pidfd_getfd, owner.get(), fd, 0)));
}

/// Answers with bytes of that number, or the error of the call that made them. Of no room, the
/// number alone.
void give(const Notification &call, uint64_t buffer, const std::string &bytes, ssize_t number) {
  if (number < 0)
    call.fail(errno);
  else if (bytes.empty() || number == 0 ||
           call.write(buffer, bytes.data(), static_cast<size_t>(number)))
    call.succeed(number);
  else
    call.fail(EFAULT);
}

} // namespace

bool FileCalls::answerLook(const Notification &call) {
  switch (call.call()) {
  case SYS_stat:
    stat(call, spot(call, -1, 0, true), call.argument(1));
    return true;
  case SYS_lstat:
    stat(call, spot(call, -1, 0, false), call.argument(1));
    return true;
  case SYS_fstat:
    stat(call, paths_.ofDescriptor(caller_, call.intArgument(0)), call.argument(1));
    return true;
  case SYS_newfstatat: {
    int flags = call.intArgument(3);
    stat(call, spot(call, 0, 1, (flags & AT_SYMLINK_NOFOLLOW) == 0, (flags & AT_EMPTY_PATH) != 0),
         call.argument(2));
    return true;
  }
  case SYS_statx:
    statx(call, spot(call, 0, 1, (call.argument(2) & AT_SYMLINK_NOFOLLOW) == 0,
                     (call.argument(2) & AT_EMPTY_PATH) != 0));
    return true;
  case SYS_access:
    access(call, spot(call, -1, 0, true), call.intArgument(1));
    return true;
  case SYS_faccessat:
  case SYS_faccessat2:
    access(call, spot(call, 0, 1, true), call.intArgument(2));
    return true;
  case SYS_readlink:
    readLink(call, spot(call, -1, 0, false), call.argument(1), call.argument(2));
    return true;
  case SYS_readlinkat:
    readLink(call, spot(call, 0, 1, false), call.argument(2), call.argument(3));
    return true;
  case SYS_getxattr:
  case SYS_lgetxattr:
    readAttribute(call, spot(call, -1, 0, call.call() == SYS_getxattr));
    return true;
  case SYS_listxattr:
  case SYS_llistxattr:
    listAttributes(call, spot(call, -1, 0, call.call() == SYS_listxattr));
    return true;
  case SYS_statfs:
    tellFileSystem(call, spot(call, -1, 0, true));
    return true;
  case SYS_getdents64:
    listFolder(call);
    return true;
  case SYS_getdents:
    call.fail(ENOSYS);
    return true;
  case SYS_getcwd:
    tellFolder(call);
    return true;
  default:
    return false;
  }
}

void FileCalls::stat(const Notification &call, const Spot &spot, uint64_t buffer) {
  if (spot.error != 0) {
    call.fail(spot.error);
    return;
  }
  struct stat facts = spot.node->current();
  answerWith(call, call.write(buffer, &facts, sizeof facts) ? 0 : EFAULT);
}

void FileCalls::statx(const Notification &call, const Spot &spot) {
  if (spot.error != 0) {
    call.fail(spot.error);
    return;
  }
  struct statx facts = toStatx(spot.node->current());
  answerWith(call, call.write(call.argument(4), &facts, sizeof facts) ? 0 : EFAULT);
}

void FileCalls::access(const Notification &call, const Spot &spot, int mode) {
  if (spot.error != 0 || mode == F_OK || !spot.direct.empty()) {
    answerWith(call, spot.error);
    return;
  }
  const Node &node = *spot.node;
  bool isOutside = !node.lower.empty() && !node.data.isOpen() && node.children.empty();
  if (isOutside && node.lower == spot.path) {
    answerWith(call, faccessat(AT_FDCWD, node.lower.c_str(), mode, 0) == 0 ? 0 : errno);
    return;
  }
  mode_t bits = node.facts.st_mode;
  mode_t own = geteuid() == 0                   ? 06 | (bits | bits >> 3 | bits >> 6)
               : node.facts.st_uid == geteuid() ? bits >> 6
               : node.facts.st_gid == getegid() ? bits >> 3
                                                : bits;
  answerWith(call, (static_cast<mode_t>(mode) & ~own & 07) == 0 ? 0 : EACCES);
}

void FileCalls::readLink(const Notification &call, const Spot &spot, uint64_t buffer,
                         uint64_t size) {
  if (spot.error != 0 || !spot.node->isLink()) {
    call.fail(spot.error != 0 ? spot.error : EINVAL);
    return;
  }
  std::string target = spot.node->target;
  if (spot.path == "/proc/self") {
    target = std::to_string(caller_.process);
  } else if (spot.path.starts_with("/proc/") && spot.node->lower == spot.path) {
    // An open file of the tree's, or a working folder, has a name that the kernel does not know.
    Spot place = paths_.resolve(caller_, AT_FDCWD, spot.path, true);
    if (place.error == 0 && place.direct.empty() && place.path != spot.path)
      target = place.path.empty() ? "/" : place.path;
  }
  size_t length = std::min<size_t>(target.size(), size);
  if (call.write(buffer, target.data(), length))
    call.succeed(static_cast<int64_t>(length));
  else
    call.fail(EFAULT);
}

/// Files of the tree have no extended attributes but those of the file that they were.
void FileCalls::readAttribute(const Notification &call, const Spot &spot) {
  std::optional<std::string> name = call.text(call.argument(1));
  std::string value(std::min<size_t>(call.argument(3), kMostBuffer), '\0');
  if (spot.error != 0 || !name || spot.node->lower.empty()) {
    call.fail(spot.error != 0 ? spot.error : !name ? EFAULT : ENODATA);
    return;
  }
  ssize_t got = lgetxattr(spot.node->lower.c_str(), name->c_str(), value.data(), value.size());
  give(call, call.argument(2), value, got);
}

void FileCalls::listAttributes(const Notification &call, const Spot &spot) {
  std::string names(std::min<size_t>(call.argument(2), kMostBuffer), '\0');
  if (spot.error != 0 || spot.node->lower.empty()) {
    answerWith(call, spot.error);
    return;
  }
  give(call, call.argument(1), names,
       llistxattr(spot.node->lower.c_str(), names.data(), names.size()));
}

void FileCalls::tellFileSystem(const Notification &call, const Spot &spot) {
  struct statfs facts = {};
  if (spot.error != 0)
    call.fail(spot.error);
  else if (statfs(spot.node->lower.empty() ? "/" : spot.node->lower.c_str(), &facts) != 0)
    call.fail(errno);
  else
    answerWith(call, call.write(call.argument(1), &facts, sizeof facts) ? 0 : EFAULT);
}

void FileCalls::listFolder(const Notification &call) {
  Handle *handle = paths_.handleOf(caller_, call.intArgument(0));
  if (!handle || !handle->isFolder) {
    call.fail(ENOTDIR);
    return;
  }
  UniqueFd own = borrow(caller_.process, call.intArgument(0));
  off_t at = lseek(own.get(), 0, SEEK_CUR);
  if (at == 0) {
    NodePointer folder = tree_.at(handle->path);
    handle->entries =
        folder && folder->isFolder() ? tree_.list(*folder) : std::vector<FolderEntry>();
  }
  size_t room = std::min<size_t>(call.argument(2), kMostBuffer);
  std::string bytes;
  auto next = static_cast<size_t>(std::max<off_t>(at, 0));
  for (; next < handle->entries.size(); ++next) {
    std::string entry = entryBytes(handle->entries[next], static_cast<int64_t>(next + 1));
    if (bytes.size() + entry.size() > room)
      break;
    bytes += entry;
  }
  if (bytes.empty() && next < handle->entries.size()) {
    call.fail(EINVAL);
    return;
  }
  lseek(own.get(), static_cast<off_t>(next), SEEK_SET);
  if (call.write(call.argument(1), bytes.data(), bytes.size()) || bytes.empty())
    call.succeed(static_cast<int64_t>(bytes.size()));
  else
    call.fail(EFAULT);
}

void FileCalls::tellFolder(const Notification &call) {
  std::string folder = paths_.workingFolder(caller_);
  if (folder.empty())
    folder = "/";
  if (call.argument(1) < folder.size() + 1)
    call.fail(ERANGE);
  else if (call.write(call.argument(0), folder.c_str(), folder.size() + 1))
    call.succeed(static_cast<int64_t>(folder.size() + 1));
  else
    call.fail(EFAULT);
}

} // namespace culprit
