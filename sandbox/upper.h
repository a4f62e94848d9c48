// What a program has changed, read from the memory of a sandbox's root (root.h).
#ifndef CULPRIT_SANDBOX_UPPER_H
#define CULPRIT_SANDBOX_UPPER_H

#include "sandbox/change.h"
#include "sandbox/unique_fd.h"

#include <string>
#include <vector>

namespace culprit {

/// `memory` is the memory's open root folder. Sorted by path.
std::vector<FileChange> upperChanges(int memory);

/// The file as the program left it; not open where it changed nothing.
UniqueFd openUpper(int memory, const std::string &path);

} // namespace culprit
#endif
