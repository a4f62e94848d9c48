// Twins of the shims, for modes that instrument them.
//
// Culprit brings each shim (externals/shims) as an object and as pristine bitcode, in archives with
// the same members. A mode that follows every byte links twins of the bitcode in place of the
// objects; what has no bitcode (the models) stays an object. The shims of libstdc++ are for such
// modes only: there is nothing but bitcode.
//
// Such twins serve all programs, in executables and in shared libraries. The build of culprit makes
// them (compiler/tools/culprit-shims.cpp) and leaves them as archives that are named by what
// decides their bytes. Where the right one is not there, its twins are made and cached as those of
// programs are.
#ifndef CULPRIT_COMPILER_TWIN_SHIM_TWINS_H
#define CULPRIT_COMPILER_TWIN_SHIM_TWINS_H

#include "compiler/twin/twin_jobs.h"

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

/// What an image is linked with in place of libraries.
struct ShimArchives {
  std::filesystem::path externals;    ///< executables only
  std::filesystem::path instrumented; ///< empty: libc's own functions
  std::filesystem::path cpp;          ///< empty: libstdc++'s own, or none
};

/// Whether an argument of the linker names libstdc++.
bool isCppLibrary(const std::string &argument);

/// The functions of libstdc++'s shared library that are followed as the program's own are.
std::vector<std::string> cppShimFunctions(const Program &program);

class ShimTwins {
public:
  /// All of a mode that instruments shims, to be made anew.
  explicit ShimTwins(const Mode &mode);
  /// Those that the program needs; none if the mode does not instrument shims.
  ShimTwins(const Program &program, const Mode &mode);

  /// What is to be made before archives can be had.
  std::vector<TwinJob> &jobs() { return jobs_; }

  /// What images are linked with; archives of twins that had to be made are written to `scratch`.
  ShimArchives archives(const std::filesystem::path &scratch) const;

  /// Leaves the archives for other programs to find, and says where.
  std::vector<std::filesystem::path> leaveReady() const;

private:
  using ArchivePath = std::filesystem::path ShimArchives::*;

  /// The twins of one archive's members.
  struct Part {
    ArchivePath archive;
    std::filesystem::path bitcode;
    std::filesystem::path original; ///< the archive of objects; empty: there is none
    std::filesystem::path ready;    ///< where the build of culprit leaves them
    bool isReady = false;
    size_t firstJob = 0;
    std::vector<std::string> members; ///< names, in the order of jobs; of what is not ready
  };

  void add(ArchivePath archive, const std::filesystem::path &bitcode,
           const std::filesystem::path &original);
  void plan(Part &part);
  void write(const Part &part, const std::filesystem::path &path) const;

  const Mode &mode_; ///< whose code is in them
  std::vector<TwinJob> jobs_;
  std::vector<Part> parts_;
};

/// Where archives of twins are left ready.
std::filesystem::path readyTwins();

} // namespace culprit
#endif
