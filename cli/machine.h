// What this machine offers of the things that culprit builds on, found out by trying.
#ifndef CULPRIT_CLI_MACHINE_H
#define CULPRIT_CLI_MACHINE_H

#include <string>
#include <vector>

namespace culprit {

struct MachineCheck {
  std::string name; ///< for scripts: words with hyphens
  std::string what; ///< for people
  bool works = false;
  bool isNeeded = false; ///< else something else does as well
  std::string detail;    ///< what was found, or why it does not work
  std::string next;      ///< what to do about it; empty: nothing
};

std::vector<MachineCheck> checkMachine();

} // namespace culprit
#endif
