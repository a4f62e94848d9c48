// See program_sites.h.
#include "analysis/locate/program_sites.h"

#include "analysis/failure/failure.h"
#include "compiler/cache/cache.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <set>

namespace culprit {

ProgramSites::ProgramSites(const Build &build) {
  for (const ImageBuild &image : build.images) {
    std::vector<const Entry *> entries = image.original->modules();
    for (size_t i = 0; i < entries.size(); ++i)
      parts_.push_back({entries[i]->id, image.firstSites[i],
                        SiteTable::parse(Cache::readObject(image.sites[i]))});
  }
  for (const Part &part : parts_)
    for (const SiteFunction &function : part.table.functions)
      functions_.insert(part.table.strings.at(function.name));
}

const ProgramSites::Part &ProgramSites::partOf(const std::string &moduleId) const {
  for (const Part &part : parts_)
    if (part.moduleId == moduleId)
      return part;
  failInternal("a site is of module '{}', which the program does not have", moduleId);
}

std::optional<SiteAddress> ProgramSites::find(uint64_t number) const {
  for (const Part &part : parts_)
    if (number >= part.firstSite && number - part.firstSite < part.table.sites.size())
      return SiteAddress{part.moduleId, static_cast<uint32_t>(number - part.firstSite)};
  return std::nullopt;
}

uint64_t ProgramSites::numberOf(const SiteAddress &site) const {
  return partOf(site.moduleId).firstSite + site.site;
}

SitePlace ProgramSites::placeOf(const SiteAddress &site) const {
  const SiteTable &table = partOf(site.moduleId).table;
  const Site &row = table.sites.at(site.site);
  const SiteFile &file = table.files.at(row.file);
  return {table.strings.at(file.name),
          table.strings.at(file.directory),
          row.line,
          row.column,
          table.strings.at(table.functions.at(row.function).name),
          table.strings.at(row.variable),
          row.kind,
          table.functions.at(row.function).line == 0};
}

bool SitePlace::isOwn() const {
  std::filesystem::path path = std::filesystem::path(directory) / file;
  return line != 0 && !isImplicit && !isSystemHeader(path.lexically_normal().string());
}

bool ProgramSites::isOneLiner(const SiteAddress &site) const {
  const SiteTable &table = partOf(site.moduleId).table;
  const Site &own = table.sites.at(site.site);
  auto hasEffect = [](SiteKind kind) {
    return kind == SiteKind::Call || kind == SiteKind::Store || kind == SiteKind::Branch;
  };
  return std::all_of(table.sites.begin(), table.sites.end(), [&](const Site &other) {
    return other.function != own.function || other.line == own.line || other.line == 0 ||
           !hasEffect(other.kind);
  });
}

namespace {

/// Sites of a module that can all be probed: their code must not take longer to make than the
/// builds that it saves.
constexpr size_t kMostProbed = 4096;

std::set<uint32_t> sitesOf(const SiteFunction &function) {
  std::set<uint32_t> sites;
  for (uint32_t i = 0; i < function.siteCount; ++i)
    sites.insert(function.firstSite + i);
  return sites;
}

} // namespace

std::set<uint32_t> ProgramSites::probedWith(const SiteAddress &site) const {
  for (const SiteFunction &function : partOf(site.moduleId).table.functions)
    if (site.site >= function.firstSite && site.site - function.firstSite < function.siteCount)
      return sitesOf(function);
  return {site.site};
}

std::map<std::string, std::set<uint32_t>> ProgramSites::probedAnyway() const {
  std::map<std::string, std::set<uint32_t>> probed;
  for (const Part &part : parts_)
    if (part.table.sites.size() <= kMostProbed)
      for (const SiteFunction &function : part.table.functions)
        probed[part.moduleId].merge(sitesOf(function));
  return probed;
}

std::optional<SiteAddress> ProgramSites::decisionBefore(const SiteAddress &site) const {
  const SiteTable &table = partOf(site.moduleId).table;
  uint32_t block = table.sites.at(site.site).block;
  std::set<uint32_t> seen;
  while (seen.insert(block).second) {
    std::vector<uint32_t> before;
    for (const SiteEdge &edge : table.edges)
      if (edge.to == block && !edge.isUnwind)
        before.push_back(edge.from);
    if (before.size() != 1)
      return std::nullopt; // several ways lead here, none of them decides
    block = before.front();
    const SiteBlock &row = table.blocks.at(block);
    if (row.siteCount == 0)
      continue;
    uint32_t last = row.firstSite + row.siteCount - 1;
    if (table.sites.at(last).kind == SiteKind::Branch)
      return SiteAddress{site.moduleId, last};
  }
  return std::nullopt;
}

} // namespace culprit
