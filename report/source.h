// Source text for reports. A source file may be gone or changed; then reports do without.
#ifndef CULPRIT_REPORT_SOURCE_H
#define CULPRIT_REPORT_SOURCE_H

#include <string>
#include <vector>

namespace culprit {

/// All lines of a file named as the compiler saw it, or none when it cannot be read. A relative
/// name is looked up below `directory`, then below the current folder.
std::vector<std::string> sourceLines(const std::string &file, const std::string &directory);

/// A line with its number and a mark below the column, as compilers show it; empty: there is no
/// such line. Column 0 has no mark.
std::string sourceExcerpt(const std::vector<std::string> &lines, size_t line, size_t column,
                          bool hasColour);

} // namespace culprit
#endif
