// Counters that a run left behind: those of blocks (mode `count`) or of sites (mode `exact`).
#ifndef CULPRIT_ANALYSIS_COUNTERS_COUNTERS_H
#define CULPRIT_ANALYSIS_COUNTERS_COUNTERS_H

#include "compiler/twin/build.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace culprit {

class ImageCounters {
public:
  /// `folder` holds one file per image, named by its index, with the bytes of its counter section.
  /// An image that was not loaded has no file and counts as never executed.
  ImageCounters(const Build &build, size_t image, const std::filesystem::path &folder);

  /// The counters of a module; several arrays if it was linked more than once, none if not at all.
  std::vector<std::vector<uint64_t>> of(const std::string &moduleId, size_t count) const;

private:
  uint64_t start_ = 0;
  std::multimap<std::string, uint64_t> arrays_; ///< module id to address
  std::string bytes_;
};

/// How often a site was executed in a run of an exact build.
uint64_t countOfSite(const Build &build, const std::filesystem::path &folder,
                     const std::string &moduleId, uint32_t site);

} // namespace culprit
#endif
