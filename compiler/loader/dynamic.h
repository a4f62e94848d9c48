// What the dynamic loader reads of an image.
#ifndef CULPRIT_COMPILER_LOADER_DYNAMIC_H
#define CULPRIT_COMPILER_LOADER_DYNAMIC_H

#include <string>
#include <string_view>

namespace culprit {

struct DynamicInfo {
  std::string interpreter; ///< empty in libraries and static programs
  std::string soname;
  std::string runPath;       ///< DT_RUNPATH, or DT_RPATH where there is none
  bool runPathIsOld = false; ///< it is DT_RPATH
};

/// Reads a 64-bit little-endian ELF file of at least header size. What points outside of the file
/// is left out.
DynamicInfo readDynamic(std::string_view file);

} // namespace culprit
#endif
