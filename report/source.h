// Source text for reports. A source file may be gone or changed; then reports do without.
#ifndef CULPRIT_REPORT_SOURCE_H
#define CULPRIT_REPORT_SOURCE_H

#include <string>
#include <vector>

namespace culprit {

/// All lines of a file named as the compiler saw it, or none when it cannot be read. A relative
/// name is looked up below `directory`, then below the current folder.
std::vector<std::string> sourceLines(const std::string &file, const std::string &directory);

} // namespace culprit
#endif
