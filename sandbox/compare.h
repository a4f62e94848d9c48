// A file as the program left it, compared with the one outside.
#ifndef CULPRIT_SANDBOX_COMPARE_H
#define CULPRIT_SANDBOX_COMPARE_H

#include <string>
#include <sys/stat.h>

namespace culprit {

/// Two files of the same type: `name` in an open folder, and a path outside. What cannot be read,
/// and what is no file or link, counts as the same.
bool hasSameContents(int folder, const std::string &name, const std::string &outside,
                     const struct stat &now, const struct stat &before);

/// Mode and owner, and of what is no folder the time of the last change: the contents are the same.
bool hasSameAttributes(const struct stat &now, const struct stat &before);

/// Whether two open files hold the same bytes; false if one of them cannot be read.
bool isSameData(int a, int b);

} // namespace culprit
#endif
