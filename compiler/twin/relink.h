// Links twins as the original was linked.
//
// The recorded linker command is run again, in the folder where it ran if that can be found, with
// every object that has twins replaced by them, every archive by one of twins, every culprit-built
// library by its twin, and a few options changed (link_options.h): the output is not PIE, keeps its
// symbols, has the runtime linked in, and writes no side files. Everything else (order, --wrap,
// scripts, foreign objects) stays.
#ifndef CULPRIT_COMPILER_TWIN_RELINK_H
#define CULPRIT_COMPILER_TWIN_RELINK_H

#include "compiler/loader/program.h"
#include "compiler/twin/shim_twins.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace culprit {

struct RelinkRequest {
  const Program *program = nullptr;
  const Image *image = nullptr;
  size_t imageIndex = 0;
  std::map<std::string, std::vector<std::filesystem::path>> twins; ///< objects by module id
  std::map<const Image *, std::filesystem::path> libraries; ///< twin libraries that are linked
  ShimArchives shims;
  bool records = false;     ///< see Mode
  std::string globalScript; ///< places globals; empty: in the linker's order
  std::filesystem::path output;
  std::filesystem::path scratch; ///< folder for archives and temporary objects
};

/// Runs the linker. Throws Failure with the linker's own words.
void relink(const RelinkRequest &request);

/// The library of the program that was this input, or null.
const Image *libraryFor(const Program &program, const LinkInput &input);

/// The file name, and soname, of a library's twin.
std::string twinLibraryName(const Image &library);

} // namespace culprit
#endif
