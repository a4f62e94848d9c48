// Names of what was local to a module with parts (parts.h), which all of its objects know.
#ifndef CULPRIT_COMPILER_TWIN_PART_NAMES_H
#define CULPRIT_COMPILER_TWIN_PART_NAMES_H

#include <string>

namespace culprit {

/// Between the name in the source, and what tells it apart from those of other modules.
inline constexpr char kSharedMark[] = ".culprit.";

/// The name in the source of a symbol, mangled or not.
inline std::string withoutSharedMark(std::string name) {
  size_t mark = name.rfind(kSharedMark);
  if (mark == std::string::npos)
    return name;
  bool isDemangled = name.ends_with(")") && mark > 1 && name.compare(mark - 2, 2, " (") == 0;
  name.erase(isDemangled ? mark - 2 : mark);
  return name;
}

} // namespace culprit
#endif
