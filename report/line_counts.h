// Hit counts per source line, from the counters of mode `count`.
//
// A line's count is how often control entered it, as gcov defines it: the executions of edges that
// lead into the line's blocks from blocks that are not on the line, plus the executions of cycles
// among the line's own blocks (`while (*p++);` on one line counts its rounds). Steps, which stand
// for nothing in the source, do not lead out of a line. A line that belongs to several functions
// (templates, macros in headers) has the sum.
#ifndef CULPRIT_REPORT_LINE_COUNTS_H
#define CULPRIT_REPORT_LINE_COUNTS_H

#include "compiler/sites/site_table.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace culprit {

struct FileCounts {
  std::string file;      ///< as the compiler saw it
  std::string directory; ///< what a relative name is relative to
  std::map<uint32_t, uint64_t> lines;
};

class LineCounts {
public:
  /// Adds one module. `counters` holds SiteTable::counterCount numbers.
  void add(const SiteTable &table, const std::vector<uint64_t> &counters);

  /// By file name.
  std::vector<FileCounts> files() const;

private:
  std::map<std::pair<std::string, std::string>, FileCounts> files_;
};

/// Annotated sources like those of gcov: `count: line: text`, `#####` for lines never entered.
std::string printLineCounts(const std::vector<FileCounts> &files);
std::string lineCountsAsJson(const std::vector<FileCounts> &files);

} // namespace culprit
#endif
