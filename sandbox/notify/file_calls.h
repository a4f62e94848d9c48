// Answers the system calls that have to do with files, out of the tree: the kernel never sees them.
#ifndef CULPRIT_SANDBOX_NOTIFY_FILE_CALLS_H
#define CULPRIT_SANDBOX_NOTIFY_FILE_CALLS_H

#include "sandbox/notification.h"
#include "sandbox/notify/members.h"
#include "sandbox/notify/paths.h"
#include "sandbox/options.h"

namespace culprit {

class FileCalls {
public:
  FileCalls(const SandboxOptions &options, const Members &members, std::string folder)
      : options_(options), members_(members), paths_(tree_, std::move(folder)) {}

  /// False if the call is none of these.
  bool answer(Notification &call);

  const FileTree &tree() const { return tree_; }
  std::string workingFolder(pid_t thread) { return paths_.workingFolder(callerOf(thread)); }

private:
  struct Names { ///< two spots, of calls that take two paths
    Spot from;
    Spot to;
  };

  // Each family is in a file of its own and returns false for calls of the others.
  bool answerOpen(const Notification &call);  // open_calls.cpp
  bool answerLook(const Notification &call);  // look_calls.cpp
  bool answerNames(const Notification &call); // name_calls.cpp
  bool answerFacts(const Notification &call); // fact_calls.cpp

  /// The path in one argument, relative to the folder in another (-1: the working folder). Where
  /// `isEmptyAllowed`, an empty path is the descriptor itself.
  Spot spot(const Notification &call, int folder, unsigned path, bool followsLast,
            bool isEmptyAllowed = false);
  bool mayWrite(const Node &node) const;
  bool isReal(const std::string &path) const; ///< below a folder that is shared with the host

  void open(const Notification &call, const Spot &spot, int flags, mode_t mode);
  void openFolder(const Notification &call, const Spot &spot, int flags);
  void openFile(const Notification &call, const Spot &spot, int flags);
  void openDirect(const Notification &call, const Spot &spot, int flags);
  void openOutside(const Notification &call, const std::string &path, int flags, mode_t mode);
  void makeFile(const Notification &call, const Spot &spot, int flags, mode_t mode);

  void stat(const Notification &call, const Spot &spot, uint64_t buffer);
  void statx(const Notification &call, const Spot &spot);
  void access(const Notification &call, const Spot &spot, int mode);
  void readLink(const Notification &call, const Spot &spot, uint64_t buffer, uint64_t size);
  void readAttribute(const Notification &call, const Spot &spot);
  void listAttributes(const Notification &call, const Spot &spot);
  void tellFileSystem(const Notification &call, const Spot &spot);
  void listFolder(const Notification &call);
  void tellFolder(const Notification &call);

  int add(const Spot &spot, const NodePointer &node);
  int remove(const Spot &spot, bool isFolder);
  int rename(const Spot &from, const Spot &to, unsigned flags);
  int link(const Spot &from, const Spot &to);

  int changeMode(const Spot &spot, mode_t mode);
  int changeOwner(const Spot &spot, uid_t user, gid_t group);
  int changeTimes(const Spot &spot, const timespec times[2]);
  int truncate(const Spot &spot, int64_t size);
  int setTimes(const Notification &call, const Spot &spot, uint64_t address, bool isMicroseconds);
  NodePointer keep(const Spot &spot);

  const SandboxOptions &options_;
  const Members &members_;
  FileTree tree_;
  Paths paths_;
  Caller caller_; ///< of the call that is being answered
};

/// Answers with an error, or with success if that is 0.
void answerWith(const Notification &call, int error);

} // namespace culprit
#endif
