// Loops that run too far: what an index or pointer that goes from element to element is compared
// with. The step that left the memory is no more wrong than those before it; how far the loop was
// to go is.
#ifndef CULPRIT_ANALYSIS_LOCATE_LOOPS_H
#define CULPRIT_ANALYSIS_LOCATE_LOOPS_H

#include "compiler/loader/program.h"
#include "compiler/sites/site_lines.h"

#include <optional>

namespace culprit {

struct LoopEnd {
  SiteAddress branch;   ///< that leaves the loop
  unsigned operand = 0; ///< of its comparison: the one that says how far the loop goes
};

/// If the site steps a local on by a constant, in a loop that ends when the local has reached a
/// variable.
std::optional<LoopEnd> endOfLoop(const Program &program, const SiteAddress &step);

} // namespace culprit
#endif
