// The mounts of this machine, as far as they decide how the sandbox's root is put together.
#ifndef CULPRIT_SANDBOX_MOUNTS_H
#define CULPRIT_SANDBOX_MOUNTS_H

#include <map>
#include <string>
#include <string_view>

namespace culprit {

class Mounts {
public:
  /// From the text of /proc/self/mountinfo. Of several mounts on one path the last one counts.
  explicit Mounts(std::string_view mountInfo);

  /// Whether something is mounted on a path strictly below that one ("" is the root).
  bool hasBelow(const std::string &path) const;
  /// Whether the file system that a path is on was mounted read-only, or without programs.
  bool isReadOnly(const std::string &path) const { return at(path).isReadOnly; }
  bool isWithoutPrograms(const std::string &path) const { return at(path).isWithoutPrograms; }
  bool isMountPoint(const std::string &path) const { return points_.contains(path); }

private:
  struct Flags {
    bool isReadOnly = false;
    bool isWithoutPrograms = false;
  };
  Flags at(std::string path) const;

  std::map<std::string, Flags> points_; ///< by path; the root is ""
};

} // namespace culprit
#endif
