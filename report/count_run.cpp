// See count_run.h.
#include "report/count_run.h"

#include "analysis/counters/counters.h"

#include <set>

namespace culprit {
namespace fs = std::filesystem;

std::vector<FileCounts> readCounts(const Build &build, const fs::path &folder) {
  LineCounts counts;
  for (size_t i = 0; i < build.images.size(); ++i) {
    const ImageBuild &image = build.images[i];
    ImageCounters counters(build, i, folder);
    std::vector<const Entry *> modules = image.original->modules();
    std::set<std::string> seen;
    for (size_t m = 0; m < modules.size(); ++m) {
      SiteTable table = SiteTable::parse(Cache::readObject(image.sites[m]));
      std::vector<std::vector<uint64_t>> arrays;
      if (seen.insert(modules[m]->id).second)
        arrays = counters.of(modules[m]->id, table.counterCount);
      if (arrays.empty())
        counts.add(table, std::vector<uint64_t>(table.counterCount, 0));
      for (const std::vector<uint64_t> &array : arrays)
        counts.add(table, array);
    }
  }
  return counts.files();
}

} // namespace culprit
