// Changing a file's mode, owner, times and size.
#include "sandbox/notify/file_calls.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <utime.h>

namespace culprit {
namespace {

constexpr long kNanoseconds = 1'000'000'000;

bool isOwner(const Node &node) {
  return geteuid() == 0 || node.facts.st_uid == geteuid();
}

timespec now() {
  timespec time = {};
  clock_gettime(CLOCK_REALTIME, &time);
  return time;
}

} // namespace

bool FileCalls::answerFacts(const Notification &call) {
  switch (call.call()) {
  case SYS_chmod:
    answerWith(call, changeMode(spot(call, -1, 0, true), static_cast<mode_t>(call.argument(1))));
    return true;
  case SYS_fchmod:
    answerWith(call, changeMode(paths_.ofDescriptor(caller_, call.intArgument(0)),
                                static_cast<mode_t>(call.argument(1))));
    return true;
  case SYS_fchmodat:
    answerWith(call, changeMode(spot(call, 0, 1, true), static_cast<mode_t>(call.argument(2))));
    return true;
  case SYS_chown:
  case SYS_lchown:
    answerWith(call, changeOwner(spot(call, -1, 0, call.call() == SYS_chown),
                                 static_cast<uid_t>(call.argument(1)),
                                 static_cast<gid_t>(call.argument(2))));
    return true;
  case SYS_fchown:
    answerWith(call, changeOwner(paths_.ofDescriptor(caller_, call.intArgument(0)),
                                 static_cast<uid_t>(call.argument(1)),
                                 static_cast<gid_t>(call.argument(2))));
    return true;
  case SYS_fchownat: {
    int flags = call.intArgument(4);
    answerWith(call, changeOwner(spot(call, 0, 1, (flags & AT_SYMLINK_NOFOLLOW) == 0,
                                      (flags & AT_EMPTY_PATH) != 0),
                                 static_cast<uid_t>(call.argument(2)),
                                 static_cast<gid_t>(call.argument(3))));
    return true;
  }
  case SYS_truncate:
    answerWith(call, truncate(spot(call, -1, 0, true), static_cast<int64_t>(call.argument(1))));
    return true;
  case SYS_utime: {
    utimbuf given = {};
    timespec times[2] = {now(), now()};
    bool isGiven = call.argument(1) != 0;
    if (isGiven && call.read(call.argument(1), &given, sizeof given)) {
      times[0] = {given.actime, 0};
      times[1] = {given.modtime, 0};
    }
    answerWith(call, changeTimes(spot(call, -1, 0, true), times));
    return true;
  }
  case SYS_utimes:
    answerWith(call, setTimes(call, spot(call, -1, 0, true), call.argument(1), true));
    return true;
  case SYS_futimesat:
    answerWith(call, setTimes(call, spot(call, 0, 1, true), call.argument(2), true));
    return true;
  case SYS_utimensat: {
    bool isFollowed = (call.argument(3) & AT_SYMLINK_NOFOLLOW) == 0;
    Spot place = call.argument(1) == 0
                     ? paths_.ofDescriptor(caller_, call.intArgument(0))
                     : spot(call, 0, 1, isFollowed, (call.argument(3) & AT_EMPTY_PATH) != 0);
    answerWith(call, setTimes(call, place, call.argument(2), false));
    return true;
  }
  default:
    return false;
  }
}

int FileCalls::setTimes(const Notification &call, const Spot &spot, uint64_t address,
                        bool isMicroseconds) {
  timespec times[2] = {now(), now()};
  timespec given[2];
  if (address != 0) {
    if (!call.read(address, given, sizeof given))
      return EFAULT;
    for (int i = 0; i < 2; ++i) {
      if (isMicroseconds)
        given[i].tv_nsec *= 1000;
      if (given[i].tv_nsec == UTIME_OMIT)
        times[i] = spot.node
                       ? (i == 0 ? spot.node->current().st_atim : spot.node->current().st_mtim)
                       : times[i];
      else if (given[i].tv_nsec != UTIME_NOW)
        times[i] = given[i];
      if (times[i].tv_nsec < 0 || times[i].tv_nsec >= kNanoseconds)
        return EINVAL;
    }
  }
  return changeTimes(spot, times);
}

int FileCalls::changeTimes(const Spot &spot, const timespec times[2]) {
  if (spot.error != 0)
    return spot.error;
  if (!spot.direct.empty())
    return EPERM;
  if (!isOwner(*spot.node) && !mayWrite(*spot.node))
    return EPERM;
  NodePointer node = keep(spot);
  struct stat contents = {};
  if (node->data.isOpen() && fstat(node->data.get(), &contents) == 0)
    node->copied = contents.st_mtim;
  node->facts.st_atim = times[0];
  node->facts.st_mtim = times[1];
  node->facts.st_ctim = now();
  return 0;
}

int FileCalls::changeMode(const Spot &spot, mode_t mode) {
  if (spot.error != 0)
    return spot.error;
  if (!spot.direct.empty() || !isOwner(*spot.node))
    return EPERM;
  NodePointer node = keep(spot);
  node->facts.st_mode = (node->facts.st_mode & S_IFMT) | (mode & 07777);
  node->facts.st_ctim = now();
  return 0;
}

int FileCalls::changeOwner(const Spot &spot, uid_t user, gid_t group) {
  if (spot.error != 0)
    return spot.error;
  const auto kSame = static_cast<uid_t>(-1);
  bool isOwn = isOwner(*spot.node) && (user == kSame || user == spot.node->facts.st_uid) &&
               (group == kSame || group == getegid());
  if (!spot.direct.empty() || (geteuid() != 0 && !isOwn))
    return EPERM;
  NodePointer node = keep(spot);
  node->facts.st_uid = user == kSame ? node->facts.st_uid : user;
  node->facts.st_gid = group == kSame ? node->facts.st_gid : group;
  node->facts.st_ctim = now();
  return 0;
}

int FileCalls::truncate(const Spot &spot, int64_t size) {
  if (spot.error != 0)
    return spot.error;
  if (!spot.node->isFile() || !spot.direct.empty())
    return spot.node->isFolder() ? EISDIR : EINVAL;
  if (!mayWrite(*spot.node) || spot.path.starts_with("/proc/") || spot.path.starts_with("/sys/"))
    return EACCES;
  if (options_.limits.memory > 0 && static_cast<uint64_t>(size) > options_.limits.memory)
    return EFBIG;
  NodePointer node = keep(spot);
  int error = tree_.detach(node, false, options_.limits.memory);
  if (error != 0)
    return error;
  paths_.note(node->data.get(), {spot.path, false, node, {}});
  return ftruncate(node->data.get(), size) == 0 ? 0 : errno;
}

} // namespace culprit
