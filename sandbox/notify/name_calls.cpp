// Making, removing and renaming files and folders, and going to another folder.
#include "sandbox/notify/file_calls.h"

#include <cerrno>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

bool isOfKernel(const std::string &path) {
  return path.starts_with("/proc/") || path.starts_with("/sys/");
}

bool isBelow(const std::string &path, const std::string &folder) {
  return path.starts_with(folder + "/");
}

} // namespace

bool FileCalls::answerNames(const Notification &call) {
  switch (call.call()) {
  case SYS_unlink:
    answerWith(call, remove(spot(call, -1, 0, false), false));
    return true;
  case SYS_rmdir:
    answerWith(call, remove(spot(call, -1, 0, false), true));
    return true;
  case SYS_unlinkat:
    answerWith(call, remove(spot(call, 0, 1, false), (call.argument(2) & AT_REMOVEDIR) != 0));
    return true;
  case SYS_rename:
    answerWith(call, rename(spot(call, -1, 0, false), spot(call, -1, 1, false), 0));
    return true;
  case SYS_renameat:
  case SYS_renameat2: {
    auto flags = call.call() == SYS_renameat2 ? static_cast<unsigned>(call.argument(4)) : 0U;
    answerWith(call, rename(spot(call, 0, 1, false), spot(call, 2, 3, false), flags));
    return true;
  }
  case SYS_link:
    answerWith(call, link(spot(call, -1, 0, false), spot(call, -1, 1, false)));
    return true;
  case SYS_linkat: {
    auto flags = call.argument(4);
    answerWith(
        call, link(spot(call, 0, 1, (flags & AT_SYMLINK_FOLLOW) != 0, (flags & AT_EMPTY_PATH) != 0),
                   spot(call, 2, 3, false)));
    return true;
  }
  case SYS_mkdir:
  case SYS_mkdirat: {
    bool isAt = call.call() == SYS_mkdirat;
    auto mode = static_cast<mode_t>(call.argument(isAt ? 2 : 1));
    answerWith(call, add(spot(call, isAt ? 0 : -1, isAt ? 1 : 0, false),
                         tree_.make(S_IFDIR | (mode & ~caller_.mask & 07777))));
    return true;
  }
  case SYS_mknod:
  case SYS_mknodat: {
    bool isAt = call.call() == SYS_mknodat;
    auto mode = static_cast<mode_t>(call.argument(isAt ? 2 : 1));
    bool isFile = S_ISREG(mode) || (mode & S_IFMT) == 0;
    NodePointer file = tree_.make(S_IFREG | (mode & ~caller_.mask & 07777));
    int error = isFile ? tree_.detach(file, true, 0) : EPERM;
    answerWith(call,
               error != 0 ? error : add(spot(call, isAt ? 0 : -1, isAt ? 1 : 0, false), file));
    return true;
  }
  case SYS_symlink:
  case SYS_symlinkat: {
    bool isAt = call.call() == SYS_symlinkat;
    std::optional<std::string> target = call.text(call.argument(0));
    NodePointer link = tree_.make(S_IFLNK | 0777);
    link->target = target.value_or("");
    link->facts.st_size = static_cast<off_t>(link->target.size());
    Spot place = spot(call, isAt ? 1 : -1, isAt ? 2 : 1, false);
    answerWith(call, link->target.empty() ? ENOENT : add(place, link));
    return true;
  }
  case SYS_chdir:
  case SYS_fchdir: {
    Spot place = call.call() == SYS_chdir ? spot(call, -1, 0, true)
                                          : paths_.ofDescriptor(caller_, call.intArgument(0));
    int error = place.error != 0 ? place.error : place.node->isFolder() ? 0 : ENOTDIR;
    bool isOutside = error == 0 && place.node->lower == place.path && !place.path.empty();
    if (isOutside && ::access(place.node->lower.c_str(), X_OK) != 0)
      error = errno;
    if (error == 0)
      paths_.changeFolder(caller_, place.path);
    answerWith(call, error);
    return true;
  }
  default:
    return false;
  }
}

/// Puts a new file where nothing is yet.
int FileCalls::add(const Spot &spot, const NodePointer &node) {
  if (spot.error == 0)
    return EEXIST;
  if (spot.error != ENOENT || !spot.folder)
    return spot.error;
  if (isOfKernel(spot.path) || !mayWrite(*spot.folder))
    return EACCES;
  NodePointer folder = tree_.keep(folderOf(spot.path));
  if (!folder)
    return ENOENT;
  folder->children[lastPart(spot.path)] = node;
  return 0;
}

int FileCalls::remove(const Spot &spot, bool isFolder) {
  if (spot.error != 0)
    return spot.error;
  if (!spot.direct.empty() || spot.path.empty() || isOfKernel(spot.path))
    return EPERM;
  if (spot.node->isFolder() != isFolder)
    return isFolder ? ENOTDIR : EISDIR;
  if (!mayWrite(*spot.folder))
    return EACCES;
  if (isFolder && tree_.list(*spot.node).size() > 2)
    return ENOTEMPTY;
  NodePointer folder = tree_.keep(folderOf(spot.path));
  folder->children[lastPart(spot.path)] = nullptr;
  return 0;
}

int FileCalls::rename(const Spot &from, const Spot &to, unsigned flags) {
  if (from.error != 0)
    return from.error;
  if (to.error != 0 && (to.error != ENOENT || !to.folder))
    return to.error;
  if ((flags & ~RENAME_NOREPLACE) != 0)
    return EINVAL;
  if (to.error == 0 && (flags & RENAME_NOREPLACE) != 0)
    return EEXIST;
  if (from.path.empty() || to.path.empty() || !from.direct.empty() || isOfKernel(from.path) ||
      isOfKernel(to.path))
    return EPERM;
  if (from.path == to.path)
    return 0;
  if (isBelow(to.path, from.path))
    return EINVAL;
  if (!mayWrite(*from.folder) || !mayWrite(*to.folder))
    return EACCES;
  if (to.node && to.node->isFolder() != from.node->isFolder())
    return to.node->isFolder() ? EISDIR : ENOTDIR;
  if (to.node && to.node->isFolder() && tree_.list(*to.node).size() > 2)
    return ENOTEMPTY;
  NodePointer node = tree_.keep(from.path);
  NodePointer target = tree_.keep(folderOf(to.path));
  if (!node || !target)
    return ENOENT;
  tree_.keep(folderOf(from.path))->children[lastPart(from.path)] = nullptr;
  target->children[lastPart(to.path)] = node;
  return 0;
}

int FileCalls::link(const Spot &from, const Spot &to) {
  if (from.error != 0)
    return from.error;
  if (!from.direct.empty())
    return ENOENT;
  if (from.node->isFolder() || isOfKernel(from.path))
    return EPERM;
  if (from.node->isFile() && from.node->lower.empty() && !from.node->data.isOpen())
    return ENOENT;
  NodePointer node = keep(from);
  int error = add(to, node);
  if (error == 0)
    ++node->facts.st_nlink;
  return error;
}

} // namespace culprit
