// The root folder of a sandbox made of namespaces: the machine's files, and whatever the program
// does to them in memory.
//
// Memory is a tmpfs. Over each folder in which nothing else is mounted lies an overlay with its
// upper layer there. The kernel refuses to an unprivileged overlay a folder that holds mounts,
// since that would show what they cover. So such a folder (the root always is one) is built anew in
// memory, entry by entry: folders in turn, links, and files as copies, or, when they are large,
// read-only.
//
// /proc shows the sandbox's processes, /sys is read-only, /dev has the few devices that keep
// nothing.
//
// The calling process must be alone in new user and mount namespaces.
#ifndef CULPRIT_SANDBOX_ROOT_H
#define CULPRIT_SANDBOX_ROOT_H

#include "sandbox/mounts.h"
#include "sandbox/unique_fd.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace culprit {

/// One place of the sandbox whose changes are in memory; written into the memory itself, as
/// kPlacesFile, for the host to find.
struct Place {
  bool isOverlay = false; ///< else a folder built anew
  std::string path;       ///< in the sandbox as outside; the root is ""
  std::string upper;      ///< where its files are, from the memory's root
};

constexpr const char *kPlacesFile = "places";

/// Reads the places of an open memory.
std::vector<Place> readPlaces(int memory);

class SandboxRoot {
public:
  /// `memorySize`: bytes; 0: half of the machine's. `essential`: folders that must be writable as
  /// they are outside.
  SandboxRoot(uint64_t memorySize, std::vector<std::string> essential);

  /// Makes the memory and turns to it: the machine's files are below kOutside from then on.
  void begin();
  /// Another open file for a standard stream, whose mode, owner and times nothing can change
  /// through it. Not open if there is none.
  UniqueFd reopen(int fd, bool isInput) const;
  /// Lets the program really write to a folder.
  void share(const std::filesystem::path &folder);
  /// The sandbox's /proc, after begin(). The kernel lets only a process of the sandbox's own mount
  /// it.
  static bool mountProcesses();
  /// All the rest. Leaves the calling process in the new root.
  void finish();

  /// The memory, and the sandbox's /proc, for the host.
  int memory() const { return memory_.get(); }
  int processes() const { return processes_.get(); }

private:
  void place(const std::string &path);
  void overlay(const std::string &path);
  void build(const std::string &path);
  void addEntry(const std::string &path);
  void copyFile(const std::string &path, const struct stat &facts);
  void addDevices();
  void addSystem();
  void mountReadOnly(const std::string &path);

  uint64_t memorySize_;
  std::vector<std::string> essential_;
  std::vector<Place> places_;
  std::vector<std::string> shared_;
  Mounts mounts_;
  UniqueFd memory_;
  UniqueFd processes_;
};

} // namespace culprit
#endif
