// Which sites of a module a suppression build treats in a special way.
#ifndef CULPRIT_COMPILER_SUPPRESS_SUPPRESSED_SITES_H
#define CULPRIT_COMPILER_SUPPRESS_SUPPRESSED_SITES_H

#include <cstdint>
#include <set>
#include <string>

namespace culprit {

struct SuppressedSites {
  std::set<uint32_t> points; ///< may be suppressed; at which execution is said when the run starts
  /// May tell the values and origins of their operands; which of them does is said at start.
  std::set<uint32_t> probes;
  std::set<uint32_t> branches; ///< may take a side although what they depend on is corrupt

  /// For names in the cache.
  std::string text() const {
    std::string words;
    for (uint32_t site : points)
      words += "point " + std::to_string(site) + " ";
    for (auto site = probes.begin(); site != probes.end();) {
      uint32_t first = *site, last = first;
      while (++site != probes.end() && *site == last + 1)
        last = *site;
      words += "probes " + std::to_string(first) + " to " + std::to_string(last) + " ";
    }
    for (uint32_t site : branches)
      words += "branch " + std::to_string(site) + " ";
    return words;
  }
};

} // namespace culprit
#endif
