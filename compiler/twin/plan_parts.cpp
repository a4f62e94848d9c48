// See plan_parts.h.
#include "compiler/twin/plan_parts.h"

#include <map>
#include <set>
#include <sstream>

namespace culprit {
namespace {

std::string besideObject(const TwinJob &job, const char *suffix, const Cache &cache) {
  return Cache::readObject(cache.folder() / "objects" / (job.name + suffix));
}

std::map<std::string, SuppressedSites> byFunction(const SuppressedSites &sites,
                                                  const SiteTable &table) {
  std::map<std::string, SuppressedSites> functions;
  auto holder = [&](uint32_t site) -> SuppressedSites & {
    return functions[table.strings.at(table.functions.at(table.sites.at(site).function).name)];
  };
  for (uint32_t site : sites.points)
    holder(site).points.insert(site);
  for (uint32_t site : sites.probes)
    holder(site).probes.insert(site);
  for (uint32_t site : sites.branches)
    holder(site).branches.insert(site);
  return functions;
}

bool canReplace(const std::string &replaceable,
                const std::map<std::string, SuppressedSites> &functions) {
  std::set<std::string> known;
  std::istringstream lines(replaceable);
  for (std::string line; std::getline(lines, line);)
    known.insert(line);
  for (const auto &[name, sites] : functions)
    if (!known.contains(name))
      return false;
  return true;
}

} // namespace

bool isLargeModule(uint64_t bitcodeSize) {
  return bitcodeSize >= 256 << 10;
}

bool hasParts(const Mode &mode, uint64_t bitcodeSize) {
  return mode.keepsSitesApart() && mode.wantsPromoted() && isLargeModule(bitcodeSize);
}

void planParts(TwinJob &job, const SuppressedSites &sites, const Cache &cache) {
  std::map<std::string, SuppressedSites> functions =
      byFunction(sites, SiteTable::parse(besideObject(job, ".sites", cache)));
  if (!canReplace(besideObject(job, ".parts", cache), functions)) {
    job.request.isOpen = false;
    job.request.context.sites = sites;
    job.name = twinName(job.request);
    return;
  }
  std::string unsafe = besideObject(job, ".unsafe", cache);
  for (const auto &[name, special] : functions) {
    TwinJob part = job;
    part.parts.clear();
    part.request.context.part = name;
    part.request.context.sites = special;
    part.request.unsafeLocals = unsafe;
    part.name = twinName(part.request);
    job.parts.push_back(std::move(part));
  }
}

} // namespace culprit
