// Numbered sites of a build, back to places in the source; for builds whose lines are sites.
#ifndef CULPRIT_ANALYSIS_FAILURE_SITE_PLACES_H
#define CULPRIT_ANALYSIS_FAILURE_SITE_PLACES_H

#include "compiler/sites/site_lines.h"
#include "compiler/sites/site_table.h"
#include "compiler/twin/build.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace culprit {

class SitePlaces {
public:
  struct Place {
    std::string file;           ///< as the compiler saw it
    std::filesystem::path path; ///< where the file was when it was compiled
    uint32_t line, column;
  };

  explicit SitePlaces(const Build &build) : build_(build) {}

  /// Nothing if the build has no such site.
  std::optional<Place> find(const SiteAddress &site);

private:
  const SiteTable *tableOf(const std::string &moduleId);

  const Build &build_;
  std::map<std::string, SiteTable> tables_; ///< by module
};

} // namespace culprit
#endif
