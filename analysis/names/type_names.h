// Names of C++ types as the source has them, from demangled ones: `std::string`, and the library's
// templates without the arguments that nobody writes.
#ifndef CULPRIT_ANALYSIS_NAMES_TYPE_NAMES_H
#define CULPRIT_ANALYSIS_NAMES_TYPE_NAMES_H

#include <string>

namespace culprit {

std::string shortTypeNames(std::string text);

} // namespace culprit
#endif
