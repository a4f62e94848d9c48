// One altered run for programs and curious people: what `culprit locate --keep` writes, see
// docs/FORMATS.md.
#ifndef CULPRIT_REPORT_ALTERED_RUN_JSON_H
#define CULPRIT_REPORT_ALTERED_RUN_JSON_H

#include "analysis/locate/altered_run.h"
#include "analysis/locate/program_sites.h"

#include <filesystem>
#include <string>

namespace culprit {

/// `executable` is the analysis build that ran.
std::string alteredRunAsJson(const AlteredRun &run, const RunResult &result,
                             const ProgramSites &sites, const std::filesystem::path &executable);

} // namespace culprit
#endif
