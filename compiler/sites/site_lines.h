// Sites in place of lines: for builds that must tell sites apart which share a source line.
//
// Every instruction with a site gets a debug location whose line is the site's number plus one and
// whose file is kSiteFilePrefix and the module's id. So the line table of the twin maps an address
// to its site.
#ifndef CULPRIT_COMPILER_SITES_SITE_LINES_H
#define CULPRIT_COMPILER_SITES_SITE_LINES_H

#include <llvm/IR/Module.h>
#include <optional>
#include <string>
#include <string_view>

namespace culprit {

/// Sites must be attached (numbering.h).
void replaceLinesBySites(llvm::Module &module, const std::string &moduleId);

struct SiteAddress {
  std::string moduleId;
  uint32_t site = 0;
  bool operator==(const SiteAddress &) const = default;
};

/// Reads such a location back; none for a location of the source.
std::optional<SiteAddress> siteFromLine(std::string_view file, uint32_t line);

} // namespace culprit
#endif
