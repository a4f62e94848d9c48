// Counters that a run left behind: those of blocks (mode `count`) or of sites (mode `exact`).
#ifndef CULPRIT_ANALYSIS_COUNTERS_COUNTERS_H
#define CULPRIT_ANALYSIS_COUNTERS_COUNTERS_H

#include "compiler/twin/build.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace culprit {

/// Where an image has the counters of a module.
struct CounterArray {
  uint64_t address, size;
};

class ImageCounters {
public:
  /// `folder` holds one file per image, named by its index, with the bytes of its counter section.
  /// An image that was not loaded has no file and counts as never executed.
  ImageCounters(const Build &build, size_t image, const std::filesystem::path &folder);

  /// The first counters of a module; several arrays if it was linked more than once, none if not at
  /// all.
  std::vector<std::vector<uint64_t>> of(const std::string &moduleId, size_t count) const;
  /// How often a thread executed a site; the module has an array for each of the first threads.
  uint64_t ofSite(const std::string &moduleId, uint32_t site, uint32_t thread) const;

private:
  uint64_t start_ = 0;
  std::multimap<std::string, CounterArray> arrays_; ///< by module id
  std::string bytes_;
};

/// How often a thread (FailureRecord::thread) executed a site in a run of an exact build; 0: not
/// known, for only the first threads are told apart.
uint64_t countOfSite(const Build &build, const std::filesystem::path &folder,
                     const std::string &moduleId, uint32_t site, uint32_t thread);

} // namespace culprit
#endif
