// The sites of a whole program: from the numbers in origins to modules and lines, and back.
#ifndef CULPRIT_ANALYSIS_LOCATE_PROGRAM_SITES_H
#define CULPRIT_ANALYSIS_LOCATE_PROGRAM_SITES_H

#include "compiler/sites/site_lines.h"
#include "compiler/sites/site_table.h"
#include "compiler/twin/build.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace culprit {

/// A place in the source.
struct SitePlace {
  std::string file;      ///< as the compiler saw it
  std::string directory; ///< that it is relative to
  uint32_t line = 0, column = 0;
  std::string function;
  std::string variable; ///< that is defined there, where the site has one
  SiteKind kind = SiteKind::Compute;
  bool isImplicit = false; ///< in a function that the compiler has made

  /// Whether a person has written it as part of the program: not in a header of the system.
  bool isOwn() const;
  bool isSameLine(const SitePlace &other) const {
    return file == other.file && function == other.function && line == other.line;
  }
};

class ProgramSites {
public:
  /// Sites have the same numbers in all builds of a mode; this is any of them.
  explicit ProgramSites(const Build &build);

  std::optional<SiteAddress> find(uint64_t number) const;
  uint64_t numberOf(const SiteAddress &site) const;
  SitePlace placeOf(const SiteAddress &site) const;

  /// Whether the program has a function of that linkage name.
  bool hasFunction(const std::string &name) const { return functions_.contains(name); }

  /// Whether all that the site's function does is on the site's line.
  bool isOneLiner(const SiteAddress &site) const;

  /// What is probed with a site, or without any in the modules of the program: sites that may be
  /// asked for next, so that one build answers.
  std::set<uint32_t> probedWith(const SiteAddress &site) const;
  std::map<std::string, std::set<uint32_t>> probedAnyway() const;

  /// The branch that decides whether the site is executed; none if that is the function's caller.
  std::optional<SiteAddress> decisionBefore(const SiteAddress &site) const;

private:
  struct Part {
    std::string moduleId;
    uint64_t firstSite;
    SiteTable table;
  };
  const Part &partOf(const std::string &moduleId) const;

  std::vector<Part> parts_; ///< by their first site
  std::set<std::string> functions_;
};

} // namespace culprit
#endif
