// Which sites of a module a suppression build treats in a special way.
#ifndef CULPRIT_COMPILER_SUPPRESS_SUPPRESSED_SITES_H
#define CULPRIT_COMPILER_SUPPRESS_SUPPRESSED_SITES_H

#include <cstdint>
#include <set>
#include <string>

namespace culprit {

struct SuppressedSites {
  std::set<uint32_t> points; ///< may be suppressed; at which execution is said when the run starts
  std::set<uint32_t> probes; ///< tell the values and origins of their operands
  std::set<uint32_t> branches; ///< may take a side although what they depend on is corrupt

  /// For names in the cache.
  std::string text() const {
    std::string words;
    for (uint32_t site : points)
      words += "point " + std::to_string(site) + " ";
    for (uint32_t site : probes)
      words += "probe " + std::to_string(site) + " ";
    for (uint32_t site : branches)
      words += "branch " + std::to_string(site) + " ";
    return words;
  }
};

} // namespace culprit
#endif
