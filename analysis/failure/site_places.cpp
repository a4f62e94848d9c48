// See site_places.h.
#include "analysis/failure/site_places.h"

#include "compiler/cache/cache.h"

namespace culprit {

std::optional<SitePlaces::Place> SitePlaces::find(const SiteAddress &site) {
  const SiteTable *table = tableOf(site.moduleId);
  if (!table || site.site >= table->sites.size())
    return std::nullopt;
  const Site &row = table->sites[site.site];
  const SiteFile &file = table->files[row.file];
  const std::string &name = table->strings[file.name];
  return Place{name, std::filesystem::path(table->strings[file.directory]) / name, row.line,
               row.column};
}

const SiteTable *SitePlaces::tableOf(const std::string &moduleId) {
  if (auto known = tables_.find(moduleId); known != tables_.end())
    return &known->second;
  for (const ImageBuild &image : build_.images) {
    std::vector<const Entry *> modules = image.original->modules();
    for (size_t i = 0; i < modules.size(); ++i)
      if (modules[i]->id == moduleId)
        return &tables_.emplace(moduleId, SiteTable::parse(Cache::readObject(image.sites[i])))
                    .first->second;
  }
  return nullptr;
}

} // namespace culprit
