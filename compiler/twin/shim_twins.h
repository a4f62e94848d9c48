// Twins of the shims, for modes that instrument them.
//
// Culprit brings each shim (externals/shims) as an object and as pristine bitcode, in archives with
// the same members. A mode that follows every byte links twins of the bitcode in place of the
// objects; what has no bitcode (the models) stays an object. The shims of libstdc++ are for such
// modes only: there is nothing but bitcode. Twins are cached as those of programs are, and serve
// all programs.
#ifndef CULPRIT_COMPILER_TWIN_SHIM_TWINS_H
#define CULPRIT_COMPILER_TWIN_SHIM_TWINS_H

#include "compiler/twin/twin_jobs.h"

#include <filesystem>
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

class ShimTwins {
public:
  /// `context` is that of the program's modules.
  ShimTwins(const Program &program, const Mode &mode, const TwinContext &context);

  /// What is to be made before archives can be written; none if the mode does not instrument shims.
  std::vector<TwinJob> &jobs() { return jobs_; }

  /// The archives for an executable or for shared libraries; those of twins are written to
  /// `scratch`.
  ShimArchives archivesFor(bool isShared, const std::filesystem::path &scratch) const;

private:
  using ArchivePath = std::filesystem::path ShimArchives::*;

  /// The twins of one archive's members.
  struct Part {
    ArchivePath archive;
    std::filesystem::path original; ///< the archive of objects; empty: there is none
    bool isShared;
    size_t firstJob;
    std::vector<std::string> members; ///< names, in the order of jobs
  };

  void plan(Part part, const std::filesystem::path &bitcode, const Mode &mode,
            const TwinContext &context);
  std::filesystem::path write(const Part &part, const std::filesystem::path &folder) const;

  std::vector<TwinJob> jobs_;
  std::vector<Part> parts_;
};

} // namespace culprit
#endif
