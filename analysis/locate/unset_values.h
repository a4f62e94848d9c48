// Values that were computed from memory that nobody had set.
//
// A program that ends because it did not like a value says where the value was computed, and that
// is seldom wrong in itself. What it was computed from may be: memory that was allocated, or a
// variable that was declared, and read before anything was stored there.
#ifndef CULPRIT_ANALYSIS_LOCATE_UNSET_VALUES_H
#define CULPRIT_ANALYSIS_LOCATE_UNSET_VALUES_H

#include "analysis/locate/used_values.h"

#include <functional>

namespace culprit {

/// The nearest unset value behind `computed`, from operand to operand; nothing if there is none
/// within a few steps. Each step is a run by `look`, which tells of the probe of an `AlteredRun`.
std::optional<UsedValue> unsetBehind(const UsedValue &computed, const ProgramSites &sites,
                                     const Program &program,
                                     const std::function<RunResult(AlteredRun)> &look);

} // namespace culprit
#endif
