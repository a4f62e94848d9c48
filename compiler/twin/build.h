// Analysis builds: all images of a program, rebuilt for a mode.
#ifndef CULPRIT_COMPILER_TWIN_BUILD_H
#define CULPRIT_COMPILER_TWIN_BUILD_H

#include "compiler/cache/cache.h"
#include "compiler/layout/catalog.h"
#include "compiler/loader/program.h"
#include "compiler/modes/mode.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace culprit {

struct BuildOptions {
  const Mode *mode = nullptr;
  unsigned jobs = 0;              ///< 0: as many as there are processors
  const Layout *layout = nullptr; ///< null: the default one
  /// By module id, for modes that treat some sites in a special way.
  std::map<std::string, SuppressedSites> sites = {};
};

/// One image's twin, and where the tables of its modules are (in the order of modules()).
struct ImageBuild {
  const Image *original = nullptr;
  std::filesystem::path path;
  std::vector<std::filesystem::path> sites;
  std::vector<std::filesystem::path> memory; ///< the same for MemoryTables
  std::vector<uint64_t> firstSites;          ///< the program's numbers of their first sites
};

struct Build {
  CacheUse use; ///< its files stay for as long as this lives
  std::filesystem::path folder;
  std::vector<ImageBuild> images; ///< in the order of Program::images()

  const std::filesystem::path &executable() const { return images.front().path; }
  /// What the runtime needs for guard words and fill patterns (abi/frame_work.h).
  std::filesystem::path frameWork() const { return folder / "frames"; }
};

/// The names of a build's globals and locals.
Catalog readCatalog(const Build &build);

/// The names of a program's globals and locals; makes the twins that are missing.
Catalog makeCatalog(const Program &program, const BuildOptions &options, const Cache &cache);

/// Finds the build in the cache, or makes it. Throws Failure when a module cannot be rebuilt, an
/// input of the link is gone, or the linker fails.
Build makeBuild(const Program &program, const BuildOptions &options, const Cache &cache);

} // namespace culprit
#endif
