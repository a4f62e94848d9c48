// What memory a process has: the lines of its /proc/PID/maps.
#ifndef CULPRIT_SUPPORT_MAPPINGS_H
#define CULPRIT_SUPPORT_MAPPINGS_H

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace culprit {

struct Mapping {
  uint64_t begin = 0;
  uint64_t end = 0;
  std::string rights; ///< such as `r-xp`
  bool isFile = false;
  std::string name; ///< up to its first space; empty: there is none

  bool isPrivate() const { return rights.ends_with('p'); }
};

/// In the order of their addresses; none if the process is gone.
std::vector<Mapping> mappingsOf(pid_t process);

} // namespace culprit
#endif
