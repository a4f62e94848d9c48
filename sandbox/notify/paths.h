// Where the paths of a sandboxed process lead: through the tree, from the folder that it works in
// as the host has noted it, since the kernel knows nothing of folders that are in memory only.
#ifndef CULPRIT_SANDBOX_NOTIFY_PATHS_H
#define CULPRIT_SANDBOX_NOTIFY_PATHS_H

#include "sandbox/notify/tree.h"

#include <optional>
#include <string>
#include <sys/types.h>

namespace culprit {

/// Who made a call.
struct Caller {
  pid_t thread = 0;
  pid_t process = 0;
  pid_t parent = 0;
  mode_t mask = 0; ///< umask
};
Caller callerOf(pid_t thread);

/// Where a path leads.
struct Spot {
  int error = 0;      ///< if it leads nowhere; ENOENT with a folder: a new file can be made there
  std::string path;   ///< without links; "" is the root
  NodePointer node;   ///< null: nothing is there
  NodePointer folder; ///< that it is in
  std::string direct; ///< a path of /proc that stands for an open file without a name
};

/// An open file of the sandbox whose contents or entries are the host's.
struct Handle {
  std::string path;
  bool isFolder = false;
  std::weak_ptr<Node> file;         ///< gone when nothing names it any more
  std::vector<FolderEntry> entries; ///< of a folder, when it was last read from its start
};

class Paths {
public:
  Paths(FileTree &tree, std::string folder) : tree_(tree), start_(std::move(folder)) {}

  /// A path relative to an open folder, or AT_FDCWD.
  Spot resolve(const Caller &caller, int folder, const std::string &path, bool followsLast);
  /// The file that a descriptor of the caller stands for; "direct" if it has no name.
  Spot ofDescriptor(const Caller &caller, int fd);

  std::string workingFolder(const Caller &caller);
  void changeFolder(const Caller &caller, const std::string &path);

  /// Notes what an open memory file of the host's stands for.
  void note(int fd, Handle handle);
  Handle *handleOf(const Caller &caller, int fd);

private:
  Spot walk(const Caller &caller, std::string base, const std::string &path, bool followsLast);
  std::optional<Spot> magic(const Caller &caller, const std::string &folder,
                            const std::string &name);
  std::string folderOfProcess(pid_t process, pid_t parent);

  FileTree &tree_;
  std::string start_;                                 ///< the working folder of the first program
  std::map<pid_t, std::string> folders_;              ///< of processes that have changed it
  std::map<std::pair<dev_t, ino_t>, Handle> handles_; ///< by the memory file
};

} // namespace culprit
#endif
