// Reads the counters that a run of mode `count` left behind.
#ifndef CULPRIT_REPORT_COUNT_RUN_H
#define CULPRIT_REPORT_COUNT_RUN_H

#include "compiler/twin/build.h"
#include "report/line_counts.h"

#include <filesystem>
#include <vector>

namespace culprit {

/// `folder` holds one file per image, named by its index, with the bytes of its counter section. An
/// image that was not loaded has no file and counts as never executed.
std::vector<FileCounts> readCounts(const Build &build, const std::filesystem::path &folder);

} // namespace culprit
#endif
