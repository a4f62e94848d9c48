// What was wrong with the memory that a value was computed from.
//
// A program that ends because it did not like a value says where the value was computed, and that
// is seldom wrong in itself. What it was computed from may be: memory that was allocated, or a
// variable that was declared, and read before anything was stored there; memory that was freed; a
// local of a function that had returned.
#ifndef CULPRIT_ANALYSIS_LOCATE_VALUES_BEHIND_H
#define CULPRIT_ANALYSIS_LOCATE_VALUES_BEHIND_H

#include "analysis/locate/used_values.h"

#include <functional>

namespace culprit {

/// The program, and how to run it with a probe.
struct ProbedProgram {
  const ProgramSites &sites;
  const Program &program;
  std::function<RunResult(AlteredRun)> look;
};

/// The nearest misuse of memory behind what a failing statement used, from operand to operand;
/// nothing if there is none within a few steps. Each step is a run.
std::optional<UsedValue> misuseBehind(const RunResult &probed, const ProbedProgram &program);

/// A pointer that is the address of a local whose function is not in `stack`.
bool isStaleLocal(const UsedValue &pointer, const CallStack &stack, const ProbedProgram &program);

} // namespace culprit
#endif
