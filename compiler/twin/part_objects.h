// Parts in place of functions, in objects; see parts.h.
#ifndef CULPRIT_COMPILER_TWIN_PART_OBJECTS_H
#define CULPRIT_COMPILER_TWIN_PART_OBJECTS_H

#include <string>
#include <vector>

namespace culprit {

/// Takes the symbols that the parts define out of the open twin, so that its own code refers to the
/// parts, too. Weak symbols and groups stay: of those the linker takes the first.
void leaveToParts(std::string &object, const std::vector<std::string> &parts);

} // namespace culprit
#endif
